"use strict";
// What the copy of the page that `reportgen serve` shows does: it listens for news, loads itself
// again when there is another report, and puts everything back where the reader had it.
(() => {
  const told = JSON.parse(document.getElementById("rg:live").textContent);
  const { words, version } = told;
  const KEY = `rg:live:${location.pathname}`;
  const bar = element("aside", "rg-live");
  const said = element("span");
  const links = element("span", "rg-links");
  const fault = element("section", "rg-fault");
  const letter = element("pre");
  let stream = null;

  function element(name, className = "", text = "") {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    return made;
  }

  function spell(key, places = {}) {
    return words[key].replace(/\{(\w+)\}/g, (place, name) => String(places[name] ?? place));
  }

  // --- what the reader has before them ---------------------------------------------------
  const every = (selector, root = document) => [...root.querySelectorAll(selector)];
  const isFolded = () => !document.getElementById("rg:trace") || document.getElementById("rg:trace").hidden;

  // The name of a head, a switch or a figure, which stays when rows and figures come before it:
  // its figure, what it says, and which of those that say it there.
  function nameOf(one, selector) {
    const figure = one.closest("figure");
    if (one === figure) return figure.id;
    const alike = every(selector, figure ?? document).filter((other) => other.textContent === one.textContent);
    return `${figure?.id ?? ""}|${one.textContent}|${alike.indexOf(one)}`;
  }

  function byName(selector, read) {
    return Object.fromEntries(every(selector).map((one) => [nameOf(one, selector), read(one)]));
  }

  // The first thing with a name that is in view, and where it is: what grows above it moves it.
  function place() {
    for (const one of every("main [id]")) {
      const box = one.getBoundingClientRect();
      if (box.height && box.bottom > 0) return { id: one.id, top: box.top, y: window.scrollY };
    }
    return { id: "", top: 0, y: window.scrollY };
  }

  function keep() {
    const open = isFolded() ? null : document.querySelector("a.num[aria-expanded='true']");
    const kept = {
      place: place(),
      focus: document.activeElement?.id ?? "",
      panel: open?.id ?? "",
      pins: every(".pinned .card").map((card) => card.dataset.number ?? ""),
      details: every("details").map((one) => one.open),
      heads: byName("thead th", (head) => head.getAttribute("aria-sort")),
      toggles: byName(".chart [aria-pressed]", (one) => one.getAttribute("aria-pressed")),
      views: byName("figure", (figure) => figure.chart?.state.view ?? null),
    };
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  }

  function restore() {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    sessionStorage.removeItem(KEY);
    if (!kept) return;
    every("details").forEach((one, i) => { one.open = kept.details[i] ?? one.open; });
    every("thead th").forEach((head) => {
      const order = kept.heads[nameOf(head, "thead th")];
      for (let turn = 0; turn < 3 && order && head.getAttribute("aria-sort") !== order; turn += 1) {
        head.querySelector("button")?.click();
      }
    });
    every(".chart [aria-pressed]").forEach((one) => {
      const pressed = kept.toggles[nameOf(one, ".chart [aria-pressed]")];
      if (pressed && pressed !== one.getAttribute("aria-pressed")) one.click();
    });
    every("figure").forEach((figure) => {
      const view = kept.views[nameOf(figure, "figure")];
      if (view) figure.chart?.show(view);
    });
    if (!isFolded()) document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    for (const id of kept.pins.reverse()) {
      document.getElementById(id)?.click();
      document.querySelector(".trace .pin")?.click();
    }
    document.getElementById(kept.panel)?.click();
    if (!kept.panel) document.getElementById(kept.focus)?.focus({ preventScroll: true });
    const first = document.getElementById(kept.place.id);
    const y = first ? first.getBoundingClientRect().top + window.scrollY - kept.place.top : kept.place.y;
    window.scrollTo({ top: y, behavior: "instant" });
  }

  // --- news --------------------------------------------------------------------------------
  function show(notice) {
    bar.dataset.state = notice.state;
    said.textContent = spell(notice.state, { time: notice.time ?? "" });
    letter.textContent = notice.letter ?? "";
    fault.hidden = !notice.letter;
    if (notice.links) links.replaceChildren(...notice.links.map(linkTo));
  }

  function linkTo(name) {
    const link = element("a", "", name);
    link.href = `/${encodeURIComponent(name)}`;
    return link;
  }

  function hear(event) {
    const notice = JSON.parse(event.data);
    if (notice.version && notice.version !== version) {
      stream.close();
      keep();
      history.scrollRestoration = "manual";
      location.reload();
      return;
    }
    show(notice);
  }

  function listen() {
    if (document.hidden || stream) return;
    stream = new EventSource("/_live");
    stream.onmessage = hear;
    stream.onerror = () => show({ state: "lost" });
  }

  // A browser keeps few connections to one place: tabs that nobody sees need none.
  function rest() {
    if (!document.hidden) return listen();
    stream?.close();
    stream = null;
  }

  bar.setAttribute("role", "status");
  bar.append(element("span", "rg-lamp"), said, links);
  fault.setAttribute("role", "alert");
  const close = element("button", "", words.close);
  close.type = "button";
  close.addEventListener("click", () => { fault.hidden = true; });
  fault.append(element("h2", "", words.fault), letter, close);
  document.body.append(bar, fault);
  show(told);
  restore();
  history.scrollRestoration = "auto";
  document.addEventListener("visibilitychange", rest);
  window.addEventListener("pagehide", () => stream?.close());
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) { stream = null; listen(); }
  });
  listen();
})();
