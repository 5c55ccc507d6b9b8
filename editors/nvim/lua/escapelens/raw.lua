--- The compiler's own text, in a buffer beside the source.

local client = require('escapelens.client')
local panel = require('escapelens.panel')

local M = {}

---@type table<integer, integer> buffer of the compiler's text, by that of the source
local buffers = {}

--- The file of a place in the text: the go command prints paths as seen from where it ran.
---@param name string
---@param source integer
---@return string?
local function file_of(name, source)
  local file = vim.api.nvim_buf_get_name(source)
  for folder in vim.fs.parents(file) do
    local path = vim.fn.isabsolutepath(name) == 1 and name or vim.fs.joinpath(folder, name)
    if vim.uv.fs_stat(path) then
      return vim.fs.normalize(path)
    end
  end
end

--- Go to the place under the cursor, in the window of the source.
---@param bufnr integer
---@param source integer
local function jump(bufnr, source)
  local name, line, column = vim.fn.expand('<cWORD>'):match('^(.-%.go):(%d+):?(%d*)')
  local path = name and file_of(name, source)
  if not path then
    client.notify('no place in a file here')
    return
  end
  local position = { line = tonumber(line) - 1, character = (tonumber(column) or 1) - 1 }
  local range = { start = position, ['end'] = position }
  panel.jump(bufnr, { uri = vim.uri_from_fname(path), range = range }, 'utf-8')
end

---@param source integer
---@return integer
local function buffer_of(source)
  local bufnr = buffers[source]
  if not (bufnr and vim.api.nvim_buf_is_valid(bufnr)) then
    bufnr = vim.api.nvim_create_buf(false, true)
    buffers[source] = bufnr
    vim.api.nvim_buf_set_name(bufnr, 'escapelens://raw' .. vim.api.nvim_buf_get_name(source))
    vim.bo[bufnr].bufhidden = 'wipe'
    vim.b[bufnr].escapelens_source = source
    for _, lhs in ipairs({ '<CR>', 'gF' }) do
      vim.keymap.set('n', lhs, function()
        jump(bufnr, source)
      end, { buffer = bufnr, desc = 'EscapeLens: go to the place under the cursor' })
    end
  end
  return bufnr
end

--- Open the text, or show it anew.
---@param server vim.lsp.Client
---@param source integer
function M.open(server, source)
  client.execute(server, 'showRaw', { uri = vim.uri_from_bufnr(source) }, function(result)
    local bufnr = buffer_of(source)
    vim.bo[bufnr].modifiable = true
    local lines = vim.split(result.text, '\n', { trimempty = true })
    vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
    vim.bo[bufnr].modifiable = false
    local window = vim.fn.win_findbuf(bufnr)[1]
    if window then
      vim.api.nvim_set_current_win(window)
    else
      vim.api.nvim_open_win(bufnr, true, { split = 'below', win = 0 })
    end
  end, source)
end

return M
