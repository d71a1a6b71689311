"""What a user may write as a classpath."""

from __future__ import annotations

import os
from pathlib import Path
from zipfile import ZipFile

import pytest

from gramspect.errors import AdapterError
from gramspect_jvm import parse_classpath


def make_jar(path: Path) -> Path:
    with ZipFile(path, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")
    return path


def test_jars_and_folders_in_order(tmp_path: Path) -> None:
    jars = [make_jar(tmp_path / name) for name in ("b.jar", "a.JAR")]
    text = os.pathsep.join(map(str, [*jars, tmp_path, jars[0]]))
    assert parse_classpath(text) == tuple(map(str, [*jars, tmp_path]))
    assert parse_classpath("") == ()


def test_all_jars_of_a_folder(tmp_path: Path) -> None:
    jars = [make_jar(tmp_path / name) for name in ("a.JAR", "b.jar")]
    (tmp_path / "c.txt").touch()
    assert parse_classpath(f"{tmp_path}/*") == tuple(map(str, jars))


def test_a_relative_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jar = make_jar(tmp_path / "a.jar")
    monkeypatch.chdir(tmp_path)
    assert parse_classpath("a.jar") == (str(jar),)


def test_what_is_no_jar_is_said(tmp_path: Path) -> None:
    (tmp_path / "text.jar").write_text("no archive")
    (tmp_path / "empty").mkdir()
    for entry, message in {
        "text.jar": "this is no jar; the classpath takes jars and folders of classes",
        "missing.jar": "there is no such jar or folder; check the classpath",
        "empty/*": "there are no jars in this folder",
    }.items():
        with pytest.raises(AdapterError, match=message):
            parse_classpath(str(tmp_path / entry))
