"""The server: it hears what the editor does, starts runs, and shows what they find.

No code of the user runs in this process, and nothing writes to the user's files: a repair is
offered as a code action, which the editor makes if the user wants it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO, TypeVar
from urllib.parse import unquote

import cattrs
from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from gramspect.errors import GramspectError
from gramspect.languageserver import answers
from gramspect.languageserver.answers import Document, lines_of, uri_of
from gramspect.languageserver.findings import Findings, error_findings
from gramspect.languageserver.runs import Runs
from gramspect.languageserver.targets import Key, State, concerned, targets_around

__all__ = ["GrammarServer", "serve"]

T = TypeVar("T")


def serve(command: Sequence[str], stdin: BinaryIO, stdout: BinaryIO) -> None:
    """Serve the editor at the other ends of these streams until it says that it is done.

    `command` runs a target: it reads, as JSON, the project's folder and the target's name.
    """
    GrammarServer(command).start_io(stdin, stdout)


class GrammarServer(LanguageServer):
    """The server of one editor."""

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__("gramspect", version("gramspect"))
        self.states: dict[Key, State] = {}
        self.broken: dict[Path, Findings] = {}
        """For files of configurations that cannot be used what is wrong with them."""
        self.runs = Runs(command)
        self.shown: set[str] = set()
        """The files that have diagnostics."""
        self._n_tokens = 0
        self._tokens: dict[types.ProgressToken, Key] = {}
        """The bars that are there now, and the targets that they are of."""
        _register(self)

    # --- documents -------------------------------------------------------------------------

    def document(self, path: str) -> Document:
        """A file as a run has read it, and as the editor has it."""
        texts = (f.texts[path] for f in self.all_findings() if path in f.texts)
        lines = lines_of(next(texts, ""))
        opened = self.workspace.text_documents.get(unquote(uri_of(path)))
        codec = self.workspace.position_codec
        if opened is None:
            return Document(path, codec, lines)
        return Document(path, codec, lines, lines_of(opened.source), opened.version)

    def all_findings(self) -> list[Findings]:
        """The newest of all targets."""
        return [state.findings for state in self.states.values()] + list(self.broken.values())

    def gathered(self, uri: str, answer: Callable[[Findings, Document], list[T]]) -> list[T]:
        """What all findings say about a document, each thing once."""
        if (path := file_of(uri)) is None:
            return []
        document = self.document(str(path))
        found: list[T] = []
        for each in self.all_findings():
            found += (one for one in answer(each, document) if one not in found)
        return found

    def code_actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        """The repairs that can be made where the editor asks for them."""
        only = params.context.only
        if only and not {"", types.CodeActionKind.QuickFix}.intersection(only):
            return []
        workspace = self.client_capabilities.workspace
        edits = workspace.workspace_edit if workspace else None
        versioned = bool(edits and edits.document_changes)
        return self.gathered(
            params.text_document.uri,
            lambda one, document: answers.code_actions(
                one, document, params.range, self.document, versioned=versioned
            ),
        )

    # --- runs ------------------------------------------------------------------------------

    def opened(self, path: Path) -> None:
        """Run what has never run."""
        for key in self._targets(path):
            if key not in self.states:
                self._start(key)

    def saved(self, path: Path) -> None:
        """Run again what the file concerns."""
        for key in self._targets(path):
            state = self.states.get(key)
            if state is None or concerned(key, state, path):
                self._start(key)

    def _targets(self, path: Path) -> list[Key]:
        """The targets of the project of a file; those that are no longer in it are forgotten."""
        try:
            keys = targets_around(path)
        except GramspectError as problem:
            file = path if problem.span is None else _absolute(problem.span.file)
            self.broken[file] = error_findings(problem, str(path))
            self.show()
            return []
        files = {file for file, _ in keys} or {path}
        gone = [key for key in self.states if key[0] in files and key not in keys]
        for key in gone:
            self.runs.stop(key)
            del self.states[key]
        mended = [file for file in self.broken if file == path or _inside(file, files)]
        for file in mended:
            del self.broken[file]
        if gone or mended:
            self.show()
        return keys

    def _start(self, key: Key) -> None:
        state = self.states.setdefault(key, State())
        bar = _ProgressBar(self, key)

        def hear(kind: str, value: Any) -> None:
            match kind:
                case "begin":
                    bar.begin()
                case "progress":
                    bar.report(*value)
                case "findings" | "error":
                    state.findings = cattrs.structure(value, Findings)
                    state.known = kind == "findings"
                    self.show()
                case "lost":
                    problem = GramspectError(f"the run of {key[1]} ended early: {value}")
                    state.findings, state.known = error_findings(problem, str(key[0])), False
                    self.show()
                case "end":
                    bar.end()

        self.runs.start(key, [str(key[0].parent), key[1]], hear)

    def new_token(self, key: Key) -> str:
        """A name for the progress of a target's run."""
        self._n_tokens += 1
        token = f"gramspect-{self._n_tokens}"
        self._tokens[token] = key
        return token

    def forget_token(self, token: str) -> None:
        """The progress has come to an end."""
        self._tokens.pop(token, None)
        self.work_done_progress.tokens.pop(token, None)

    def cancelled(self, token: types.ProgressToken) -> None:
        """The user does not want a run any more; the next save begins another one."""
        if token in self._tokens:
            self.runs.stop(self._tokens[token])

    # --- what is shown ---------------------------------------------------------------------

    def show(self) -> None:
        """Tell the editor all diagnostics, and that there is news of the rest."""
        findings = self.all_findings()
        now = {mark.span.file for one in findings for mark in one.marks}
        for path in sorted(self.shown | now):
            document = self.document(path)
            found = {
                _identity(one): one
                for each in findings
                for one in answers.diagnostics(each, document, self.document)
            }
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(
                    uri_of(path), list(found.values()), version=document.version
                )
            )
        self.shown = now
        workspace = self.client_capabilities.workspace
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)
        if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)


def _absolute(path: str) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100


def _inside(file: Path, configurations: Iterable[Path]) -> bool:
    """Whether a file is in the folder of one of these, or below it."""
    return any(file.is_relative_to(one.parent) for one in configurations)


def _identity(one: types.Diagnostic) -> Hashable:
    """Two targets of one grammar may have the same to say."""
    start = one.range.start
    return start.line, start.character, one.code, one.message


def file_of(uri: str) -> Path | None:
    """The path of a document; None if it is not a file."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return None if path is None else _absolute(path)


class _ProgressBar:
    """What an editor shows while a target runs, if it can; its user may end the run there."""

    def __init__(self, server: GrammarServer, key: Key) -> None:
        self._server, self._key = server, key
        self._token = ""
        self._shown = False

    def begin(self) -> None:
        """Ask for a bar; it is shown when the editor has answered, and nobody waits for that."""
        window = self._server.client_capabilities.window
        if window and window.work_done_progress:
            self._token = self._server.new_token(self._key)
            self._server.work_done_progress.create(self._token, self._created)

    def _created(self, *_: object) -> None:
        if self._token:
            self._shown = True
            begin = types.WorkDoneProgressBegin(
                title=f"gramspect: {self._key[1]}", cancellable=True, percentage=0
            )
            self._server.work_done_progress.begin(self._token, begin)

    def report(self, done: int, total: int) -> None:
        if self._shown:
            said = f"{done} of {total} tests" if done < total else "looking for repairs"
            value = types.WorkDoneProgressReport(message=said, percentage=100 * done // total)
            self._server.work_done_progress.report(self._token, value)

    def end(self) -> None:
        if self._shown:
            self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd())
        self._server.forget_token(self._token)
        self._token, self._shown = "", False


# --- what the editor asks ------------------------------------------------------------------


def _register(server: GrammarServer) -> None:
    """Tell pygls which messages are heard, and by whom."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def _opened(params: types.DidOpenTextDocumentParams) -> None:
        if (path := file_of(params.text_document.uri)) is not None:
            server.opened(path)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def _saved(params: types.DidSaveTextDocumentParams) -> None:
        if (path := file_of(params.text_document.uri)) is not None:
            server.saved(path)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def _changed(params: types.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            if (path := file_of(change.uri)) is not None:
                server.saved(path)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def _actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return server.code_actions(params)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def _lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        return server.gathered(params.text_document.uri, answers.lenses)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def _hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        asked = params.range
        return server.gathered(
            params.text_document.uri, lambda one, document: answers.hints(one, document, asked)
        )

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def _hover(params: types.HoverParams) -> types.Hover | None:
        at = params.position
        found = server.gathered(
            params.text_document.uri,
            lambda one, document: [h] if (h := answers.hover(one, document, at)) else [],
        )
        return found[0] if found else None

    @server.feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def _cancelled(params: types.WorkDoneProgressCancelParams) -> None:
        server.cancelled(params.token)

    @server.feature(types.SHUTDOWN)
    async def _shutdown(_: None) -> None:
        await server.runs.close()
