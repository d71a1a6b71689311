"""Where a JVM and the jar are looked for, and what is said if there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

import gramspect_jvm
from gramspect.errors import MissingDependency
from gramspect_jvm import locating


def java_home(folder: Path, version: str) -> Path:
    """Something that looks like a Java installation."""
    library = folder / "lib" / "server" / "libjvm.so"
    for path in (library, folder / "bin" / "java"):
        path.parent.mkdir(parents=True)
        path.touch(mode=0o755)
    (folder / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    return folder


@pytest.fixture(autouse=True)
def _nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(locating, "find_spec", lambda _: None)
    monkeypatch.setattr(locating.sys, "platform", "linux")


def test_java_home_comes_before_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = java_home(tmp_path / "first", "21.0.1"), java_home(tmp_path / "second", "17")
    links = tmp_path / "links"
    links.mkdir()
    (links / "java").symlink_to(second / "bin" / "java")
    monkeypatch.setenv("PATH", str(links))
    assert locating.jvm_library() == second / "lib" / "server" / "libjvm.so"
    monkeypatch.setenv("JAVA_HOME", str(first))
    assert locating.jvm_library() == first / "lib" / "server" / "libjvm.so"


@pytest.mark.parametrize(("version", "feature"), [("11.0.2", 11), ("1.8.0_392", 8)])
def test_an_old_java_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, feature: int
) -> None:
    old = java_home(tmp_path / "old", version)
    monkeypatch.setenv("JAVA_HOME", str(old))
    with pytest.raises(MissingDependency, match=rf"Java 17 or newer.*holds Java {feature}\)"):
        locating.jvm_library()
    monkeypatch.setenv("PATH", str(java_home(tmp_path / "new", "17.0.15") / "bin"))
    assert locating.jvm_library().is_relative_to(tmp_path / "new")


def test_no_java(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    with pytest.raises(MissingDependency, match=r"set JAVA_HOME.*gramspect\[jre\]"):
        locating.jvm_library()


def test_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "no Java 17 or newer" in (gramspect_jvm.missing() or "")
    monkeypatch.setenv("JAVA_HOME", str(java_home(tmp_path / "home", "17")))
    assert gramspect_jvm.missing() is None
    monkeypatch.setattr(locating, "__file__", str(tmp_path / "locating.py"))
    assert "run: make java" in (gramspect_jvm.missing() or "")
    monkeypatch.setattr(gramspect_jvm, "find_spec", lambda _: None)
    assert "JPype is not installed" in (gramspect_jvm.missing() or "")
