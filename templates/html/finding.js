  // --- finding numbers, and the way back -----------------------------------------------------
  const back = button("", () => {}, "back");

  function plainText(text) {
    const digits = text.replaceAll("\u2212", "-").replaceAll(words.group_mark, "");
    return digits.replace(/[\s%]/g, "").replaceAll(words.decimal_mark, ".");
  }

  const TEXTS = "main p, main li, main td, main th, main dt, main dd, main figcaption, main summary, main h1, main h2, main h3, main h4";

  // The places of some words: the innermost elements whose text holds them.
  function findWords(query) {
    const wanted = query.trim().toLowerCase();
    if (!wanted) return [];
    const all = [...document.querySelectorAll(TEXTS)].filter((place) => place.textContent.toLowerCase().includes(wanted));
    return all.filter((place) => !all.some((other) => other !== place && place.contains(other)));
  }

  // The places of a number: those that print it, else those whose printed number begins so. What
  // is no number, or one that is printed nowhere, is looked for as words.
  function findPlaces(query) {
    const numbers = /[a-z]{2}/i.test(query) ? [] : findNumbers(query);
    return numbers.length ? numbers : findWords(query);
  }

  function findNumbers(query) {
    const wanted = plainText(query);
    if (!wanted) return [];
    const all = [...document.querySelectorAll("main a.num, main mn")];
    const printed = all.map((number) => plainText(number.textContent).replace(/^\+/, ""));
    const bare = wanted.replace(/^\+/, "");
    const same = all.filter((_, i) => printed[i] === bare);
    return same.length ? same : all.filter((_, i) => printed[i].startsWith(bare));
  }

  // A number to look for: the first result that the abstract or else the page prints.
  function example() {
    const printed = ["main .abstract a.num", "main a.num"].flatMap((place) => [...document.querySelectorAll(place)]);
    const texts = printed.map((number) => number.textContent.trim()).filter((text) => /\d/.test(text));
    return texts.find((text) => text.includes(words.decimal_mark)) ?? texts[0] ?? "";
  }

  function findBox() {
    const box = element("form", "find");
    box.setAttribute("role", "search");
    const label = element("label", "", words.find);
    const field = element("input");
    Object.assign(field, { type: "search", id: "rg:find", placeholder: example(), autocomplete: "off" });
    label.htmlFor = field.id;
    const told = element("span", "told");
    const search = { places: [], at: -1, query: "" };

    const go = (sign) => {
      if (search.query !== field.value) {
        Object.assign(search, { query: field.value, places: findPlaces(field.value), at: sign > 0 ? -1 : 0 });
      }
      document.querySelector(".found")?.classList.remove("found");
      const count = search.places.length;
      if (!count) {
        told.textContent = field.value.trim() ? words.found_none : "";
      } else {
        search.at = (search.at + sign + count) % count;
        const place = search.places[search.at];
        for (let e = place.closest("details"); e; e = e.parentElement.closest("details")) e.open = true;
        place.classList.add("found");
        place.scrollIntoView({ block: "center" });
        told.textContent = spell("found_at", { place: search.at + 1, count });
      }
      say(told.textContent);
    };
    const previous = button("\u2191", () => go(-1));
    const next = button("\u2193", () => go(1));
    previous.setAttribute("aria-label", words.previous);
    next.setAttribute("aria-label", words.next);
    box.addEventListener("submit", (event) => {
      event.preventDefault();
      go(1);
    });
    const row = element("span", "row");
    row.append(field, previous, next);
    box.append(label, row, told);
    return box;
  }

  // After a jump inside the page a button leads back to the link that was followed.
  function offerWayBack(event) {
    const link = event.target.closest?.('a[href^="#"]');
    if (!link || link.matches(".num, .skip, .secno, .label, .eqno, .return") || link.closest(".contents")) return;
    back.hidden = false;
    back.onclick = () => {
      back.hidden = true;
      for (let e = link.closest("details"); e; e = e.parentElement.closest("details")) e.open = true;
      link.scrollIntoView({ block: "center" });
      link.focus({ preventScroll: true });
    };
  }

  function openTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const closed = target?.closest("details:not([open])");
    if (!closed) return;
    closed.open = true;
    target.scrollIntoView();
  }

  // Light, dark, or as the system has it; kept while the page is open.
  function themeSwitch() {
    const root = document.documentElement;
    const dark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    const made = button(words.theme, () => { root.dataset.theme = dark() ? "light" : "dark"; }, "link");
    document.getElementById("rg:tools")?.append(made);
  }

  // Paper shows what is folded.
  function unfoldForPaper() {
    const opened = [];
    window.addEventListener("beforeprint", () => {
      opened.push(...document.querySelectorAll("details.folded:not([open])"));
      for (const details of opened) details.open = true;
    });
    window.addEventListener("afterprint", () => {
      for (const details of opened.splice(0)) details.open = false;
    });
  }

  function startFinding() {
    themeSwitch();
    unfoldForPaper();
    document.querySelector(".contents")?.prepend(findBox());
    back.textContent = `\u2190 ${words.back}`;
    back.hidden = true;
    document.querySelector("main").append(back);
    document.addEventListener("click", offerWayBack);
    window.addEventListener("hashchange", openTarget);
    openTarget();
  }

  function startContents() {
    if (matchMedia("(max-width: 67rem)").matches) {
      // Where there is one column, the title comes first.
      document.querySelector("main > header")?.after(document.querySelector("nav.contents"));
      for (const details of document.querySelectorAll(".contents details")) details.open = false;
    }
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
