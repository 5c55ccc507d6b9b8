--- What is drawn in a buffer: asks the server, keeps the newest answer, shows and hides it.

local client = require('escapelens.client')
local config = require('escapelens.config')
local signs = require('escapelens.signs')
local statusline = require('escapelens.statusline')
local virtual_text = require('escapelens.virtual_text')

local M = {}

local visible = true

---@type escapelens.VirtualText? chosen in this session, in place of the user's option
local style

local requests = 0

---@type table<integer, integer> number of the newest request by buffer; older answers are dropped
local newest = {}

---@return escapelens.VirtualText
local function current_style()
  return style or config.virtual_text()
end

---@param bufnr integer
local function clear(bufnr)
  signs.clear(bufnr)
  virtual_text.clear(bufnr)
end

--- Ask the server what to show in a buffer, and draw it.
---@param bufnr integer
function M.refresh(bufnr)
  local server = client.get(bufnr)
  if not (visible and server) then
    return
  end
  requests = requests + 1
  local request = requests
  newest[bufnr] = request

  --- Whether an answer about a version of the buffer is what the user should see now: after an
  --- edit the didChange that follows asks again.
  local function is_current(version)
    return newest[bufnr] == request
      and vim.lsp.util.buf_versions[bufnr] == version
      and vim.api.nvim_buf_is_loaded(bufnr)
  end

  client.messages(server, bufnr, 'file', function(messages, version)
    if not is_current(version) then
      return
    end
    signs.draw(bufnr, messages, server.offset_encoding)
    if current_style() ~= 'inline' then
      virtual_text.draw(bufnr, current_style() == 'eol' and messages or {})
    end
    statusline.count(bufnr, messages)
    vim.api.nvim_exec_autocmds('User', {
      pattern = 'EscapeLensUpdate',
      modeline = false,
      data = { buf = bufnr },
    })
  end)
  if current_style() == 'inline' then
    client.hints(server, bufnr, function(hints, version)
      if is_current(version) then
        virtual_text.draw_hints(bufnr, hints, server.offset_encoding)
      end
    end)
  end
end

--- Refresh the buffers of a client that are in a window; the others are when they come into one.
---@param client_id integer
function M.refresh_client(client_id)
  local server = vim.lsp.get_client_by_id(client_id)
  for bufnr in pairs(server and server.attached_buffers or {}) do
    if #vim.fn.win_findbuf(bufnr) > 0 then
      M.refresh(bufnr)
    end
  end
end

--- Remove a buffer's marks, and expect no more answers about it.
---@param bufnr integer
function M.forget(bufnr)
  newest[bufnr] = nil
  if vim.api.nvim_buf_is_valid(bufnr) then
    clear(bufnr)
    statusline.forget(bufnr)
  end
end

--- Show or hide the marks in every buffer.
---@param show boolean
---@param new_style? escapelens.VirtualText from now on
function M.set_visible(show, new_style)
  visible = show
  style = new_style or style
  for _, server in ipairs(vim.lsp.get_clients({ name = config.name })) do
    if show then
      M.refresh_client(server.id)
    else
      for bufnr in pairs(server.attached_buffers) do
        M.forget(bufnr)
      end
    end
  end
end

return M
