  // --- what all parts share ------------------------------------------------------------
  const words = readIsland("rg:words");
  const status = element("div", "said");
  status.setAttribute("role", "status");
  document.querySelector("main").append(status);

  function readIsland(id) {
    return JSON.parse(document.getElementById(id).textContent);
  }

  // Words of the page with their places filled in.
  function spell(key, places = {}) {
    return words[key].replace(/\{(\w+)\}/g, (place, name) => String(places[name] ?? place));
  }

  function element(name, className = "", text = "") {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  }

  function button(text, action, className = "") {
    const made = element("button", className, text);
    made.type = "button";
    made.addEventListener("click", action);
    return made;
  }

  // Says a text to those who listen.
  function say(text) {
    status.textContent = text;
  }

  function later(holder, action, delay) {
    clearTimeout(holder.timer);
    holder.timer = setTimeout(action, delay);
  }

  // Copies a text. The old way works for pages that were opened from a folder as well, where
  // the clipboard of the browser may be closed to them.
  async function copy(text) {
    const before = document.activeElement;
    const field = element("textarea", "said");
    field.value = text;
    (before?.closest(".trace, .card") ?? document.body).append(field);
    field.select();
    let done = document.execCommand("copy");
    before?.focus({ preventScroll: true });
    field.remove();
    if (!done) done = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    say(spell(done ? "copied" : "not_copied", { text }));
  }

  function save(name, text) {
    const link = element("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // One line of a table for spreadsheets, in which no cell may begin a formula.
  function csvLine(cells) {
    const quoted = cells.map((cell) => {
      const text = String(cell ?? "");
      const risky = /^[=+\-@\t\r]/.test(text) && !Number.isFinite(Number(text));
      const safe = risky ? `'${text}` : text;
      return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    });
    return `${quoted.join(",")}\n`;
  }

  // A value as the page prints it: a typographic minus, the decimal mark of its language.
  function spellValue(value) {
    return minus(value).replace(".", words.decimal_mark);
  }

  function minus(text) {
    return String(text).replaceAll("-", "\u2212");
  }

  // A text of the page with the decimal points of programs.
  function pointed(text) {
    return text.replace(new RegExp(`(\\d)[${words.decimal_mark}](?=\\d)`, "g"), "$1.");
  }

  // A printed number as a number: its sign, its grouping and its unit undone; else null.
  function readNumber(text) {
    const plain = text.replaceAll("\u2212", "-").replace(/[\s\u00a0\u202f\u2009]+/g, " ").trim();
    const groups = new RegExp(`(\\d)[${words.group_mark.trim()} ](?=\\d{3}(?!\\d))`, "g");
    const joined = pointed(plain.replace(groups, "$1"));
    const found = /^[<>\u2248\u00b1]?\s*([+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?:\u00d710([\u207b\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+))?/i.exec(joined);
    if (!found) return null;
    const digits = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
    const power = [...(found[2] || "")].map((c) => (c === "\u207b" ? "-" : digits.indexOf(c))).join("");
    return Number(found[1]) * 10 ** Number(power || 0);
  }
