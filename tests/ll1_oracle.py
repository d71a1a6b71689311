"""Whether a grammar is LL(1), straight from the definition."""

from __future__ import annotations

from itertools import combinations

from cfg import Cfg, Word

END = "$end"


def is_ll1(cfg: Cfg) -> bool:
    """Whether one token decides between the alternatives of every non-terminal."""
    first, nullable = _first(cfg)
    follow = _follow(cfg, first, nullable)

    def predicted(rule: int) -> set[str]:
        rhs = cfg.rhs(rule)
        found = _first_of(rhs, first, nullable)
        return found | (follow[cfg.lhs(rule)] if all(x in nullable for x in rhs) else set())

    return not any(
        predicted(one) & predicted(other)
        for symbol in cfg.nonterminals
        for one, other in combinations(cfg.rules_of(symbol), 2)
    ) and not any(_left_recursive(cfg, symbol, nullable) for symbol in cfg.nonterminals)


def _left_recursive(cfg: Cfg, symbol: str, nullable: set[str]) -> bool:
    seen: set[str] = set()
    pending = [symbol]
    while pending:
        for rule in cfg.rules_of(pending.pop()):
            for x in cfg.rhs(rule):
                if x == symbol:
                    return True
                if x in cfg.nonterminals and x not in seen:
                    seen.add(x)
                    pending.append(x)
                if x not in nullable:
                    break
    return False


def _first(cfg: Cfg) -> tuple[dict[str, set[str]], set[str]]:
    first: dict[str, set[str]] = {x: set() for x in cfg.nonterminals}
    first.update((x, {x}) for x in cfg.terminals)
    nullable: set[str] = set()
    changed = True
    while changed:
        changed = False
        for lhs, rhs in cfg.rules:
            new = _first_of(rhs, first, nullable) - first[lhs]
            first[lhs] |= new
            empty = lhs not in nullable and all(x in nullable for x in rhs)
            if empty:
                nullable.add(lhs)
            changed = changed or empty or bool(new)
    return first, nullable


def _first_of(rhs: Word, first: dict[str, set[str]], nullable: set[str]) -> set[str]:
    found: set[str] = set()
    for x in rhs:
        found |= first[x]
        if x not in nullable:
            break
    return found


def _follow(cfg: Cfg, first: dict[str, set[str]], nullable: set[str]) -> dict[str, set[str]]:
    follow: dict[str, set[str]] = {x: set() for x in cfg.nonterminals}
    follow[cfg.start].add(END)
    changed = True
    while changed:
        changed = False
        for lhs, rhs in cfg.rules:
            for place, x in enumerate(rhs):
                if x in cfg.nonterminals:
                    rest = rhs[place + 1 :]
                    new = _first_of(rest, first, nullable)
                    if all(y in nullable for y in rest):
                        new = new | follow[lhs]
                    changed = changed or not new <= follow[x]
                    follow[x] |= new
    return follow
