  // --- figures: panels that share a view, and their switches --------------------------------
  const MOST_NAMED = 16; // runs in more than so many are switched by group
  const MOST_ROWS = 200;

  class CurveChart {
    constructor(figure, plan, axes) {
      this.figure = figure;
      this.name = figure.querySelector(".label").textContent;
      this.state = { on: new Set(plan.on), groupsOff: new Set(), runsOff: new Set(), view: null };
      const all = axes.flatMap((item) => item.curves);
      const ticks = axes.flatMap((item) => item.ticks);
      this.full = fullView(all.filter((curve) => curve.x.length), ticks);
      this.views = axes.map((item, i) => new View(item, this, `${figure.id}-${i}`));
      this.box = element("div", "chart");
      this.box.setAttribute("role", "group");
      this.box.setAttribute("aria-label", spell("chart", { name: this.name }));
      const panels = element("div", ["panels", "panels", "panels two", "panels three"][Math.min(axes.length, 3)]);
      panels.append(...this.views.map((view) => view.box));
      this.table = element("div", "values scroll");
      this.table.hidden = true;
      this.box.append(this.layers(all), panels, this.legend(all), ...this.notes(all), this.table);
      figure.classList.add("live");
      figure.chart = this;
      figure.prepend(this.box);
      new ResizeObserver(() => this.draw()).observe(panels);
    }

    view() {
      return this.state.view ?? this.full;
    }

    draw() {
      for (const view of this.views) view.draw();
      this.reset.disabled = !this.state.view;
      if (!this.table.hidden) this.fillTable();
    }

    // Shows a stretch of the x axis, in all panels; null shows everything.
    show(range) {
      const [low, high] = this.full;
      const least = (high - low) / 2000;
      let [from, to] = range ?? this.full;
      if (to - from < least) [from, to] = [(from + to - least) / 2, (from + to + least) / 2];
      const shift = Math.max(0, low - from) - Math.max(0, to - high);
      [from, to] = [Math.max(low, from + shift), Math.min(high, to + shift)];
      this.state.view = from <= low && to >= high ? null : [from, to];
      this.draw();
    }

    zoom(factor, centre) {
      const [low, high] = this.view();
      const middle = centre ?? (low + high) / 2;
      this.show([middle - (middle - low) * factor, middle + (high - middle) * factor]);
    }

    move(share) {
      const [low, high] = this.view();
      const by = (high - low) * share;
      this.show([low + by, high + by]);
    }

    // A button that says whether something is shown.
    toggle(text, isOn, turn, picture = null) {
      const made = button(text, () => {
        turn();
        for (const other of this.box.querySelectorAll("[aria-pressed]")) other.renew();
        this.draw();
      }, "toggle");
      if (picture) made.prepend(picture);
      made.renew = () => made.setAttribute("aria-pressed", String(isOn()));
      made.renew();
      return made;
    }

    layers(all) {
      const bar = element("div", "bar");
      bar.setAttribute("role", "group");
      bar.setAttribute("aria-label", words.layers);
      const { on } = this.state;
      const there = {
        raw: all.some((curve) => curve.kind === "line"),
        smoothed: all.some((curve) => curve.smoothed.length),
        band: all.some((curve) => curve.kind === "band"),
      };
      for (const name of ["raw", "smoothed", "band"].filter((layer) => there[layer])) {
        bar.append(this.toggle(words[name], () => on.has(name), () => on.delete(name) || on.add(name)));
      }
      const zoom = element("span", "zoom");
      for (const [sign, name, factor] of [["+", "zoom_in", 0.5], ["\u2212", "zoom_out", 2]]) {
        const made = button(sign, () => this.zoom(factor));
        made.setAttribute("aria-label", words[name]);
        zoom.append(made);
      }
      this.reset = button(words.zoom_reset, () => this.show(null));
      zoom.append(this.reset, this.toggle(words.values, () => this.table && !this.table.hidden, () => { this.table.hidden = !this.table.hidden; }));
      bar.append(zoom);
      return bar;
    }

    legend(all) {
      const bar = element("div", "legend");
      bar.setAttribute("role", "group");
      bar.setAttribute("aria-label", words.legend);
      const flip = (set, key) => set.delete(key) || set.add(key);
      const { groupsOff, runsOff } = this.state;
      const single = this.views.every((view) => view.axes.lines.length <= MOST_NAMED);
      for (const group of new Set(all.map((curve) => curve.group))) {
        const members = all.filter((curve) => curve.group === group);
        const family = element("span", "family");
        family.append(this.toggle(group, () => !groupsOff.has(group), () => flip(groupsOff, group), swatch(members[0], false)));
        const runs = new Map(members.filter((curve) => curve.kind === "line").map((curve) => [curve.id, curve]));
        for (const [id, curve] of single && runs.size > 1 ? runs : []) {
          const run = this.toggle(curve.label, () => !groupsOff.has(group) && !runsOff.has(id), () => {
            if (groupsOff.delete(group)) runsOff.delete(id);
            else flip(runsOff, id);
          }, swatch(curve, true));
          run.setAttribute("aria-label", curve.name);
          family.append(run);
        }
        bar.append(family);
      }
      return bar;
    }

    notes(all) {
      const notes = document.querySelector(".live") ? [] : [element("p", "hint", words.chart_hint)];
      const longest = all.reduce((most, curve) => (curve.points > most.points ? curve : most));
      if (longest.points > longest.x.length) {
        notes.push(element("p", "hint", spell("thinned", { kept: longest.x.length, points: longest.points })));
      }
      return notes;
    }

    // What is in view, as rows: axes, curve, place, step, value, smoothed or the ends of the band.
    rows() {
      const [low, high] = this.view();
      return this.views.flatMap((view) => view.places.curves.flatMap((curve) => curve.x
        .map((x, i) => [view.axes.title, curve.name, x, curve.steps[i], curve.y[i], (this.state.on.has("smoothed") && curve.smoothed[i]) || ""])
        .filter(([, , x]) => x >= low && x <= high)));
    }

    fillTable() {
      const heads = [words.panel_of, words.run, this.views[0].axes.x, words.step, this.views[0].axes.y, words.smoothed];
      const rows = this.rows();
      const used = heads.map((_, i) => rows.some((row) => (row[i] ?? "") !== ""));
      const keep = (cells) => cells.filter((_, i) => used[i]);
      const table = element("table");
      table.append(element("caption", "", spell("values_of", { name: this.name })));
      const line = (cells, name) => {
        const row = element("tr");
        row.append(...keep(cells).map((cell) => element(name, "", typeof cell === "number" ? spellValue(cell) : cell ?? "")));
        for (const head of row.querySelectorAll("th")) head.scope = "col";
        return row;
      };
      const head = element("thead");
      head.append(line(heads, "th"));
      const body = element("tbody");
      body.append(...rows.slice(0, MOST_ROWS).map((row) => line(row, "td")));
      table.append(head, body);
      const name = `${this.figure.id}.csv`;
      this.table.replaceChildren(button(words.csv, () => save(name, [heads, ...rows].map((row) => csvLine(keep(row))).join("")), "link"), table);
    }
  }

  function startCharts() {
    const { figures, axes, series } = readIsland("rg:charts");
    const ready = axes.map((item) => ({ ...item, ticks: item.ticks === null ? [] : series[item.ticks], curves: curvesOf(item, series) }));
    for (const [id, plan] of Object.entries(figures)) {
      const figure = document.getElementById(id);
      if (figure) new CurveChart(figure, plan, plan.axes.map((place) => ready[place]));
    }
  }
