  // --- numbers and where they come from --------------------------------------------------
  const COLUMNS = ["number", "value", "method", "formula", "runs", "ddof"];
  const METHOD = COLUMNS.indexOf("method") - 1;
  const panel = element("div", "trace");
  const pinned = element("aside", "pinned");
  const state = { shown: null, held: false, returning: false, timer: 0 };

  function entryOf(number) {
    return document.getElementById(decodeURIComponent(number.hash.slice(1)));
  }

  // The unrounded value of an entry, as programs write it; empty where it is missing.
  function exactOf(entry) {
    return pointed(entry?.cells[1].textContent.split(" ")[0] ?? "");
  }

  // The unrounded value of a number; null where it is missing.
  function valueOf(number) {
    const text = exactOf(entryOf(number));
    return text ? Number(text.replace("Infinity", "1e999")) : null;
  }

  // The id under which report.json and links know a number.
  function idOf(entry) {
    const link = entry.querySelector("th a");
    const own = entry.querySelector("th code");
    return own ? own.textContent : decodeURIComponent(link.hash.slice(1)).replace(/^n:/, "");
  }

  function anchorOf(id) {
    const unsafe = /[^A-Za-z0-9._-]/gu;
    return `n:${id.replace(unsafe, (c) => `-${c.codePointAt(0).toString(16)}-`)}`;
  }

  // What is known of a file, with its checksum, in place of its number.
  function describePoint(point) {
    const line = element("li");
    const said = point.cloneNode(true);
    const file = document.getElementById(said.querySelector("a").hash.slice(1));
    said.querySelector("a").remove();
    const what = element("p");
    what.append(...said.childNodes);
    if (what.textContent.trim()) line.append(what);
    line.append(element("p", "file", file.cells[1].textContent));
    const sum = file.cells[3].textContent;
    if (sum) line.append(element("p", "sum", `${words.sha256} ${sum}`));
    return line;
  }

  function describe(entry) {
    const list = element("dl");
    const add = (term, text) => {
      if (text) list.append(element("dt", "", term), element("dd", "", text));
    };
    COLUMNS.slice(1).forEach((name, i) => add(words[name], entry.cells[i + 1].textContent));
    add(words.id, idOf(entry));
    const parts = [list];
    const source = entry.cells[6].querySelector("a");
    if (source) {
      const points = document.getElementById(source.hash.slice(1)).querySelectorAll("dd");
      const known = element("ol");
      known.append(...[...points].map(describePoint));
      parts.push(known);
    }
    return parts;
  }

  function actions(number, entry) {
    const bar = element("div", "actions");
    const link = `${location.href.split("#")[0]}#number=${encodeURIComponent(idOf(entry))}`;
    const value = exactOf(entry);
    if (value) bar.append(button(words.copy_value, () => copy(value)));
    bar.append(
      button(words.copy_id, () => copy(idOf(entry))),
      button(words.copy_link, () => copy(link)),
      button(words.pin, () => pin(number), "pin"),
    );
    return bar;
  }

  function head(number, close) {
    const bar = element("div", "head");
    const title = element("h2", "printed", number.textContent);
    title.setAttribute("aria-label", spell("panel", { number: number.textContent }));
    const shut = button("\u00d7", close, "close");
    shut.setAttribute("aria-label", words.close);
    bar.append(title, shut);
    return bar;
  }

  function place(number) {
    panel.style.left = panel.style.top = "";
    // On a narrow screen the style sheet puts it at the bottom.
    if (getComputedStyle(panel).position === "fixed") return;
    const box = number.getBoundingClientRect();
    const room = document.documentElement.clientWidth;
    const left = Math.max(12, Math.min(box.left - 16, room - panel.offsetWidth - 12));
    const high = panel.offsetHeight + 16;
    const below = box.bottom + high < window.innerHeight || box.top < high;
    const top = below ? box.bottom + 8 : box.top - panel.offsetHeight - 8;
    panel.style.left = `${left + window.scrollX}px`;
    panel.style.top = `${top + window.scrollY}px`;
  }

  function show(number, hold) {
    clearTimeout(state.timer);
    state.held = hold || (state.held && number === state.shown);
    if (number !== state.shown) {
      const held = state.held;
      hide(false);
      Object.assign(state, { shown: number, held });
      const entry = entryOf(number);
      panel.replaceChildren(head(number, () => hide(true)), ...describe(entry), actions(number, entry));
      panel.setAttribute("aria-label", spell("panel", { number: number.textContent }));
      panel.hidden = false;
      panel.scrollTop = 0;
      place(number);
      number.setAttribute("aria-expanded", "true");
      number.setAttribute("aria-controls", panel.id);
    }
    if (hold) panel.focus({ preventScroll: true });
    else say(panel.innerText.replace(/\s*\n\s*/g, "; ").slice(0, 400));
  }

  function hide(focus) {
    clearTimeout(state.timer);
    const number = state.shown;
    Object.assign(state, { shown: null, held: false });
    if (!number) return;
    panel.hidden = true;
    number.setAttribute("aria-expanded", "false");
    number.removeAttribute("aria-controls");
    // Going back to the number must not open what was just closed.
    state.returning = true;
    if (focus) number.focus({ preventScroll: true });
    state.returning = false;
  }

  // Keeps the evidence of a number in view, beside that of others.
  function pin(number) {
    const card = element("section", "card");
    card.dataset.number = number.id;
    card.setAttribute("aria-label", spell("panel", { number: number.textContent }));
    const drop = () => {
      card.remove();
      pinned.hidden = !pinned.childElementCount;
      number.focus();
    };
    const bar = actions(number, entryOf(number));
    bar.querySelector(".pin").remove();
    card.append(head(number, drop), ...describe(entryOf(number)), bar);
    card.addEventListener("keydown", (event) => event.key === "Escape" && drop());
    hide(false);
    pinned.hidden = false;
    pinned.prepend(card);
    card.querySelector(".close").focus();
  }

  // In a table the arrow keys go from number to number; Tab leaves it after the first.
  function step(number, sign) {
    const table = number.closest("table");
    const peers = [...table.querySelectorAll("a.num")];
    const next = peers[peers.indexOf(number) + sign];
    if (!next) return;
    number.tabIndex = -1;
    next.tabIndex = 0;
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
    if (number === state.shown && state.held) hide(true);
    else show(number, true);
  }

  function unlessHeld(delay) {
    if (!state.held) later(state, () => hide(false), delay);
  }

  function equip(number, first) {
    number.removeAttribute("title");
    number.tabIndex = first ? 0 : -1;
    number.setAttribute("role", "button");
    number.setAttribute("aria-haspopup", "dialog");
    number.setAttribute("aria-expanded", "false");
    number.addEventListener("click", (event) => {
      event.preventDefault();
      toggle(number);
    });
    number.addEventListener("keydown", press);
    number.addEventListener("focus", () => {
      if (!state.returning && number.matches(":focus-visible")) show(number, false);
    });
    number.addEventListener("blur", () => unlessHeld(150));
    number.addEventListener("pointerenter", (event) => {
      if (event.pointerType === "mouse" && !state.held) later(state, () => show(number, false), 180);
    });
    number.addEventListener("pointerleave", () => unlessHeld(250));
  }

  // Opens the number that the address names: #number=ID, or the place of the number itself.
  function followLink() {
    const named = decodeURIComponent(location.hash.slice(1));
    const id = named.startsWith("number=") ? anchorOf(named.slice(7)) : named;
    const number = document.getElementById(id);
    if (!number?.classList.contains("num")) return;
    number.scrollIntoView({ block: "center" });
    show(number, true);
  }

  function numbersTable() {
    const rows = [...document.querySelectorAll("#rg\\:numbers tbody tr")];
    const line = (row) => [idOf(row), row.querySelector("th a").textContent,
      ...COLUMNS.slice(1).map((name, i) => row.cells[i + 1].textContent)
        .map((text, i) => (i === METHOD ? text : pointed(text)))];
    const names = ["id", "printed", "value", "method", "formula", "n", "ddof"];
    return [names, ...rows.map(line)].map(csvLine).join("");
  }

  function startNumbers() {
    Object.assign(panel, { id: "rg:trace", hidden: true, tabIndex: -1 });
    panel.setAttribute("role", "dialog");
    panel.addEventListener("pointerenter", () => clearTimeout(state.timer));
    panel.addEventListener("pointerleave", () => unlessHeld(250));
    panel.addEventListener("focusout", (event) => {
      if (state.held && event.relatedTarget && !panel.contains(event.relatedTarget)) hide(false);
    });
    pinned.hidden = true;
    pinned.setAttribute("aria-label", words.pinned);
    document.body.append(panel, pinned);
    const tables = new Set();
    for (const number of document.querySelectorAll("main a.num")) {
      const table = number.closest("table");
      equip(number, !table || !tables.has(table));
      tables.add(table);
    }
    const list = button(words.numbers_csv, () => save("numbers.csv", numbersTable()), "link");
    document.querySelector(".downloads")?.append(" \u00b7 ", list);
    for (const details of document.querySelectorAll(".evidence details")) details.open = false;
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && state.shown) hide(true);
    });
    document.addEventListener("pointerdown", (event) => {
      if (state.shown && !panel.contains(event.target) && !state.shown.contains(event.target)) hide(false);
    });
    window.addEventListener("resize", () => state.shown && place(state.shown));
    window.addEventListener("hashchange", followLink);
  }
