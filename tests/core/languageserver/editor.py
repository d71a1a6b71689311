"""An editor without a window: a client of the protocol that keeps what the server tells it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

CALC = """\
start: sum
sum: product | sum "+" product | sum "-" product
product: NUMBER | product "*" NUMBER
NUMBER: /[0-9]+/
%ignore /\\s+/
"""


class Editor(LanguageClient):
    """What is shown in it: `diagnostics` by path, and the `progress` of runs in order."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.diagnostics: dict[str, list[types.Diagnostic]] = {}
        self.progress: list[object] = []
        self.token: types.ProgressToken = ""
        self.log: list[str] = []
        self._news = asyncio.Event()
        self._versions: dict[Path, int] = {}
        self._listen()

    def _listen(self) -> None:
        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _published(params: types.PublishDiagnosticsParams) -> None:
            self.diagnostics[path_of(params.uri)] = list(params.diagnostics)
            self._news.set()

        @self.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def _created(params: types.WorkDoneProgressCreateParams) -> None:
            self.token = params.token

        @self.feature(types.PROGRESS)
        def _progress(params: types.ProgressParams) -> None:
            self.progress.append(params.value)
            self._news.set()

        @self.feature(types.WINDOW_LOG_MESSAGE)
        def _logged(params: types.LogMessageParams) -> None:
            self.log.append(params.message)

        @self.feature(types.WORKSPACE_CODE_LENS_REFRESH)
        def _refreshed(_: None) -> None:
            self._news.set()

    async def begin(self, folder: Path) -> asyncio.subprocess.Process:
        """Start a server for a folder."""
        await self.start_io(sys.executable, "-m", "gramspect", "lsp")
        capabilities = types.ClientCapabilities(
            window=types.WindowClientCapabilities(work_done_progress=True),
            workspace=types.WorkspaceClientCapabilities(
                workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=True),
                code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True),
            ),
        )
        await self.initialize_async(
            types.InitializeParams(capabilities=capabilities, root_uri=folder.as_uri())
        )
        self.initialized(types.InitializedParams())
        assert self._server is not None
        return self._server

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for something that the server will tell."""
        while not holds():
            self._news.clear()
            await self._news.wait()

    @property
    def n_begun(self) -> int:
        return sum(_kind(one) == "begin" for one in self.progress)

    @property
    def n_ended(self) -> int:
        return sum(_kind(one) == "end" for one in self.progress)

    async def runs(self, number: int) -> None:
        """Wait until so many runs have ended, counted from the start of the server."""
        await self.until(lambda: self.n_ended >= number)

    def messages(self, path: Path, code: str | None = None) -> list[str]:
        """What is shown in a file."""
        shown = self.diagnostics.get(str(path), [])
        return [one.message for one in shown if code is None or one.code == code]

    def open(self, path: Path) -> None:
        self._versions[path] = 1
        item = types.TextDocumentItem(path.as_uri(), "text", 1, _text(path))
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def type(self, path: Path, text: str) -> None:
        """Change the text without saving it."""
        self._versions[path] += 1
        named = types.VersionedTextDocumentIdentifier(
            uri=path.as_uri(), version=self._versions[path]
        )
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(types.DidChangeTextDocumentParams(named, [change]))

    def save(self, path: Path, text: str | None = None) -> None:
        """Save the file, with another text if one is given."""
        if text is not None:
            self.type(path, text)
            draft = path.with_name(f".{path.name}.new")
            draft.write_text(text, newline="")
            draft.replace(path)  # the server may be reading it
        self.text_document_did_save(types.DidSaveTextDocumentParams(self.named(path)))

    def named(self, path: Path) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(path.as_uri())

    async def actions(
        self, path: Path, first: int = 0, last: int = 10_000
    ) -> list[types.CodeAction]:
        """The code actions for some lines, counted from 0."""
        asked = types.Range(types.Position(first, 0), types.Position(last, 0))
        params = types.CodeActionParams(self.named(path), asked, types.CodeActionContext([]))
        found = await self.text_document_code_action_async(params)
        return [one for one in found or () if isinstance(one, types.CodeAction)]

    async def lenses(self, path: Path) -> dict[int, str]:
        """The text of the code lens over each line that has one, counted from 0."""
        params = types.CodeLensParams(self.named(path))
        found = await self.text_document_code_lens_async(params)
        return {one.range.start.line: one.command.title for one in found or () if one.command}

    async def hints(self, path: Path) -> list[types.InlayHint]:
        asked = types.Range(types.Position(0, 0), types.Position(10_000, 0))
        params = types.InlayHintParams(self.named(path), asked)
        return list(await self.text_document_inlay_hint_async(params) or ())

    async def hover(self, path: Path, line: int, character: int) -> str:
        at = types.Position(line, character)
        found = await self.text_document_hover_async(types.HoverParams(self.named(path), at))
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    def applied(self, action: types.CodeAction) -> dict[Path, str]:
        """The texts that a code action makes of files, which have to be in the state it names."""
        assert action.edit is not None
        made = {}
        for change in action.edit.document_changes or ():
            assert isinstance(change, types.TextDocumentEdit)
            path = Path(path_of(change.text_document.uri))
            assert change.text_document.version == self._versions.get(path)
            made[path] = _edited(_text(path), list(change.edits))
        return made


@asynccontextmanager
async def editor(folder: Path) -> AsyncIterator[Editor]:
    """An editor with a server of its own."""
    client = Editor()
    await client.begin(folder)
    try:
        yield client
    finally:
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()


def _kind(value: object) -> str:
    if isinstance(value, dict):
        return str(value["kind"])
    return str(getattr(value, "kind", ""))


def path_of(uri: str) -> str:
    from pygls.uris import to_fs_path

    path = to_fs_path(uri)
    assert path is not None
    return path


def _text(path: Path) -> str:
    return path.read_bytes().decode()


def _edited(text: str, edits: list[object]) -> str:
    """The text with edits made from the last one to the first; lines and columns as in Python."""
    lines = [*text.splitlines(keepends=True), ""]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    for edit in sorted(edits, key=lambda one: one.range.start, reverse=True):
        start, end = (starts[at.line] + at.character for at in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text


def run(session: Coroutine[Any, Any, None]) -> None:
    """Run a session in a thread of its own: tests of pages leave an event loop running in ours."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, session).result()
