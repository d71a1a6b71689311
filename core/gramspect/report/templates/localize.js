// The localization report: filters, ranking, colours, what is known of the selected element.

(() => {
  const controls = byId("controls");
  const field = (name) => controls.elements.namedItem(name);
  const STEPS = 8;
  const FIRST = 50;
  const CLASSES = Array.from({ length: STEPS }, (_, step) => `h${step + 1}`);
  let method = { ...data.method };
  let ranking = [];
  let shown = [];
  let entryOf = new Map();
  const places = { item: elementsAt("item"), rule: elementsAt("rule") };
  const tracing = tracer(places, () => method.spectrum);
  let selected = [];
  let visibleRows = FIRST;

  const level = () => (method.spectrum === "rule" || field("level").value === "rules" ? "rule" : "item");
  const number = (value) => String(Number(value.toFixed(1)));
  const score = (value) => (value < 1e4 ? value.toFixed(3) : value.toExponential(3));

  // --- the ranking ---------------------------------------------------------------------------

  function row(entry) {
    const kind = method.spectrum;
    const { ef, ep, nf, np } = scoring.counts(kind, entry.element);
    const cell = (text) => make("td", { className: "number" }, String(text));
    const button = make(
      "button", { type: "button", className: "element" }, elements.label(kind, entry.element),
    );
    button.dataset.element = entry.element;
    const line = make(
      "tr", {}, cell(number(entry.rank) + (entry.ties > 1 ? "=" : "")), cell(score(entry.score)),
      make("td", {}, button, " ",
        make("span", { className: "quiet" }, elements.where(kind, entry.element).replace(/^.*[\/\\]/, "")),
        make("div", { className: "rule" }, ...elements.text(kind, entry.element))),
      cell(ef), cell(ep), cell(nf), cell(np),
    );
    line.dataset.score = entry.score;
    line.dataset.ties = entry.ties;
    line.classList.toggle("chosen", selected.includes(entry.element));
    return line;
  }

  function matches(entry, words) {
    if (!words.length) return true;
    const kind = method.spectrum;
    const rule = elements.ruleOf(kind, entry.element);
    const text = [
      elements.label(kind, entry.element), data.elements.rules[rule],
      data.elements.nonterminals[data.elements.owners[rule]], elements.where(kind, entry.element),
    ].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  }

  function showRanking() {
    const words = field("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    shown = ranking.filter((entry) => matches(entry, words));
    byId("rows").replaceChildren(...shown.slice(0, visibleRows).map(row));
    const more = byId("more");
    more.hidden = shown.length <= visibleRows;
    more.textContent = `Show all ${shown.length.toLocaleString("en")}`;
    const what = counted(ranking.length, method.grouped ? "non-terminal" : "element");
    const status = words.length ? `${shown.length.toLocaleString("en")} of ${what} match` : what;
    byId("count").textContent = ranking.length
      ? `${status} with a score above 0; extraction ${data.method.extraction}`
      : "No test fails, so there is nothing to rank.";
  }

  // --- colours -------------------------------------------------------------------------------

  /** The best entry at each place of a level. */
  function bestAt(sort) {
    const best = new Map();
    for (const entry of method.grouped ? ungrouped() : ranking) {
      const kind = sort === "rule" ? "rule" : method.spectrum;
      const element = sort === "rule"
        ? elements.ruleOf(method.spectrum, entry.element) : entry.element;
      const place = elements.place(kind, element);
      if (!best.has(place)) best.set(place, entry);
    }
    return best;
  }

  /** The ranking of all elements, where the table shows one of each non-terminal. */
  const ungrouped = () => scoring.ranking({ ...method, grouped: false });

  function colour() {
    const sort = level();
    const best = bestAt(sort);
    const most = ranking.length ? ranking[0].score : 1;
    const step = (entry) => Math.max(1, Math.ceil((STEPS * entry.score) / most));
    grammarText.paint(
      sort,
      (place) => (best.has(place) ? `h${step(best.get(place))}` : ""),
      (place) => {
        const entry = best.get(place);
        if (!entry) {
          const there = (places[sort].get(place) ?? []).map((other) => elements.label(sort, other));
          return `${there.join(", ")}: score 0`;
        }
        const label = elements.label(method.spectrum, entry.element);
        return `${label}: rank ${number(entry.rank)}, score ${score(entry.score)}`;
      },
      CLASSES,
    );
    tracing.show();
  }

  // --- what is known of an element -----------------------------------------------------------

  function editsOf(kind, element) {
    const items = kind === "rule"
      ? Array.from(
        { length: data.elements.itemStart[element + 1] - data.elements.itemStart[element] },
        (_, dot) => data.elements.itemStart[element] + dot)
      : [element];
    const found = items.flatMap((item) => data.edits[item] ?? []);
    return found.sort((a, b) => a.order - b.order);
  }

  /** A diff, its lines with a style each; the names of files before the first "@" have none. */
  function diff(text) {
    const style = { "+": "good", "-": "bad", "@": "quiet" };
    const lines = text.replace(/\n$/, "").split("\n");
    const begin = lines.findIndex((line) => line[0] === "@");
    return make("pre", { className: "diff" }, ...lines.map((line, number) =>
      make("span", { className: number < begin ? "" : style[line[0]] ?? "" }, `${line}\n`)));
  }

  function edit(one) {
    const box = make("div", { className: `edit is-${one.status}` },
      make("p", {}, make("b", {}, one.text)),
      make("p", { className: "quiet" }, one.summary));
    if (one.diff) box.append(diff(one.diff));
    if (one.tests.length) {
      box.append(make("details", {},
        make("summary", { className: "quiet" }, `${counted(one.tests.length, "test")} it mends`),
        make("ul", { className: "plain" },
          ...one.tests.map((name) => make("li", { className: "mono" }, name)))));
    }
    return box;
  }

  function executing(kind, element, title, holds, open) {
    const found = tests.numbers.filter(
      (test) => holds(test) && spectra.executes(kind, element, test));
    const details = make("details", { open: open && found.length > 0 },
      make("summary", {}, `${counted(found.length, `${title} test`)} ${found.length === 1 ? "executes" : "execute"} it`));
    const fill = () => {
      if (details.open && details.children.length === 1) details.append(tests.list(found, tracing.button, 20));
    };
    details.addEventListener("toggle", fill);
    fill();
    return details;
  }

  function describe(element) {
    const kind = method.spectrum;
    const entry = entryOf.get(element);
    const { ef, ep, nf, np } = scoring.counts(kind, element);
    const standing = entry
      ? `rank ${number(entry.rank)}${entry.ties > 1 ? ` (tie of ${entry.ties})` : ""}, score ${score(entry.score)}`
      : "score 0, not ranked";
    const edits = editsOf(kind, element);
    return make("article", {},
      make("h3", { className: "mono" }, elements.label(kind, element)),
      make("p", { className: "rule" }, ...elements.text(kind, element)),
      make("p", {}, standing),
      make("p", { className: "quiet" },
        `ef ${ef}, ep ${ep}, nf ${nf}, np ${np} · ${elements.where(kind, element)}`),
      ...(edits.length ? [make("p", { className: "good" }, "What could be changed here:")] : []),
      ...edits.map(edit),
      executing(kind, element, "failing", tests.fails, true),
      executing(kind, element, "passing", tests.passes, false));
  }

  function select(chosen, place, scroll) {
    selected = chosen;
    const order = (element) => entryOf.get(element)?.rank ?? Infinity;
    const sorted = [...chosen].sort((a, b) => order(a) - order(b) || a - b);
    byId("selected").replaceChildren(...sorted.map(describe));
    for (const button of byId("rows").querySelectorAll(".element")) {
      button.closest("tr").classList.toggle("chosen", chosen.includes(Number(button.dataset.element)));
    }
    grammarText.choose(method.spectrum === "rule" ? "rule" : "item", place, scroll);
  }

  // --- failing tests -------------------------------------------------------------------------

  // --- together ------------------------------------------------------------------------------

  function update() {
    const before = method.spectrum;
    method = {
      ...data.method,
      ...Object.fromEntries(
        ["spectrum", "evidence", "metric", "ties"].map((name) => [name, field(name).value])),
      grouped: field("grouped").checked,
    };
    ranking = scoring.ranking(method);
    entryOf = new Map(ranking.map((entry) => [entry.element, entry]));
    if (before !== method.spectrum && (before === "rule" || method.spectrum === "rule")) {
      selected = [];
      byId("selected").replaceChildren(make("p", { className: "quiet" }, "Nothing is selected yet."));
      grammarText.choose("item", -2, false);
    }
    field("level").disabled = method.spectrum === "rule";
    visibleRows = FIRST;
    showRanking();
    colour();
    if (selected.length) {
      select(selected, elements.place(method.spectrum, selected[0]), false);
    }
  }

  for (const name of ["spectrum", "evidence", "metric", "ties"]) field(name).value = method[name];
  field("grouped").checked = method.grouped;
  field("level").value = "positions";
  controls.addEventListener("submit", (event) => event.preventDefault());
  controls.addEventListener("input", (event) => {
    if (event.target.name === "filter") {
      visibleRows = FIRST;
      showRanking();
    } else if (event.target.name === "level") {
      colour();
    } else {
      update();
    }
  });
  byId("more").addEventListener("click", () => {
    visibleRows = Infinity;
    showRanking();
  });
  byId("rows").addEventListener("click", (event) => {
    const button = event.target.closest(".element");
    if (!button) return;
    const element = Number(button.dataset.element);
    select([element], elements.place(method.spectrum, element), true);
  });
  moveWithArrows(byId("rows"), ".element");
  grammarText.onSelect((item, rule) => {
    const sort = method.spectrum === "rule" ? "rule" : "item";
    const place = sort === "rule" ? rule : item;
    select(places[sort].get(place) ?? [], place, false);
  });

  const failing = tests.numbers.filter(tests.fails);
  const undecided = tests.numbers.filter((test) => data.tests.verdicts[test] === UNDECIDED);
  byId("failing").append(
    failing.length ? tests.list(failing, tracing.button) : make("p", { className: "good" }, "None."));
  if (undecided.length) {
    byId("failing").append(make("h3", {}, "Undecided tests, not counted"), tests.list(undecided));
  }
  const first = byId("failing").querySelector("details");
  if (first) first.open = true;
  update();
  if (ranking.length) {
    select([ranking[0].element], elements.place(method.spectrum, ranking[0].element), true);
  }
})();
