--- The compiler's own text, in a buffer beside the source.

local client = require('escapelens.client')

local M = {}

---@type table<integer, integer> buffer of the compiler's text, by that of the source
local buffers = {}

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
  end
  return bufnr
end

--- Open the text, or show it anew. `gF` goes to the place under the cursor.
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
