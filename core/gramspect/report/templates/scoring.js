// Scores and ranks, computed as gramspect.metrics, .evidence, .edits and .ranking do.

const scoring = (() => {
  const ratio = (above, below) => (below === 0 ? 0 : above / below);

  const METRICS = {
    tarantula(ef, ep, nf, np) {
      const failed = ef * Math.max(ep + np, 1);
      return ratio(failed, failed + ep * (ef + nf));
    },
    ochiai: (ef, ep, nf) => Math.sqrt(ratio(ef * ef, (ef + nf) * (ef + ep))),
    jaccard: (ef, ep, nf) => ratio(ef, ef + nf + ep),
    dstar(ef, ep, nf) {
      const largest = (ef + nf) ** 2;
      if (ef > 0 && nf + ep === 0) return largest + Math.max(1, largest * 1e-9);
      return ratio(ef ** 2, nf + ep);
    },
  };

  /** The largest value; 0 if there is none above. */
  const greatest = (values) => values.reduce((best, value) => Math.max(best, value), 0);

  /** The values of items as those of elements: a rule has that of its best item. */
  function ofElements(kind, ofItems) {
    if (kind !== "rule") return ofItems;
    const best = new Float64Array(elements.count("rule"));
    ofItems.forEach((value, item) => {
      const rule = elements.ruleOf("item", item);
      best[rule] = Math.max(best[rule], value);
    });
    return best;
  }

  /** A list of [item, value] pairs as one value for each item; null stays null. */
  function spread(pairs) {
    if (pairs === null) return null;
    const values = new Float64Array(elements.count("item"));
    for (const [item, value] of pairs) values[item] = value;
    return values;
  }

  const depths = spread(data.depths);
  const weights = spread(data.editWeights);
  const failing = spectra.countRows(spectra.mask(tests.fails));
  const passing = spectra.countRows(spectra.mask(tests.passes));
  const nFailing = tests.numbers.filter(tests.fails).length;
  const nPassing = tests.numbers.filter(tests.passes).length;

  /** ef, ep, nf and np of an element. */
  function counts(kind, element) {
    const row = data.spectra[kind][element];
    const [ef, ep] = [failing[row], passing[row]];
    return { ef, ep, nf: nFailing - ef, np: nPassing - ep };
  }

  function ofSpectrum(kind, metric) {
    const given = data.givenScores[metric];
    if (given) {
      const values = new Float64Array(elements.count(kind));
      values.set(given[kind]);
      return values;
    }
    return Float64Array.from({ length: elements.count(kind) }, (_, element) => {
      if (elements.isToken(kind, element)) return 0;
      const { ef, ep, nf, np } = counts(kind, element);
      return METRICS[metric](ef, ep, nf, np);
    });
  }

  /** The depth score added to that of the spectrum. */
  function both(kind, spectrum) {
    if (depths === null) return spectrum;
    const depth = ofElements(kind, depths);
    const ofDepth = data.constants.depthFloor * greatest(spectrum);
    return spectrum.map(
      (score, n) => data.constants.spectrumFloor * score + (score + ofDepth) * depth[n],
    );
  }

  /** The weights of edits applied to other scores. */
  function edits(kind, other) {
    if (weights === null || !greatest(weights)) return other;
    const weight = ofElements(kind, weights);
    const owner = (element) => data.elements.owners[elements.ruleOf(kind, element)];
    const best = new Float64Array(data.elements.nonterminals.length);
    other.forEach((score, n) => {
      best[owner(n)] = Math.max(best[owner(n)], score);
    });
    const most = greatest(best) || 1;
    const { ownPart, otherFloor, editFloor } = data.constants;
    return other.map((score, n) => {
      if (!(score > 0 || weight[n] > 0)) return 0;
      const mixed = (1 - ownPart) * best[owner(n)] + ownPart * score;
      return (mixed / most + otherFloor) * (weight[n] + editFloor);
    });
  }

  /** Whether these are the report's own settings: groups and what the tool said are of them. */
  function isOwn(kind, metric, evidence) {
    const { spectrum, metric: own, evidence: used } = data.method;
    return kind === spectrum && metric === own && evidence === used;
  }

  /** The suspiciousness of every element. */
  function scores({ spectrum: kind, metric, evidence }) {
    const values = computed(kind, metric, evidence);
    return isOwn(kind, metric, evidence) ? settled(kind, values) : values;
  }

  /** The scores with those of definitions lowered of which the tool denies the repairs. */
  function settled(kind, values) {
    const factors = new Map(data.settled);
    const owner = (element) => data.elements.owners[elements.ruleOf(kind, element)];
    return values.map((score, n) => score * (factors.get(owner(n)) ?? 1));
  }

  function computed(kind, metric, evidence) {
    if (data.byGroups !== null && isOwn(kind, metric, evidence)) {
      const values = new Float64Array(elements.count(kind));
      for (const [element, value] of data.byGroups) values[element] = value;
      return withTokens(kind, values);
    }
    if (evidence === "error" && depths !== null) return ofElements(kind, depths);
    const spectrum = ofSpectrum(kind, metric);
    if (evidence === "spectrum") return spectrum;
    const together = both(kind, spectrum);
    return evidence === "edits" ? withTokens(kind, edits(kind, together)) : together;
  }

  /** Token rules are scored by their odds against the best of the other elements. */
  function withTokens(kind, others) {
    const best = greatest(others) || 1;
    const first = others.length - data.tokenOdds.length;
    return others.map((score, n) => (n < first ? score : data.tokenOdds[n - first] * best));
  }

  /** The number of the tie of each, where `apart(n)` says whether n begins another one. */
  function tieNumbers(length, apart) {
    const ties = new Int32Array(length);
    for (let n = 1; n < length; n++) ties[n] = ties[n - 1] + (apart(n) ? 1 : 0);
    return ties;
  }

  /** Rank and tie size of each, from the ascending numbers of their ties. */
  function ranked(entries, tie, way) {
    for (let first = 0; first < entries.length; ) {
      let last = first;
      while (last + 1 < entries.length && tie[last + 1] === tie[first]) last++;
      const size = last - first + 1;
      const rank = way === "worst" ? last + 1 : last + 1 - (size - 1) / 2;
      for (let n = first; n <= last; n++) Object.assign(entries[n], { rank, ties: size });
      first = last + 1;
    }
    return entries;
  }

  /** All elements, the most suspicious first, each with score, rank and size of its tie. */
  function rank(values, kind, way) {
    let entries = Array.from(values, (score, element) => ({ element, score }));
    entries.sort((a, b) => b.score - a.score || a.element - b.element);
    const apart = (n) =>
      entries[n - 1].score - entries[n].score >
      data.constants.tieTolerance * Math.abs(entries[n - 1].score);
    let tie = tieNumbers(entries.length, apart);
    entries.forEach((entry, n) => Object.assign(entry, { tie: tie[n], subsumed: 0 }));
    entries.sort((a, b) => a.tie - b.tie || a.element - b.element);
    if (way === "kmax") {
      entries.forEach((entry, n) => {
        const next = entries[n + 1];
        const same = next && next.tie === entry.tie;
        const ruleOf = (one) => elements.ruleOf(kind, one.element);
        entry.subsumed = same && ruleOf(next) === ruleOf(entry) ? 1 : 0;
      });
      entries.sort((a, b) => a.tie - b.tie || a.subsumed - b.subsumed || a.element - b.element);
    }
    tie = tieNumbers(entries.length, (n) =>
      entries[n].tie !== entries[n - 1].tie || entries[n].subsumed !== entries[n - 1].subsumed);
    return ranked(entries, tie, way);
  }

  /** The best element of each non-terminal, ranked; they tie if these elements do. */
  function grouped(entries, kind, way) {
    const seen = new Set();
    const best = entries.filter(({ element }) => {
      const owner = data.elements.owners[elements.ruleOf(kind, element)];
      return !seen.has(owner) && seen.add(owner);
    });
    const before = best.map((entry) => entry.rank);
    const tie = tieNumbers(best.length, (n) => before[n] !== before[n - 1]);
    return ranked(best.map((entry) => ({ ...entry })), tie, way);
  }

  /** The ranking by the chosen method: all elements with a positive score, the best first. */
  function ranking(method) {
    if (!nFailing) return [];
    const all = rank(scores(method), method.spectrum, method.ties);
    const shown = method.grouped ? grouped(all, method.spectrum, method.ties) : all;
    return shown.filter((entry) => entry.score > 0);
  }

  return { counts, ranking };
})();
