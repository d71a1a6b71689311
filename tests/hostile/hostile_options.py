"""Command lines with values that no option is made for."""

from __future__ import annotations

import random
from collections.abc import Iterator

import click
from hostile_grammars import NOTATIONS
from hostile_runs import Case

from gramspect.cli import cli

__all__ = ["option_case", "option_cases"]

_VALUES = (
    "", " ", "-", "--", "-1", "0", "1", "1e26", "1e-320", "nan", "inf", "-inf", "9" * 5000,
    "1" * 50, "0x10", "١", "a\nb", "a" * 5000, "\udcff", "\u202e", "</script>", "%s%n", "$(id)",
    "`id`", "..", "/", "/dev/null", "/dev/full", "/dev/zero", "/proc/self/mem", "/nowhere/at/all",
    ".", "g.y", "t.txt", "a{99999999999}", "(" * 3000, "(?P<line>", "[", "bfs:1",
    "bfs:" + "9" * 5000, "k-paths:0", "dstar:x", "dstar:1e999", "key=value", "=",
    "key=" + "v" * 5000, "lexer=nope", "g.y:x", "os:_exit", "json", "x.svg", "out.json",
    "out.npz", "0:99", "5:1", "1:" + "9" * 5000, "both", "exact", "toy", "chart", "native,native",
    "true", "adapter", "tab\tbed",
)  # fmt: skip

_COMMANDS = ("localize", "coverage", "spectra", "generate", "suggest", "lrgraph", "compare")
_WITHOUT_TESTS = ("generate", "lrgraph")


def option_case(rng: random.Random) -> Case:
    """A good command line with options that have odd values, put anywhere."""
    name = rng.choice(_COMMANDS)
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    options = [p for p in command.params if isinstance(p, click.Option) and not p.is_eager]
    grammar, tests = NOTATIONS["y"]
    arguments = ["g.y"]
    if name not in _WITHOUT_TESTS:
        arguments += ["--lines", "--accept", "t.txt"]
    if name == "generate":
        arguments += ["--limit", "20"]
    if any("--budget" in one.opts for one in options):
        arguments += ["--budget", "1"]
    for _ in range(rng.choice((1, 1, 2, 3))):
        option = rng.choice(options)
        given = [rng.choice(option.opts)]
        if not option.is_flag:
            given.append(rng.choice(_VALUES))
        arguments += given
    if rng.random() < 0.1:
        arguments[0] = rng.choice(_VALUES)
    if rng.random() < 0.1:
        arguments.insert(rng.randrange(len(arguments)), rng.choice(_VALUES))
    return Case(
        " ".join((name, *(one[:30] for one in arguments))).encode(errors="replace").decode(),
        [name, *arguments],
        {"g.y": grammar, "t.txt": tests},
    )


def option_cases(seed: int) -> Iterator[Case]:
    """Cases without end."""
    rng = random.Random(seed)
    while True:
        yield option_case(rng)
