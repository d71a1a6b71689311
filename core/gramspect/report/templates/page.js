// What all reports have: the data, spectra, tests, the grammar's text.
// Everything that is shown comes in as text nodes, never as markup.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

/** An element with properties and children; strings become text. */
function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name.startsWith("aria-") || name === "role" || name === "scope") {
      element.setAttribute(name, value);
    } else {
      element[name] = value;
    }
  }
  element.append(...children);
  return element;
}

/** "1 test", "2 tests". */
const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

// --- spectra --------------------------------------------------------------------------------

const spectra = (() => {
  const { width, rows } = data.spectra;
  const bits = Uint8Array.from(atob(rows), (char) => char.charCodeAt(0));
  const ones = Uint8Array.from({ length: 256 }, (_, byte) => {
    let count = 0;
    for (let rest = byte; rest; rest &= rest - 1) count++;
    return count;
  });

  /** For each row the number of tests in a set, given as bytes of bits. */
  function countRows(mask) {
    const counts = new Int32Array(bits.length / width);
    for (let row = 0, at = 0; row < counts.length; row++) {
      let count = 0;
      for (let byte = 0; byte < width; byte++, at++) count += ones[bits[at] & mask[byte]];
      counts[row] = count;
    }
    return counts;
  }

  /** A set of tests as bytes of bits. */
  function mask(holds) {
    const found = new Uint8Array(width);
    data.tests.verdicts.forEach((_, test) => {
      if (holds(test)) found[test >> 3] |= 1 << (test & 7);
    });
    return found;
  }

  const executes = (kind, element, test) =>
    (bits[data.spectra[kind][element] * width + (test >> 3)] >> (test & 7)) & 1;

  return { countRows, mask, executes };
})();

// --- tests ----------------------------------------------------------------------------------

const UNDECIDED = 2;
const tests = (() => {
  const { names, verdicts, expectations, texts, failed, reasons } = data.tests;
  const numbers = names.map((_, test) => test);
  const passes = (test) => verdicts[test] === expectations[test];
  const fails = (test) => verdicts[test] !== UNDECIDED && !passes(test);
  const wanted = (test) => (expectations[test] ? "rejected" : "accepted");

  /** The text of a test, with the place of the error marked if there is one. */
  function text(test) {
    const error = failed[test];
    if (!error) {
      const shown = texts[test];
      return shown === null
        ? make("p", { className: "quiet" }, "Too many tests to carry all texts; see the file.")
        : make("pre", {}, shown);
    }
    if (error.before === null) {
      return make("p", { className: "quiet" }, "Too many tests to carry all texts; see the file.");
    }
    if (error.at === undefined) return make("pre", {}, error.before);
    const mark = error.at === ""
      ? make("mark", { title: error.message }, "⟨end of input⟩")
      : make("mark", { title: error.message }, error.at);
    return make("pre", {}, error.before, mark, error.after ?? "");
  }

  function outcome(test) {
    if (verdicts[test] === UNDECIDED) return `undecided: ${reasons[test] ?? ""}`;
    if (passes(test)) return `${wanted(test)}, as it should be`;
    const message = failed[test]?.message;
    return `should be ${wanted(test)}${message ? `: ${message}` : ""}`;
  }

  /** One test that opens to show its text; `extra` adds to what is shown then. */
  function entry(test, extra) {
    const name = fails(test) ? failed[test]?.place ?? names[test] : names[test];
    const details = make(
      "details",
      {},
      make("summary", {}, make("span", { className: "mono" }, name), " ",
        make("span", { className: fails(test) ? "bad" : "quiet" }, outcome(test))),
    );
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) {
        details.append(text(test), ...(extra ? [extra(test)] : []));
      }
    });
    return details;
  }

  /** A list of tests, of which the first ones are shown until more are asked for. */
  function list(chosen, extra, step = 50) {
    const items = make("ul", { className: "plain" });
    const more = make("button", { type: "button" });
    let shown = 0;
    function grow(count) {
      const upTo = Math.min(chosen.length, shown + count);
      for (; shown < upTo; shown++) {
        items.append(make("li", {}, entry(chosen[shown], extra)));
      }
      more.hidden = shown === chosen.length;
      more.textContent = `Show more of ${counted(chosen.length, "test")}`;
    }
    more.addEventListener("click", () => grow(4 * step));
    grow(step);
    return make("div", {}, items, more);
  }

  return { numbers, passes, fails, list };
})();

// --- elements -------------------------------------------------------------------------------

const elements = (() => {
  const { itemStart, rules, labels, marks, itemTexts, firstToken } = data.elements;
  const itemRule = [];
  rules.forEach((_, rule) => {
    for (let item = itemStart[rule]; item < itemStart[rule + 1]; item++) itemRule.push(rule);
  });
  const isRule = (kind) => kind === "rule";
  const isToken = (kind, element) =>
    (isRule(kind) ? element : itemRule[element]) >= firstToken;
  return {
    isToken,
    count: (kind) => (isRule(kind) ? rules.length : itemRule.length),
    ruleOf: (kind, element) => (isRule(kind) ? element : itemRule[element]),
    label: (kind, element) => {
      const rule = isRule(kind) ? element : itemRule[element];
      return isRule(kind) || rule >= firstToken ? labels[rule] : `${labels[rule]}:${element - itemStart[rule]}`;
    },
    where: (kind, element) => data.elements[isRule(kind) ? "ruleWhere" : "itemWhere"][element],
    place: (kind, element) => data.elements[isRule(kind) ? "rulePlaces" : "itemPlaces"][element],
    /** The rule as it is written, with a dot at the position of an item. */
    text: (kind, element) => {
      const whole = rules[isRule(kind) ? element : itemRule[element]];
      if (isRule(kind) || isToken(kind, element)) return [whole];
      const mark = marks[element];
      const dot = make("span", { className: "dot" }, "•");
      const apart = itemTexts[element];
      if (apart) return [apart[0], dot, apart[1]];
      if (mark >= whole.length) return [`${whole} `, dot];
      return [whole.slice(0, mark), dot, ` ${whole.slice(mark)}`];
    },
  };
})();

// --- the grammar's text ---------------------------------------------------------------------

const grammarText = (() => {
  const segments = [...document.querySelectorAll(".s")].map((node) => ({
    node,
    base: node.className,
    item: Number(node.dataset.i ?? -1),
    rule: Number(node.dataset.r),
    number: node.closest(".line").firstChild,
  }));
  const stops = segments.filter((segment) => segment.item >= 0);
  const nodesOf = { item: new Map(), rule: new Map() };
  for (const segment of segments) {
    for (const sort of ["item", "rule"]) {
      const at = nodesOf[sort];
      if (!at.has(segment[sort])) at.set(segment[sort], []);
      at.get(segment[sort]).push(segment.node);
    }
  }
  let current = stops[0]?.node;
  if (current) current.tabIndex = 0;
  let chosen = [];
  let onSelect = () => {};

  function focus(node) {
    if (current) current.tabIndex = -1;
    current = node;
    node.tabIndex = 0;
    node.focus();
  }

  /** The stop nearest to a node in the next line above or below that has one. */
  function across(node, step) {
    const all = stops.map((stop) => stop.node);
    const line = node.closest(".line");
    const left = node.getBoundingClientRect().left;
    let at = all.indexOf(node);
    while (all[at] && all[at].closest(".line") === line) at += step;
    if (!all[at]) return node;
    const target = all[at].closest(".line");
    const distance = (other) => Math.abs(other.getBoundingClientRect().left - left);
    const there = [...target.querySelectorAll("[data-i]")];
    return there.reduce((best, other) => (distance(other) < distance(best) ? other : best));
  }

  const panel = byId("text");

  /** Bring a node to the middle of the panel; the page itself stays where it is. */
  function show(node) {
    const frame = panel.querySelector(".scroll");
    const [inner, outer] = [node.getBoundingClientRect(), frame.getBoundingClientRect()];
    frame.scrollTop += inner.top - outer.top - frame.clientHeight / 2;
    if (inner.right > outer.right || inner.left < outer.left) {
      frame.scrollLeft += inner.left - outer.left - frame.clientWidth / 2;
    }
  }

  panel.addEventListener("click", (event) => {
    const node = event.target.closest("[data-i]");
    if (node) {
      focus(node);
      onSelect(Number(node.dataset.i), Number(node.dataset.r));
    }
  });
  panel.addEventListener("keydown", (event) => {
    const node = event.target.closest("[data-i]");
    if (!node) return;
    const at = stops.findIndex((stop) => stop.node === node);
    const moves = {
      ArrowRight: () => stops[at + 1]?.node,
      ArrowLeft: () => stops[at - 1]?.node,
      ArrowDown: () => across(node, 1),
      ArrowUp: () => across(node, -1),
      Home: () => stops[0].node,
      End: () => stops.at(-1).node,
    };
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onSelect(Number(node.dataset.i), Number(node.dataset.r));
    } else if (moves[event.key]) {
      event.preventDefault();
      focus(moves[event.key]() ?? node);
    }
  });

  return {
    onSelect(action) {
      onSelect = action;
    },

    /** Give each place a class and a title; `level` is item or rule; `lines` mark line numbers. */
    paint(level, classOf, titleOf, lineClasses) {
      const best = new Map();
      for (const segment of segments) {
        const place = segment[level];
        const name = place < 0 ? "" : classOf(place);
        segment.node.className = name ? `${segment.base} ${name}` : segment.base;
        if (segment.item >= 0) segment.node.title = place < 0 ? "" : titleOf(place);
        const rank = lineClasses.indexOf(name);
        if (rank > (best.get(segment.number) ?? -1)) best.set(segment.number, rank);
        else if (!best.has(segment.number)) best.set(segment.number, -1);
      }
      for (const [number, rank] of best) {
        number.className = rank < 0 ? "no" : `no ${lineClasses[rank]}`;
      }
      chosen.forEach((node) => node.classList.add("chosen"));
    },

    /** Outline a place and bring it into view. */
    choose(level, place, scroll) {
      chosen.forEach((node) => node.classList.remove("chosen"));
      chosen = nodesOf[level].get(place) ?? [];
      chosen.forEach((node) => node.classList.add("chosen"));
      if (chosen.length && scroll) show(chosen[0]);
    },

    /** Underline what a test executes, or nothing. */
    trace(level, executed) {
      for (const segment of segments) {
        const place = segment[level];
        segment.node.classList.toggle("executed", place >= 0 && executed(place));
      }
    },
  };
})();

/** For each place the elements of a kind that are shown there. */
function elementsAt(kind) {
  const found = new Map();
  for (let element = 0; element < elements.count(kind); element++) {
    const place = elements.place(kind, element);
    if (!found.has(place)) found.set(place, []);
    found.get(place).push(element);
  }
  return found;
}

/** Underlines what one test at a time executes; `kind` is that of the spectrum now shown. */
function tracer(places, kind) {
  let traced = null;

  /** What is underlined, anew. */
  function show() {
    const spectrum = kind();
    const sort = spectrum === "rule" ? "rule" : "item";
    grammarText.trace(sort, (place) => traced !== null &&
      (places[sort].get(place) ?? []).some((element) => spectra.executes(spectrum, element, traced)));
  }

  /** A button that starts or ends it for a test. */
  function button(test) {
    const made = make("button", { type: "button", "aria-pressed": String(traced === test) },
      "Underline what it executes");
    made.dataset.test = test;
    made.addEventListener("click", () => {
      traced = traced === test ? null : test;
      for (const other of document.querySelectorAll("button[data-test]")) {
        other.setAttribute("aria-pressed", String(Number(other.dataset.test) === traced));
      }
      show();
    });
    return made;
  }

  return { button, show };
}

/** Arrow keys move between the buttons of a list. */
function moveWithArrows(container, selector) {
  container.addEventListener("keydown", (event) => {
    const all = [...container.querySelectorAll(selector)];
    const at = all.indexOf(event.target);
    if (at < 0) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined && all[to]) {
      event.preventDefault();
      all[to].focus();
    }
  });
}
