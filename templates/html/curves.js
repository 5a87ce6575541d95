  // --- curves: what there is to draw, and drawing it ----------------------------------------
  const SVG = "http://www.w3.org/2000/svg";
  const MARKED = 30; // a curve with more points in view carries a mark here and there

  function shape(name, attributes, text = "") {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text) made.textContent = text;
    return made;
  }

  // Gives an element the colour of a curve; the style sheet lightens it on a dark page.
  function coloured(made, curve) {
    made.style.setProperty("--colour", curve.look.colour);
    return made;
  }

  // The curves of one set of axes, their lists of numbers in place of references.
  function curvesOf(axes, series) {
    const list = (place) => (place === null ? [] : series[place]);
    const named = (item) => (item.group && !item.label.includes(item.group) ? `${item.group}, ${item.label}` : item.label);
    const lines = axes.lines.map((line) => ({
      kind: "line", id: `${line.group}|${line.label}`, name: named(line), ...line,
      x: list(line.x), y: list(line.y), smoothed: list(line.smoothed), steps: list(line.steps),
    }));
    const bands = axes.bands.map((band) => ({
      kind: "band", id: `${band.group}|`, name: named(band), ...band,
      x: list(band.x), y: list(band.mean), low: list(band.low), high: list(band.high), smoothed: [], steps: [],
    }));
    if (axes.log) for (const band of bands) band.edge = lowerEdge(band);
    return [...bands, ...lines];
  }

  // The lower edge as far as a logarithmic axis has to show it: near zero it would take all the room.
  function lowerEdge(band) {
    const least = Math.min(...band.y.filter((value) => value > 0)) / 10;
    return band.low.map((value) => (value >= least ? value : null));
  }

  function isShown(curve, state) {
    if (state.groupsOff.has(curve.group)) return false;
    if (curve.kind === "band") return state.on.has("band");
    return !state.runsOff.has(curve.id) && (state.on.has("raw") || (state.on.has("smoothed") && curve.smoothed.length > 0));
  }

  // The lists of values that a curve shows.
  function shownValues(curve, state) {
    if (curve.kind === "band") return [curve.y, curve.edge ?? curve.low, curve.high];
    return [state.on.has("raw") ? curve.y : [], state.on.has("smoothed") ? curve.smoothed : []];
  }

  function fullView(curves, ticks) {
    const values = [...curves.flatMap((curve) => [curve.x[0], curve.x.at(-1)]), ...ticks];
    return limitsOf(values.filter(Number.isFinite), 0.03, false);
  }

  // Values in view, and those next to it: lines run out of it.
  function valuesInView(curves, state, [low, high]) {
    const values = [];
    for (const curve of curves) {
      for (const list of shownValues(curve, state)) {
        list.forEach((value, i) => {
          const near = (curve.x[i + 1] ?? curve.x[i]) >= low && (curve.x[i - 1] ?? curve.x[i]) <= high;
          if (near && Number.isFinite(value)) values.push(value);
        });
      }
    }
    return values;
  }

  // A line that stops where a value is missing.
  function trace(x, y, places) {
    let path = "";
    let open = false;
    y.forEach((value, i) => {
      if (!Number.isFinite(value)) open = false;
      else {
        path += `${open ? "L" : "M"}${places.x(x[i]).toFixed(1)} ${places.y(value).toFixed(1)}`;
        open = true;
      }
    });
    return path;
  }

  function area(curve, places) {
    const known = curve.x.map((_, i) => i).filter((i) => Number.isFinite(curve.low[i]) && Number.isFinite(curve.high[i]));
    if (known.length < 2) return "";
    const at = (i, list) => `${places.x(curve.x[i]).toFixed(1)} ${places.y(list[i]).toFixed(1)}`;
    const above = known.map((i) => at(i, curve.high));
    const below = known.reverse().map((i) => at(i, curve.low));
    return `M${[...above, ...below].join("L")}Z`;
  }

  // The marks of the runs of a group, as the drawings have them, around a point.
  const MARKS = {
    circle: (r) => `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
    square: (r) => `m${-0.85 * r} ${-0.85 * r}h${1.7 * r}v${1.7 * r}h${-1.7 * r}z`,
    triangle: (r) => `m0 ${-1.15 * r}l${1.05 * r} ${1.9 * r}h${-2.1 * r}z`,
    down: (r) => `m0 ${1.15 * r}l${1.05 * r} ${-1.9 * r}h${-2.1 * r}z`,
    diamond: (r) => `m0 ${-1.25 * r}l${r} ${1.25 * r}l${-r} ${1.25 * r}l${-r} ${-1.25 * r}z`,
    cross: (r) => `m${-0.9 * r} ${-0.9 * r}l${1.8 * r} ${1.8 * r}m0 ${-1.8 * r}l${-1.8 * r} ${1.8 * r}`,
    plus: (r) => `m${-1.1 * r} 0h${2.2 * r}m${-1.1 * r} ${-1.1 * r}v${2.2 * r}`,
  };

  function markAt(curve, x, y, r) {
    return shape("path", { d: `M${x} ${y}${MARKS[curve.look.mark](r)}`, class: "dot" });
  }

  // A small picture of a curve: its colour, and the mark of its run.
  function swatch(curve, marked) {
    const made = coloured(shape("svg", { class: "swatch curve", viewBox: "-6 -6 12 12", width: 12, height: 12, "aria-hidden": "true" }), curve);
    made.append(marked ? markAt(curve, 0, 0, 4.4) : shape("path", { d: "M-5-5h10v10h-10z", class: "dot" }));
    return made;
  }

  function drawLine(layer, curve, values, places, look) {
    layer.append(shape("path", { d: trace(curve.x, values, places), class: "line", ...look }));
    const inside = values.map((_, i) => i).filter((i) => Number.isFinite(values[i])
      && places.x(curve.x[i]) >= places.left - 1 && places.x(curve.x[i]) <= places.right + 1);
    const alone = (i) => !Number.isFinite(values[i - 1]) && !Number.isFinite(values[i + 1]);
    const faint = Boolean(look["stroke-opacity"]);
    const every = inside.length > MARKED ? Math.ceil(inside.length / 6) : 1;
    inside.forEach((i, k) => {
      if (!alone(i) && (faint || (k + Math.floor(every / 2)) % every)) return;
      layer.append(markAt(curve, places.x(curve.x[i]).toFixed(1), places.y(values[i]).toFixed(1), faint ? 1.5 : 3));
    });
  }

  function drawCurve(outer, curve, state, places) {
    const layer = coloured(shape("g", { class: "curve" }), curve);
    outer.append(layer);
    const dashes = curve.look.dashes ? { "stroke-dasharray": curve.look.dashes } : {};
    if (curve.kind === "band") {
      if (curve.low.length) {
        layer.append(shape("path", { d: area(curve, places), class: "spread" }));
      }
      drawLine(layer, curve, curve.y, places, { "stroke-width": 2.2, ...dashes });
      return;
    }
    const both = state.on.has("smoothed") && curve.smoothed.length > 0;
    // Beside the mean of its group a run is thin.
    const thin = both || (state.on.has("band") && places.curves.some((other) => other.kind === "band" && other.group === curve.group));
    if (state.on.has("raw")) {
      const faint = { "stroke-width": 1, "stroke-opacity": 0.45 };
      drawLine(layer, curve, curve.y, places, thin ? faint : { "stroke-width": 1.6, ...dashes });
    }
    if (both) drawLine(layer, curve, curve.smoothed, places, { "stroke-width": 1.8, ...dashes });
  }

  // Ticks of the value axis with their texts; powers of ten need no common decimals.
  function valueTicks(log, ends) {
    if (log) return powersBetween(...ends, 6).map((tick) => [tick, spellTicks([tick])[0]]);
    const ticks = ticksBetween(...ends, 6);
    return spellTicks(ticks).map((text, i) => [ticks[i], text]);
  }

  function drawAxes(svg, axes, places, view, ends) {
    const { left, right, top, bottom } = places;
    for (const [tick, text] of valueTicks(places.log, ends)) {
      const y = places.y(tick);
      svg.append(shape("path", { d: `M${left} ${y}H${right}`, class: "grid" }));
      svg.append(shape("text", { x: left - 6, y: y + 4, class: "tick end" }, text));
    }
    const room = Math.max(2, Math.floor((right - left) / 60));
    const asked = axes.ticks.filter((tick) => tick >= view[0] && tick <= view[1]);
    const along = asked.length > 1 && asked.length <= room ? asked : ticksBetween(...view, room);
    spellTicks(along).forEach((text, i) => {
      const x = places.x(along[i]);
      svg.append(shape("path", { d: `M${x} ${bottom}v4`, class: "frame" }));
      svg.append(shape("text", { x, y: bottom + 17, class: "tick middle" }, text));
    });
    svg.append(shape("path", { d: `M${left} ${top}V${bottom}H${right}`, class: "frame" }));
    svg.append(shape("text", { x: (left + right) / 2, y: bottom + 34, class: "label middle" }, axes.x));
  }

  // Draws one set of axes and returns where things are.
  function drawAxesAndCurves(svg, axes, state, view, clip) {
    const width = svg.clientWidth || 360;
    const height = svg.clientHeight || 240;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const curves = axes.curves.filter((curve) => isShown(curve, state));
    const values = [...valuesInView(curves, state, view), ...axes.levels.map((level) => level.y)];
    const log = axes.log && isFarSpread(values);
    const ends = log ? decadesOf(values, 0.05) : limitsOf(values, 0.05, axes.y.includes("%"));
    const widest = Math.max(...valueTicks(log, ends).map(([, text]) => text.length));
    const places = { left: 14 + widest * 7, right: width - 8, top: 8, bottom: height - 40, curves, log };
    places.x = scale(...view, places.left, places.right);
    places.y = (log ? logScale : scale)(...ends, places.bottom, places.top);
    const layer = shape("g", { "clip-path": `url(#${clip})` });
    const frame = shape("clipPath", { id: clip });
    const { left, right, top, bottom } = places;
    frame.append(shape("rect", { x: left, y: top - 4, width: Math.max(right - left + 4, 1), height: bottom - top + 8 }));
    svg.replaceChildren(frame);
    drawAxes(svg, axes, places, view, ends);
    svg.append(layer);
    for (const curve of curves) drawCurve(layer, curve, state, places);
    for (const level of axes.levels) {
      const y = places.y(level.y);
      if (!(y > top && y < bottom)) continue;
      layer.append(shape("path", { d: `M${left} ${y}H${right}`, class: "level" }));
      layer.append(shape("text", { x: right - 3, y: y - 4, class: "tick end" }, level.label));
    }
    for (const ring of axes.rings) {
      const x = places.x(ring.x);
      if (x < left - 1 || x > right + 1) continue;
      layer.append(coloured(shape("circle", { cx: x, cy: places.y(ring.y), r: 5.5, class: "ring" }), ring));
    }
    if (!curves.length) svg.append(shape("text", { x: (left + right) / 2, y: (top + bottom) / 2, class: "label middle" }, words.nothing));
    return places;
  }
