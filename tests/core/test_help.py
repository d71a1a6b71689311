"""The help: what a command takes, the options that matter first, with examples that work."""

import re
import shlex
import subprocess
import sys

import click
import pytest

from command import Command
from gramspect.cli import cli

COMMANDS = [str(name) for name in cli.list_commands(click.Context(cli))]


def command_named(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


def test_commands_are_listed_in_the_order_of_use(command: Command) -> None:
    text = command("--help").out
    listed = re.findall(r"^  (\w+)  ", text.partition("Commands:\n")[2], re.MULTILINE)
    assert listed == COMMANDS
    assert listed[:3] == ["localize", "suggest", "debug"]


def test_the_list_of_commands_is_what_click_makes_of_the_commands_themselves() -> None:
    context = click.Context(cli)
    ours, of_click = click.HelpFormatter(width=400), click.HelpFormatter(width=400)
    cli.format_commands(context, ours)
    click.Group.format_commands(cli, context, of_click)
    assert ours.getvalue() == of_click.getvalue()


def test_the_list_of_commands_imports_no_command() -> None:
    listing = "import sys; from gramspect.cli import main; sys.argv[1:] = ['--help']; main()"
    after = f"import atexit, sys; atexit.register(lambda: print(*sys.modules)); {listing}"
    done = subprocess.run([sys.executable, "-c", after], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "gramspect.cli" in loaded
    assert not loaded & {f"gramspect.cli.{name}" for name in COMMANDS} | loaded & {"numpy"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_shown_once_and_says_what_it_is_for(command: Command, name: str) -> None:
    text = command(name, "--help").out
    for option in command_named(name).params:
        if isinstance(option, click.Option):
            long = max(option.opts, key=len)
            assert len(re.findall(rf"^  (?:-\w, )?{long}\b(?!-)", text, re.MULTILINE)) == 1, long
            assert option.help, long


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_can_be_parsed(command: Command, name: str) -> None:
    text = command(name, "--help").out
    examples = re.findall(r"^  (gramspect .*)$", text.partition("Examples:\n")[2], re.MULTILINE)
    assert len(examples) in (0, 3)
    for example in examples:
        _, called, *arguments = shlex.split(example)
        assert called == name
        command_named(name).make_context(name, arguments)


def test_what_matters_comes_first(command: Command) -> None:
    text = command("localize", "--help").out
    titles = re.findall(r"^(\w[\w ]*):$", text, re.MULTILINE)
    assert titles == [
        "What matters most", "Examples", "Tests", "Parser", "Limits", "Scores and ranks", "Report",
        "Help",
    ]  # fmt: skip
