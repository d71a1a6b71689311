"""The recipe for Neovim in a Neovim without a window."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RECIPE = Path(__file__).parents[3] / "editors" / "neovim"

# Opens the grammar, waits for its repairs, makes the best of them, saves, and waits for the end.
SESSION = """
local said = {}
local function shown()
  return vim.diagnostic.get(0)
end
local function settled(condition)
  if not vim.wait(120000, condition, 50) then
    error("nothing came")
  end
end
package.path = RECIPE .. "/?.lua;" .. package.path
require("gramspect").setup({ cmd = COMMAND })
vim.cmd("edit calc.lark")
local function actions()
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = { start = { line = 0, character = 0 }, ["end"] = { line = 4, character = 0 } },
    context = { diagnostics = {} },
  }
  local answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 10000) or {}
  for _, answer in pairs(answers) do
    return answer.result or {}
  end
  return {}
end
settled(function() return #shown() > 0 end)
local best
settled(function() best = actions()[1] return best ~= nil end)
said.first = shown()[1].message
said.source = shown()[1].source
vim.lsp.codelens.refresh()
settled(function() return #(vim.lsp.codelens.get(0) or {}) > 0 end)
said.lens = vim.lsp.codelens.get(0)[1].command.title
vim.lsp.util.apply_workspace_edit(best.edit, "utf-16")
said.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\\n")
vim.cmd("wall")
settled(function() return #shown() == 0 end)
vim.fn.writefile({ vim.fn.json_encode(said) }, "said.json")
vim.cmd("qall!")
"""

END = """
local fine, problem = pcall(all)
if not fine then
  vim.fn.writefile({ tostring(problem) }, "wrong")
  vim.cmd("cquit")
end
"""


@pytest.mark.slow
def test_the_recipe_shows_what_is_suspicious_and_repairs_it(project: Path) -> None:
    neovim = shutil.which("nvim")
    if neovim is None:
        pytest.skip("the editor tests need Neovim: install the package neovim of your system")
    command = ", ".join(json.dumps(word) for word in (sys.executable, "-m", "gramspect", "lsp"))
    names = f"local RECIPE = {json.dumps(str(RECIPE))}\nlocal COMMAND = {{ {command} }}\n"
    (project / "session.lua").write_text(f"local function all()\n{names}{SESSION}\nend\n{END}")
    done = subprocess.run(
        [neovim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", "session.lua"],
        cwd=project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    wrong = project / "wrong"
    assert not wrong.exists(), wrong.read_text()
    assert done.returncode == 0, done.stderr
    said = json.loads((project / "said.json").read_text())
    assert said["source"] == "gramspect"
    assert said["first"].startswith('Suspicious: product -> product "*" • NUMBER. Rank 1,')
    assert said["lens"] == "3 accepted tests · 1 of 1 alternative"
    assert 'product "*" "-"? NUMBER' in said["text"]
    assert (project / "calc.lark").read_text() == said["text"] + "\n"
