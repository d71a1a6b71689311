-- gramspect in Neovim (0.7 or newer): the language server for the grammars of projects with a
-- gramspect.toml, or a [tool.gramspect] in pyproject.toml.
--
-- Put this file into the folder lua/ of your configuration, and into init.lua:
--
--     require("gramspect").setup()
--
-- `cmd` is what starts the server, for example from a virtual environment:
--
--     require("gramspect").setup({ cmd = { ".venv/bin/gramspect", "lsp" } })

local M = {}

M.patterns = { "*.g4", "*.lark", "*.y", "*.yy", "*.jj", "*.jjt", "*.cup", "*.py", "gramspect.toml" }

-- Whether a file configures a project: pyproject.toml may belong to something else.
local function configures(file)
  if vim.fn.filereadable(file) == 0 then
    return false
  end
  if vim.fn.fnamemodify(file, ":t") == "gramspect.toml" then
    return true
  end
  for _, line in ipairs(vim.fn.readfile(file)) do
    if line:match("^%s*%[tool%.gramspect[%].]") then
      return true
    end
  end
  return false
end

-- The folder of the project that a file is in, or nil.
local function project_of(file)
  local folder = vim.fn.fnamemodify(file, ":p:h")
  while true do
    for _, name in ipairs({ "gramspect.toml", "pyproject.toml" }) do
      if configures(folder .. "/" .. name) then
        return folder
      end
    end
    local above = vim.fn.fnamemodify(folder, ":h")
    if above == folder then
      return nil
    end
    folder = above
  end
end

function M.setup(options)
  options = options or {}
  local clients = {} -- by the folder of the project
  local group = vim.api.nvim_create_augroup("gramspect", {})

  local function attach(event)
    local root = project_of(event.match)
    if root == nil then
      return
    end
    if clients[root] == nil or vim.lsp.get_client_by_id(clients[root]) == nil then
      clients[root] = vim.lsp.start_client({
        name = "gramspect",
        cmd = options.cmd or { "gramspect", "lsp" },
        root_dir = root,
        on_attach = options.on_attach,
      })
    end
    vim.lsp.buf_attach_client(event.buf, clients[root])
  end

  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile" }, {
    group = group,
    pattern = M.patterns,
    callback = attach,
  })
  vim.api.nvim_create_autocmd({ "BufEnter", "CursorHold", "InsertLeave" }, {
    group = group,
    pattern = M.patterns,
    callback = function(event)
      for _, client in pairs(vim.lsp.buf_get_clients(event.buf)) do
        if client.name == "gramspect" then
          vim.lsp.codelens.refresh()
          return
        end
      end
    end,
  })
end

return M
