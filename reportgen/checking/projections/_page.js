"use strict";
// Shows what was found beside the number that is pointed at, clicked or focused, and sorts the
// table of a class. It only moves copies of what the page holds; the page reads the same without it.
(() => {
  const sheet = document.createElement("div");
  const close = document.createElement("button");
  let shown = null;
  let pinned = false;
  let pointing = false;

  sheet.className = "sheet";
  sheet.id = "sheet";
  sheet.hidden = true;
  sheet.setAttribute("role", "region");
  sheet.setAttribute("aria-label", "What was found");
  sheet.setAttribute("aria-live", "polite");
  close.className = "close";
  close.type = "button";
  close.textContent = "\u00d7";
  close.setAttribute("aria-label", "Close");
  close.addEventListener("click", () => hide(true));
  document.body.append(sheet);

  function copyOf(mark) {
    const entry = document.getElementById(mark.getAttribute("href").slice(1));
    if (!entry) return null;
    const copy = entry.cloneNode(true);
    copy.removeAttribute("id");
    return copy;
  }

  function place(mark) {
    sheet.style.left = sheet.style.top = "";
    // On a narrow screen the style sheet puts it at the bottom.
    if (getComputedStyle(sheet).position === "fixed") return;
    const boxes = mark.getClientRects();
    const box = boxes[0] || mark.getBoundingClientRect();
    const last = boxes[boxes.length - 1] || box;
    const room = document.documentElement.clientWidth;
    const left = Math.max(12, Math.min(box.left - 16, room - sheet.offsetWidth - 12));
    const below = last.bottom + sheet.offsetHeight + 16 < window.innerHeight || box.top < sheet.offsetHeight + 64;
    const top = below ? last.bottom + 8 : box.top - sheet.offsetHeight - 8;
    sheet.style.left = `${left + window.scrollX}px`;
    sheet.style.top = `${top + window.scrollY}px`;
  }

  function show(mark, pin) {
    pinned = pin;
    if (mark === shown) return;
    hide(false);
    const copy = copyOf(mark);
    if (!copy) return;
    pinned = pin;
    shown = mark;
    sheet.replaceChildren(close, copy);
    sheet.hidden = false;
    mark.setAttribute("aria-expanded", "true");
    place(mark);
    sheet.scrollTop = 0;
  }

  function hide(back) {
    if (!shown) return;
    const mark = shown;
    shown = null;
    pinned = false;
    sheet.hidden = true;
    mark.setAttribute("aria-expanded", "false");
    if (back) {
      pointing = true;
      mark.focus();
      pointing = false;
    }
  }

  for (const mark of document.querySelectorAll("a.mark")) {
    mark.removeAttribute("title");
    mark.setAttribute("aria-expanded", "false");
    mark.setAttribute("aria-controls", "sheet");
  }
  // Pointing shows it after a moment, and it stays until something else is pointed at.
  let soon = 0;
  document.addEventListener("pointerover", (event) => {
    clearTimeout(soon);
    if (pinned || event.pointerType === "touch" || sheet.contains(event.target)) return;
    const mark = event.target.closest("a.mark");
    soon = setTimeout(() => {
      if (mark) show(mark, false);
      else if (shown !== document.activeElement) hide(false);
    }, mark ? 120 : 400);
  });
  document.addEventListener("pointerdown", () => { pointing = true; });
  document.addEventListener("pointerup", () => { pointing = false; });
  document.addEventListener("click", (event) => {
    pointing = false;
    if (sheet.contains(event.target)) return;
    const mark = event.target.closest("a.mark");
    if (!mark) {
      hide(false);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (mark === shown && pinned) hide(false);
    else show(mark, true);
  });
  document.addEventListener("focusin", (event) => {
    if (pointing || sheet.contains(event.target)) return;
    const mark = event.target.closest("a.mark");
    if (mark) show(mark, false);
    else if (!pinned) hide(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && shown) hide(true);
  });
  window.addEventListener("resize", () => { if (shown) place(shown); });

  // A link into a report that is folded away unfolds it.
  function unfold() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    target.scrollIntoView();
  }
  window.addEventListener("hashchange", unfold);
  unfold();

  function value(row, column) {
    const cell = row.cells[column];
    return cell.dataset.sort === undefined ? cell.textContent : Number(cell.dataset.sort);
  }

  function sort(table, column, head) {
    const up = head.getAttribute("aria-sort") === "descending";
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => {
      const [x, y] = [value(a, column), value(b, column)];
      const order = typeof x === "number" ? x - y : x.localeCompare(y);
      return up ? order : -order;
    });
    table.tBodies[0].append(...rows);
    for (const other of head.parentElement.cells) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
  }

  for (const table of document.querySelectorAll("table.class")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => sort(table, column, head));
    });
  }
})();
