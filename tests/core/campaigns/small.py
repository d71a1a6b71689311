"""A campaign of a small language that takes a second."""

from pathlib import Path

from gramspect.campaigns.config import CampaignConfig, read_config

GRAMMAR = """
%token let id num
%%
list  : list line | line ;
line  : let id '=' sum ';' | sum ';' ;
sum   : sum '+' atom | atom ;
atom  : id | num | '(' sum ')' ;
"""

CONFIG = """
recognizers = ["native"]

[grammars]
sums = "sums.y"

[faults]
{faults}

[suites.rule]
criteria = ["rule"]

[suites.mixed]
criteria = ["cdrc"]
negative = ["tokens"]
per-sentence = 3

[methods]
spectra = ["rule", "item", "shift"]
ties = ["mid", "worst", "kmax"]

[engine]
jobs = 2
batch = 4
{engine}
"""


def written(
    folder: Path,
    faults: str = "sample = 40",
    engine: str = 'backend = "here"',
    changes: dict[str, str] | None = None,
) -> Path:
    """The file of a campaign; `changes` replace texts in it."""
    text = CONFIG.format(faults=faults, engine=engine)
    for old, new in (changes or {}).items():
        assert old in text
        text = text.replace(old, new)
    (folder / "sums.y").write_text(GRAMMAR)
    path = folder / "sums.toml"
    path.write_text(text)
    return path


def config(
    folder: Path, faults: str = "sample = 40", changes: dict[str, str] | None = None
) -> CampaignConfig:
    return read_config(str(written(folder, faults, changes=changes)))
