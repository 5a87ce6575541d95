  // --- one set of axes in use: crosshair, zoom, keys -----------------------------------------
  const LISTED = 12; // curves that the crosshair names at once

  // A value as it was logged; what was computed from it, with the digits that a curve shows.
  function pointText(curve, i, state) {
    const logged = (list) => (Number.isFinite(list[i]) ? spellValue(list[i]) : "\u2014");
    const computed = (list) => (Number.isFinite(list[i]) ? spellValue(Number(list[i].toPrecision(5))) : "\u2014");
    if (curve.kind === "band") {
      const spread = curve.low.length ? ` (${computed(curve.low)} \u2026 ${computed(curve.high)})` : "";
      return `${words.mean} ${computed(curve.y)}${spread}`;
    }
    const smoothed = state.on.has("smoothed") && curve.smoothed.length;
    if (!smoothed) return logged(curve.y);
    const eased = `${words.smoothed.toLowerCase()} ${computed(curve.smoothed)}`;
    return state.on.has("raw") ? `${logged(curve.y)} (${eased})` : eased;
  }

  function whereText(axes, curve, i) {
    const at = `${axes.x.split(" (")[0]} ${spellValue(curve.x[i])}`;
    return curve.steps.length ? `${at}, ${words.step} ${curve.steps[i]}` : at;
  }

  // The height at which a point of a curve is drawn.
  function heightOf(curve, i, state, places) {
    const smoothed = curve.kind === "line" && !state.on.has("raw");
    return places.y((smoothed ? curve.smoothed : curve.y)[i]);
  }

  class View {
    constructor(axes, chart, number) {
      Object.assign(this, { axes, chart, clip: `rg:clip-${number}`, at: null, drag: null, pointers: new Map() });
      this.box = element("div", "axes");
      Object.assign(this.box, { tabIndex: 0, role: "application" });
      this.box.setAttribute("aria-label", `${axes.title ? `${axes.title}${words.colon} ` : ""}${axes.y}. ${words.chart_keys}`);
      this.svg = shape("svg", { "aria-hidden": "true" });
      this.tip = element("div", "tip");
      this.tip.hidden = true;
      const head = element("p", "axes-head");
      head.append(element("strong", "", axes.title), ` ${axes.y}`);
      const stage = element("div", "stage");
      stage.append(this.svg, this.tip);
      this.box.append(head, stage);
      this.listen();
    }

    draw() {
      this.places = drawAxesAndCurves(this.svg, this.axes, this.chart.state, this.chart.view(), this.clip);
      this.cross = shape("g", { class: "cross" });
      this.svg.append(this.cross);
      this.mark();
    }

    // The point nearest to a place of the pointer.
    find(x, y) {
      let best = null;
      for (const curve of this.places.curves) {
        if (!curve.x.length) continue;
        const i = nearest(curve.x, this.places.x.invert(x));
        const far = Math.abs(this.places.x(curve.x[i]) - x);
        const high = Math.abs(heightOf(curve, i, this.chart.state, this.places) - y);
        if (!Number.isFinite(high)) continue;
        const score = Math.hypot(far * 2, high);
        if (!best || score < best.score) best = { curve, i, score };
      }
      return best;
    }

    point(found, spoken = false) {
      this.at = found;
      this.mark();
      if (spoken && found) say(`${found.curve.name}, ${whereText(this.axes, found.curve, found.i)}${words.colon} ${pointText(found.curve, found.i, this.chart.state)}`);
    }

    mark() {
      const at = this.at;
      this.cross.replaceChildren();
      const gone = !at || !this.places.curves.includes(at.curve);
      const x = gone ? 0 : this.places.x(at.curve.x[at.i]);
      this.tip.hidden = gone || x < this.places.left - 1 || x > this.places.right + 1;
      if (this.tip.hidden) return;
      const y = heightOf(at.curve, at.i, this.chart.state, this.places);
      this.cross.append(shape("path", { d: `M${x} ${this.places.top}V${this.places.bottom}` }));
      if (Number.isFinite(y)) this.cross.append(coloured(shape("circle", { cx: x, cy: y, r: 5, class: "curve" }), at.curve));
      this.fillTip(at);
      const left = Math.min(x - this.tip.offsetWidth / 2, this.svg.clientWidth - this.tip.offsetWidth);
      this.tip.style.left = `${Math.max(0, left)}px`;
    }

    // Names the point, and what the other curves have at the same place.
    fillTip(at) {
      const x = at.curve.x[at.i];
      this.tip.replaceChildren(element("p", "where", whereText(this.axes, at.curve, at.i)));
      const others = this.places.curves
        .map((curve) => [curve, curve === at.curve ? at.i : curve.x.indexOf(x)])
        .filter(([, i]) => i >= 0);
      const near = [[at.curve, at.i], ...others.filter(([curve]) => curve !== at.curve)].slice(0, LISTED);
      for (const [curve, i] of near) {
        const line = element("p", curve === at.curve ? "here" : "");
        line.append(swatch(curve, curve.kind === "line"), `${curve.name} `, element("b", "", pointText(curve, i, this.chart.state)));
        this.tip.append(line);
      }
    }

    // Goes along a curve, or to the next one at the same place.
    walk(along, across) {
      const curves = this.places.curves.filter((curve) => curve.x.length);
      if (!curves.length) return;
      const [low, high] = this.chart.view();
      let { curve, i } = this.at && curves.includes(this.at.curve) ? this.at : { curve: curves[0], i: -1 };
      if (i < 0) i = Math.max(0, nearest(curve.x, along < 0 ? high : low));
      else if (across) {
        curve = curves[(curves.indexOf(curve) + across + curves.length) % curves.length];
        i = nearest(curve.x, this.at.curve.x[this.at.i]);
      } else i = Math.max(0, Math.min(curve.x.length - 1, i + along));
      const x = curve.x[i];
      if (x < low || x > high) this.chart.move((x - (low + high) / 2) / (high - low));
      this.point({ curve, i }, true);
    }

    key(event) {
      const walks = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      const { key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.shiftKey && walks[key]?.[0]) this.chart.move(walks[key][0] / 4);
      else if (walks[key]) this.walk(...walks[key]);
      else if (key === "+" || key === "=") this.chart.zoom(0.5, this.centre());
      else if (key === "-" || key === "_") this.chart.zoom(2, this.centre());
      else if (key === "0") this.chart.show(null);
      else if (key === "Escape" && this.at) this.point(null);
      else return;
      event.preventDefault();
      event.stopPropagation();
    }

    centre() {
      return this.at ? this.at.curve.x[this.at.i] : undefined;
    }

    placeOf(event) {
      const box = this.svg.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    }

    wheel(event) {
      // The wheel is the page's until a chart was chosen; a pinch on a trackpad is ours.
      if (!event.ctrlKey && !this.box.contains(document.activeElement)) return;
      event.preventDefault();
      this.chart.zoom(Math.exp(Math.max(-50, Math.min(50, event.deltaY)) * 0.01), this.places.x.invert(this.placeOf(event)[0]));
    }

    press(event) {
      this.pointers.set(event.pointerId, this.placeOf(event)[0]);
      if (event.pointerType === "mouse" && event.button === 0) {
        this.drag = { from: this.placeOf(event)[0] };
        this.svg.setPointerCapture(event.pointerId);
      } else if (event.pointerType !== "mouse") this.point(this.find(...this.placeOf(event)), true);
    }

    pull(event) {
      const [x, y] = this.placeOf(event);
      if (this.pointers.size === 2 && this.pointers.has(event.pointerId)) {
        const spread = () => { const [a, b] = this.pointers.values(); return [Math.abs(a - b), (a + b) / 2]; };
        const [before] = spread();
        this.pointers.set(event.pointerId, x);
        const [after, middle] = spread();
        if (before > 4 && after > 4) this.chart.zoom(before / after, this.places.x.invert(middle));
        return;
      }
      if (this.drag) this.select(x);
      if (event.pointerType === "mouse" || this.pointers.size) this.point(this.find(x, y));
    }

    // Shows what a drag has chosen so far.
    select(x) {
      const { left, right, top, bottom } = this.places;
      const [from, to] = [this.drag.from, x].map((at) => Math.max(left, Math.min(right, at))).sort((a, b) => a - b);
      this.drag.range = to - from > 6 ? [this.places.x.invert(from), this.places.x.invert(to)] : null;
      this.drag.mark?.remove();
      this.drag.mark = shape("rect", { x: from, y: top, width: to - from, height: bottom - top, class: "chosen" });
      this.svg.append(this.drag.mark);
    }

    release(event) {
      this.pointers.delete(event.pointerId);
      const drag = this.drag;
      this.drag = null;
      drag?.mark?.remove();
      if (event.type === "pointerup" && drag?.range) this.chart.show(drag.range);
    }

    listen() {
      const { svg, box } = this;
      box.addEventListener("keydown", (event) => this.key(event));
      box.addEventListener("blur", () => this.point(null));
      svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
      svg.addEventListener("dblclick", () => this.chart.show(null));
      svg.addEventListener("pointerdown", (event) => this.press(event));
      svg.addEventListener("pointermove", (event) => this.pull(event));
      for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, (event) => this.release(event));
      svg.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.point(null));
    }
  }
