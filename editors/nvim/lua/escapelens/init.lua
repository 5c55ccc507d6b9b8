--- Life of the plugin in a buffer: from the server's attaching to its leaving.

local client = require('escapelens.client')
local config = require('escapelens.config')
local marks = require('escapelens.marks')
local statusline = require('escapelens.statusline')

local M = {}

local started = false

--- What is to be done once, before the first buffer.
local function start()
  if started then
    return
  end
  started = true
  config.set_highlights()

  local group = vim.api.nvim_create_augroup('escapelens.marks', {})
  local function on(event, desc, callback)
    vim.api.nvim_create_autocmd(event, {
      group = group,
      desc = 'EscapeLens: ' .. desc,
      callback = callback,
    })
  end

  local function ours(client_id)
    local server = vim.lsp.get_client_by_id(client_id)
    return server ~= nil and server.name == config.name
  end

  on('LspNotify', 'ask again after an edit', function(args)
    if args.data.method == 'textDocument/didChange' and ours(args.data.client_id) then
      marks.refresh(vim.uri_to_bufnr(args.data.params.textDocument.uri))
    end
  end)
  on('BufWinEnter', 'draw marks of a buffer that comes into a window', function(args)
    marks.refresh(args.buf)
  end)
  on('LspDetach', 'remove marks', function(args)
    if ours(args.data.client_id) then
      marks.forget(args.buf)
    end
  end)
end

--- Draw marks in a buffer that the server has attached to.
---@param server vim.lsp.Client
---@param bufnr integer
function M.attach(server, bufnr)
  start()
  -- Hints are drawn here, by the user's choice of a style: Neovim's own would be the same twice.
  server.server_capabilities.inlayHintProvider = nil
  marks.refresh(bufnr)
end

--- Take the server's word that it runs, is done, or shows something else now.
---@param status escapelens.Status
---@param client_id integer
function M.on_status(status, client_id)
  client.set_status(client_id, status)
  statusline.update(client_id)
  if status.state ~= 'running' then
    marks.refresh_client(client_id)
    -- Loaded by whoever has opened one.
    local tree = package.loaded['escapelens.tree']
    if tree then
      tree.refresh(client_id)
    end
  end
end

return M
