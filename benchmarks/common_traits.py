"""Does what failing tests have in common point at the faulty rule, and what does it cost?

    python benchmarks/common_traits.py [--mutants N]

Single faults are put into the grammars of the toy language, of SIMPL and of C, a sample of each
operator, and looked for with the suites `coverage` and `mixed` of ``seeded_faults.py``, where at
least 20 tests are decided and two of them fail. What counts is the rank of the faulty rule among
the rules; members of a tie share the rank in its middle. Compared are

* `spectra`: the spectra alone, by Ochiai, exact, of positions;
* `tree, then spectra`: what the tree over failing and passing tests asks of the grammar comes
  first, in the order of its ways, the rest by the spectra;
* `positions, then spectra`: the same with a tree that knows no tokens;
* `groups`: the failing tests of each way alone are compared with the passing ones; every element
  has the highest of these scores, each times the share of failing tests that are like that;
* `spectra x tree`: the score of the spectra, three times as high for what the tree asks about;
* `both`, `edits`: what is ranked by without edits and by default, alone and with the same factor
  for what is asked about by a tree that knows no tokens. With `--edits` only; of the suite
  `FAILING` failing tests and `PASSING` passing ones.

Then how many faults one way finds first and another one does not, with the exact McNemar test of
the two numbers, and Wilcoxon's signed-rank test of the ranks; faults of equal rank are left out.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from random import Random
from statistics import mean

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from gramspect.builtin.native import adapter
from gramspect.campaigns.comparing import wilcoxon
from gramspect.grammars.seeding import Mutant, Mutation, sample
from gramspect.localization.common import FEWEST, MOST, CommonTrait, Traits
from gramspect.localization.localize import localize
from gramspect.recognition.trace import Extraction
from gramspect.scoring.evidence import Evidence, depth_scores, scores
from gramspect.scoring.metrics import metric
from gramspect.scoring.ranking import Ties, rank, rule_ranking
from gramspect.spectrum.matrix import SpectrumKind, SpectrumMatrix
from gramspect.suites.suite import Expectation, TestCase, TestSuite
from languages import LANGUAGES, language
from ranking import machine
from seeded_faults import DEPTH_TESTS, FEWEST_PASSING, Run

OCHIAI = metric("ochiai")
BOOST = 3.0
PAIRS = (
    ("tree, then spectra", "spectra"),
    ("spectra x positions", "spectra"),
    ("both x positions", "both"),
)
FAILING, PASSING = 30, 100

Scores = NDArray[np.float64]


def in_order(found: Sequence[CommonTrait], spectra: Scores) -> Scores:
    """The elements that are asked about first, the rest after them."""
    order = dict.fromkeys(
        trait.element for one in found for trait in one.present if trait.element is not None
    )
    result = spectra / 2
    for place, element in enumerate(order):
        result[element] = 1 + 1 / (1 + place)
    return result


def with_ties(found: Sequence[CommonTrait], matrix: SpectrumMatrix, given: Scores) -> Scores:
    """The same, but elements that the same tests use are not told apart."""
    result = in_order(found, given)
    rows: dict[bytes, float] = {}
    for element, row in enumerate(matrix.bits):
        rows[row.tobytes()] = max(rows.get(row.tobytes(), 0.0), result[element])
    return np.array([rows[row.tobytes()] for row in matrix.bits])


def asked(found: Sequence[CommonTrait], spectra: Scores) -> Scores:
    """The spectra, higher for the elements that are asked about."""
    result = spectra.copy()
    elements = {trait.element for one in found for trait in one.present} - {None}
    result[sorted(elements)] *= BOOST  # type: ignore[type-var]
    return result


def by_groups(found: Sequence[CommonTrait], matrix: SpectrumMatrix, spectra: Scores) -> Scores:
    """The highest score in a group of failing tests against all passing ones."""
    best = spectra * 0
    for one in found:
        others = sorted(set(np.flatnonzero(matrix.failing).tolist()) - set(one.failing))
        group = matrix.without(others)
        best = np.maximum(best, OCHIAI(*group.counts()) * len(one.failing) / matrix.n_failing)
    return best if found else spectra


def edit_scores(mutant: Mutant, run: Run, failing: Sequence[int], passing: Sequence[int]) -> Scores:
    """The scores of positions by the default evidence."""
    names = [symbol.name for symbol in mutant.grammar.symbols]
    tests = []
    for number in sorted([*failing, *passing]):
        words = tuple(names[token] for token in run.sentences[number])
        expected = list(Expectation)[run.expected[number]]
        tests.append(TestCase(f"{number}", expected, " ".join(words), words))
    result = localize(run.recognizer, TestSuite(tuple(tests)), confirm=None, budget=1e6)
    found = np.zeros(mutant.grammar.n_items)
    for element in result.ranking:
        found[element.element] = element.score
    return found


def ranked(mutant: Mutant, run: Run, random: Random, edits: bool) -> tuple[dict[str, float], float]:
    """The rank of the faulty rule by each way, and the seconds that the trees take."""
    grammar, matrix = mutant.grammar, run.matrices[Extraction.EXACT]
    failing = np.flatnonzero(matrix.failing).tolist()
    passing = np.flatnonzero(matrix.passing).tolist()
    tests = sorted([*failing[:MOST], *passing[:MOST]])
    tokens = [run.sentences[number] for number in tests]
    spectra = np.asarray(scores(matrix, OCHIAI, Evidence.SPECTRUM, None), np.float64)
    begin = time.process_time()
    both_kinds = Traits(matrix, tests, tokens).learned()
    seconds = time.process_time() - begin
    positions = Traits(matrix, tests, [()] * len(tests)).learned()
    located = random.sample(failing, min(len(failing), DEPTH_TESTS))
    depths = depth_scores(
        SpectrumKind.ITEM, grammar, [run.observation(test) for test in located],
        [list(Expectation)[run.expected[test]] for test in located],
    )  # fmt: skip
    both = np.asarray(scores(matrix, OCHIAI, Evidence.BOTH, depths), np.float64)
    found = {
        "spectra": spectra,
        "tree, then spectra": in_order(both_kinds, spectra),
        "positions, then spectra": in_order(positions, spectra),
        "groups": by_groups(both_kinds, matrix, spectra),
        "spectra x tree": asked(both_kinds, spectra),
        "positions, with ties": with_ties(positions, matrix, spectra),
        "spectra x positions": asked(positions, spectra),
        "both": both,
        "both x positions": asked(positions, both),
    }
    if edits:
        found["edits"] = edit_scores(
            mutant,
            run,
            random.sample(failing, min(FAILING, len(failing))),
            random.sample(passing, min(PASSING, len(passing))),
        )
        found["edits x positions"] = asked(positions, found["edits"])
    wanted = grammar.rules_of[mutant.nonterminal] if mutant.rule is None else [mutant.rule]
    ranks = {}
    for way, each in found.items():
        rules = rule_ranking(rank(each, grammar, SpectrumKind.ITEM, Ties.KMAX), grammar)
        ranks[way] = min(rules.rank_of(rule) for rule in wanted)
    return ranks, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mutants", type=int, default=20, help="per language and operator")
    parser.add_argument("--edits", action="store_true", help="with the default evidence, too")
    chosen = parser.parse_args()
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    seconds: list[float] = []
    for name, operator in product(LANGUAGES, Mutation):
        spoken = language(name)
        mutants = sample(spoken.grammar, chosen.mutants, 1, [operator])
        for number, mutant in enumerate(mutants):
            if mutant.position_one:
                continue
            recognizer = adapter.build(mutant.grammar)
            for suite, reject in (("coverage", ()), ("mixed", spoken.negative)):
                run = Run.of(recognizer, spoken.coverage, reject)
                matrix = run.matrices[Extraction.EXACT]
                n_decided = matrix.n_failing + matrix.n_passing
                if matrix.n_failing < 2 or matrix.n_passing < FEWEST_PASSING or n_decided < FEWEST:
                    continue
                ranks, spent = ranked(mutant, run, Random(number), chosen.edits)
                for way, place in ranks.items():
                    found[suite, way].append(place)
                seconds.append(spent)
    pairs_of = (*PAIRS, ("edits x positions", "edits")) if chosen.edits else PAIRS
    print(machine())
    print(f"seconds for a tree: mean {mean(seconds):.3f}, most {max(seconds):.3f}")
    for (suite, way), places in found.items():
        shares = " ".join(f"{mean(place <= n for place in places):.1%}" for n in (1, 3, 5))
        print(f"{suite:9} {way:24} {len(places)} faults: first, top 3, top 5: {shares}")
    for suite, (way, base) in product(("coverage", "mixed"), pairs_of):
        pairs = list(zip(found[suite, way], found[suite, base], strict=True))
        won = sum(one <= 1 < other for one, other in pairs)
        lost = sum(other <= 1 < one for one, other in pairs)
        print(f"{suite}: {way} finds {won} faults first that {base} does not; the reverse: {lost}")
        mcnemar = binomtest(won, won + lost).pvalue if won + lost else 1.0
        differences = np.array([one - other for one, other in pairs])
        higher, lower = int(np.sum(differences < 0)), int(np.sum(differences > 0))
        print(
            f"    McNemar p = {mcnemar:.3g}; ranks higher {higher}, lower {lower},"
            f" Wilcoxon p = {wilcoxon(differences):.3g}"
        )


if __name__ == "__main__":
    main()
