  // --- tables that can be sorted -----------------------------------------------------------
  // Rows stay in their place in the report's outline: sums and means where they stand, what is
  // indented below its head, and the runs of a group below its name.

  function depthOf(row) {
    return Number(row.cells[0]?.querySelector(".deep")?.dataset.depth ?? 0);
  }

  // The rows as a tree: each with those indented below it, and its place in the report.
  function outline(rows) {
    const root = { row: null, depth: -1, inner: [] };
    const open = [root];
    rows.forEach((row, place) => {
      const node = { row, place, depth: depthOf(row), inner: [] };
      while (open.at(-1).depth >= node.depth) open.pop();
      open.at(-1).inner.push(node);
      open.push(node);
    });
    return root;
  }

  // Rows may change places only between rows that stay: sums, means, heads of a group.
  function isFixed(node) {
    const cells = [...node.row.cells];
    const alone = cells.length > 2 && cells.slice(1).every((cell) => !cell.textContent.trim());
    return /\b(total|summary)\b/.test(node.row.className) || (alone && !node.inner.length);
  }

  // What a cell is sorted by: the unrounded value where it holds a number, else what it says.
  function keyOf(cell, exact) {
    const text = cell.textContent.trim();
    if (!text || text === "\u2014") return null;
    const number = cell.querySelector("a.num:not(.missing)");
    return exact ? valueOf(number) : readNumber(text);
  }

  function keysOf(rows, column) {
    const cells = rows.map((row) => row.cells[column]);
    const isFull = (cell) => !/^\u2014?$/.test(cell.textContent.trim());
    const exact = cells.every((cell) => !isFull(cell) || cell.querySelector("a.num:not(.missing)"));
    const keys = cells.map((cell) => keyOf(cell, exact));
    const numeric = cells.every((cell, i) => !isFull(cell) || keys[i] !== null);
    const texts = cells.map((cell) => cell.textContent.trim() || null);
    return new Map(rows.map((row, i) => [row, numeric ? keys[i] : texts[i]]));
  }

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), document.documentElement.lang, { numeric: true });
  }

  // What is missing comes last in both directions; equal rows keep the order of the report.
  function inOrder(nodes, keys, sign) {
    return [...nodes].sort((a, b) => {
      const [first, second] = [keys.get(a.row), keys.get(b.row)];
      if (first === null || second === null) return (first === null) - (second === null) || a.place - b.place;
      return sign * compare(first, second) || a.place - b.place;
    });
  }

  // A group is named once, by the first of its rows; the name stays on top.
  function familiesOf(nodes) {
    const families = [];
    for (const node of nodes) {
      const named = Boolean(node.row.cells[0]?.textContent.trim());
      if (named || !families.length) families.push([]);
      families.at(-1).push(node);
    }
    return families.some((family) => family.length > 1) ? families : [nodes];
  }

  function sortNodes(nodes, keys, sign) {
    const sorted = [];
    let free = [];
    const settle = () => {
      for (const family of familiesOf(free)) sorted.push(...inOrder(family, keys, sign));
      free = [];
    };
    for (const node of nodes) {
      if (isFixed(node)) settle();
      if (isFixed(node)) sorted.push(node);
      else free.push(node);
    }
    settle();
    return sorted.flatMap((node) => [node.row, ...sortNodes(node.inner, keys, sign)]);
  }

  // Puts the name of each group back into the first of its rows.
  function moveNames(rows, names) {
    const places = new Map(rows.map((row, place) => [row, place]));
    names.forEach((members) => {
      const first = members.rows.reduce((a, b) => (places.get(a) < places.get(b) ? a : b));
      if (first.cells[0] === members.cell) return;
      const other = members.cell.parentNode;
      const empty = first.cells[0];
      other.replaceChild(element("td"), members.cell);
      const hole = other.cells[0];
      first.replaceChild(members.cell, empty);
      other.replaceChild(empty, hole);
    });
  }

  function namesOf(rows) {
    const names = [];
    let open = null;
    for (const row of rows) {
      const cell = row.cells[0];
      if (/\b(total|summary)\b/.test(row.className)) open = null;
      else if (cell.textContent.trim()) names.push((open = { cell, rows: [row] }));
      else open?.rows.push(row);
    }
    return names.filter((name) => name.rows.length > 1);
  }

  function sortTable(table, head, column) {
    const turns = { none: "ascending", ascending: "descending", descending: "none" };
    const order = turns[head.getAttribute("aria-sort") ?? "none"];
    for (const other of table.heads) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", order);
    const rows = table.rows;
    if (order === "none") table.body.append(...rows);
    else {
      const keys = keysOf(rows, column);
      const tree = outline(rows);
      const families = order === "ascending" ? 1 : -1;
      table.body.append(...sortNodes(tree.inner, keys, families));
    }
    moveNames([...table.body.rows], table.names);
    const said = { ascending: "sort_up", descending: "sort_down", none: "sort_none" }[order];
    say(spell("sort_said", { table: table.name, column: head.textContent.trim(), order: words[said] }));
  }

  // The heads that name one column each, with the position of that column.
  function columnsOf(thead) {
    const found = [];
    const taken = [];
    [...thead.rows].forEach((row, line) => {
      let column = 0;
      for (const head of row.cells) {
        while (taken[line]?.[column]) column += 1;
        for (let l = 0; l < head.rowSpan; l += 1) {
          for (let c = 0; c < head.colSpan; c += 1) (taken[line + l] ??= [])[column + c] = true;
        }
        if (head.colSpan === 1 && line + head.rowSpan === thead.rows.length) found.push([head, column]);
      }
    });
    return found;
  }

  function startTables() {
    for (const figure of document.querySelectorAll("main figure.table")) {
      const body = figure.querySelector("tbody");
      const heads = columnsOf(figure.querySelector("thead"));
      if (!body || body.rows.length < 2) continue;
      const rows = [...body.rows];
      const name = figure.querySelector(".label").textContent;
      const table = { body, rows, name, names: namesOf(rows), heads: heads.map(([head]) => head) };
      for (const [head, column] of heads) {
        if (!head.textContent.trim()) continue;
        const sort = button("", () => sortTable(table, head, column), "sort");
        // A number in a head keeps its own place: buttons hold no links.
        if (head.querySelector("a")) {
          sort.setAttribute("aria-label", head.textContent.trim());
          head.append(sort);
        } else {
          sort.append(...head.childNodes);
          head.append(sort);
        }
        head.setAttribute("aria-sort", "none");
      }
    }
  }
