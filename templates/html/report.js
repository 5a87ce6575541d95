"use strict";
// Shows where a number comes from. Everything it writes is text, never markup, and the page
// reads the same without it.
(() => {
  const evidence = JSON.parse(document.getElementById("rg:evidence").textContent);
  const key = (number) => number.dataset.num || number.id;
  const numbers = [...document.querySelectorAll("main .num")].filter((n) => evidence[key(n)]);
  const trace = element("div", "trace");
  let shown = null;
  let pinned = false;
  let returning = false;
  let timer = 0;

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function pair(list, term, description) {
    if (description === undefined) return;
    list.append(element("dt", "", term), element("dd", "", String(description)));
  }

  function point(item) {
    const line = element("li");
    const said = [item.tag, item.step === null ? "" : `at step ${item.step}`].filter(Boolean).join(" ");
    const value = item.value === null ? "" : String(item.value);
    const all = [said, value].filter(Boolean).join(": ");
    if (all) line.append(element("p", "", all));
    line.append(element("p", "file", item.path));
    return line;
  }

  function fill(number) {
    const about = evidence[key(number)];
    const close = element("button", "close", "\u00d7");
    close.type = "button";
    close.setAttribute("aria-label", "Close");
    close.addEventListener("click", () => hide(true));
    const list = element("dl");
    pair(list, "Missing", about.reason);
    pair(list, "Value", about.value === undefined ? undefined : `${about.value} ${about.unit || ""}`.trim());
    pair(list, "Runs", about.n);
    pair(list, "ddof", about.ddof);
    pair(list, "Formula", about.formula);
    trace.replaceChildren(close, element("p", "printed", number.textContent));
    if (about.method) trace.append(element("p", "method", about.method));
    trace.append(list);
    if (about.evidence) {
      const points = element("ol");
      points.append(...about.evidence.map(point));
      trace.append(points);
    }
    trace.scrollTop = 0;
  }

  function place(number) {
    trace.style.left = trace.style.top = "";
    // On a narrow screen the style sheet puts it at the bottom.
    if (getComputedStyle(trace).position === "fixed") return;
    const box = number.getBoundingClientRect();
    const room = document.documentElement.clientWidth;
    const left = Math.max(12, Math.min(box.left - 16, room - trace.offsetWidth - 12));
    const below = box.bottom + trace.offsetHeight + 16 < window.innerHeight || box.top < trace.offsetHeight + 16;
    const top = below ? box.bottom + 8 : box.top - trace.offsetHeight - 8;
    trace.style.left = `${left + window.scrollX}px`;
    trace.style.top = `${top + window.scrollY}px`;
  }

  function show(number, pin) {
    clearTimeout(timer);
    pinned = pin || (pinned && number === shown);
    if (number === shown) return;
    hide(false, pinned);
    shown = number;
    fill(number);
    trace.hidden = false;
    place(number);
    number.setAttribute("aria-expanded", "true");
    number.setAttribute("aria-describedby", trace.id);
  }

  function hide(focus, pin = false) {
    clearTimeout(timer);
    pinned = pin;
    if (!shown) return;
    const number = shown;
    shown = null;
    trace.hidden = true;
    number.setAttribute("aria-expanded", "false");
    number.removeAttribute("aria-describedby");
    // Going back to the number must not open what was just closed.
    returning = true;
    if (focus) number.focus({ preventScroll: true });
    returning = false;
  }

  function later(action, delay) {
    clearTimeout(timer);
    timer = setTimeout(action, delay);
  }

  // In a table the arrow keys go from number to number; Tab leaves it after the first.
  function step(number, sign) {
    const table = number.closest("table");
    const peers = table ? numbers.filter((n) => table.contains(n)) : numbers;
    const next = peers[peers.indexOf(number) + sign];
    if (!next) return;
    if (table) {
      number.tabIndex = -1;
      next.tabIndex = 0;
    }
    next.focus();
  }

  function press(event) {
    const number = event.currentTarget;
    const signs = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key === "Enter" || event.key === " ") toggle(number);
    else if (signs[event.key] && number.closest("table")) step(number, signs[event.key]);
    else return;
    event.preventDefault();
  }

  function toggle(number) {
    if (number === shown && pinned) hide(false);
    else show(number, true);
  }

  function equip(number) {
    const table = number.closest("table");
    const first = !table || numbers.find((n) => table.contains(n)) === number;
    number.removeAttribute("title");
    number.tabIndex = first ? 0 : -1;
    number.setAttribute("role", "button");
    number.setAttribute("aria-expanded", "false");
    number.addEventListener("click", () => toggle(number));
    number.addEventListener("keydown", press);
    number.addEventListener("focus", () => {
      if (!returning && number.matches(":focus-visible")) show(number, false);
    });
    number.addEventListener("blur", () => pinned || later(() => hide(false), 150));
    number.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "mouse" && !pinned) later(() => show(number, false), 180);
    });
    number.addEventListener("pointerleave", () => pinned || later(() => hide(false), 250));
  }

  function follow() {
    const number = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!number || !number.classList.contains("num")) return;
    number.scrollIntoView({ block: "center" });
    show(number, true);
  }

  function markCurrent() {
    const links = new Map([...document.querySelectorAll(".contents a")].map((a) => [a.hash.slice(1), a]));
    const watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        for (const link of links.values()) link.removeAttribute("aria-current");
        links.get(entry.target.id)?.setAttribute("aria-current", "true");
      }
    }, { rootMargin: "0px 0px -75% 0px" });
    for (const id of links.keys()) {
      const heading = document.getElementById(decodeURIComponent(id));
      if (heading) watcher.observe(heading);
    }
  }

  trace.id = "rg:trace";
  trace.hidden = true;
  trace.setAttribute("role", "dialog");
  trace.setAttribute("aria-label", "Where this number comes from");
  trace.addEventListener("pointerenter", () => clearTimeout(timer));
  trace.addEventListener("pointerleave", () => pinned || later(() => hide(false), 250));
  document.body.append(trace);
  numbers.forEach(equip);
  for (const hint of document.querySelectorAll(".hint")) hint.hidden = !numbers.length;
  document.addEventListener("keydown", (event) => event.key === "Escape" && shown && hide(true));
  document.addEventListener("pointerdown", (event) => {
    if (shown && !trace.contains(event.target) && !shown.contains(event.target)) hide(false);
  });
  window.addEventListener("resize", () => shown && place(shown));
  window.addEventListener("hashchange", follow);
  if (matchMedia("(max-width: 67rem)").matches) {
    for (const details of document.querySelectorAll(".contents details")) details.open = false;
  }
  markCurrent();
  follow();
})();
