// The coverage report: colours by state, gaps, what is known of the selected element.

(() => {
  const controls = byId("controls");
  const field = (name) => controls.elements.namedItem(name);
  const STATES = data.states;
  const ACCEPTED = 0;
  const places = { item: elementsAt("item"), rule: elementsAt("rule") };
  const tracing = tracer(places, () => level());

  const level = () => (field("level").value === "alternatives" ? "rule" : "item");
  const state = (kind, element) => data[kind === "rule" ? "ruleStates" : "itemStates"][element];
  const hits = (kind, element) => data[kind === "rule" ? "ruleHits" : "itemHits"][element];

  /** The worst state at a place: what is covered in one reading may be missed in another. */
  const worst = (kind, place) =>
    Math.max(...(places[kind].get(place) ?? []).map((element) => state(kind, element)));

  function colour() {
    const kind = level();
    grammarText.paint(
      kind,
      (place) => {
        const name = STATES[worst(kind, place)];
        return name && field(name)?.checked ? name : "";
      },
      (place) => (places[kind].get(place) ?? []).map((element) =>
        `${elements.label(kind, element)}: ${STATES[state(kind, element)]}, ` +
        counted(hits(kind, element), "accepted test")).join("\n"),
      [],
    );
    tracing.show();
  }

  function showGaps() {
    const words = field("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    const all = [...byId("rows").children];
    for (const line of all) {
      const text = line.textContent.toLowerCase();
      line.hidden = !words.every((word) => text.includes(word));
      shown += line.hidden ? 0 : 1;
    }
    byId("count").textContent = !all.length ? "Everything is covered."
      : words.length ? `${shown} of ${counted(all.length, "gap")} match`
        : `${counted(all.length, "gap")}, those with the shortest tests first`;
  }

  function executing(kind, element, title, verdict) {
    const found = tests.numbers.filter((test) =>
      data.tests.verdicts[test] === verdict && spectra.executes(kind, element, test));
    const verb = found.length === 1 ? "uses" : "use";
    const details = make("details", {},
      make("summary", {}, `${counted(found.length, `${title} test`)} ${verb} it`));
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) {
        details.append(tests.list(found, tracing.button, 20));
      }
    });
    return details;
  }

  function describe(kind, element) {
    const name = STATES[state(kind, element)];
    return make("article", {},
      make("h3", { className: "mono" }, elements.label(kind, element)),
      make("p", { className: "rule" }, ...elements.text(kind, element)),
      make("p", {}, make("span", { className: `swatch ${name}` }, name), " ",
        make("span", { className: "quiet" }, elements.where(kind, element))),
      executing(kind, element, "accepted", ACCEPTED),
      executing(kind, element, "rejected", 1));
  }

  function select(kind, chosen, place, scroll) {
    byId("selected").replaceChildren(...chosen.map((element) => describe(kind, element)));
    grammarText.choose(kind, place, scroll);
  }

  controls.addEventListener("submit", (event) => event.preventDefault());
  controls.addEventListener("input", (event) => {
    if (event.target.name === "filter") showGaps();
    else colour();
  });
  byId("rows").addEventListener("click", (event) => {
    const button = event.target.closest(".element");
    if (!button) return;
    const rule = Number(button.dataset.rule);
    select("rule", [rule], elements.place("rule", rule), true);
  });
  moveWithArrows(byId("rows"), "li:not([hidden]) .element");
  grammarText.onSelect((item, rule) => {
    const kind = level();
    const place = kind === "rule" ? rule : item;
    select(kind, places[kind].get(place) ?? [], place, false);
  });
  byId("all").append(tests.list(tests.numbers, tracing.button));
  showGaps();
  colour();
})();
