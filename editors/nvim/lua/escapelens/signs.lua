--- Marks in the sign column: one a line, by the strongest type.

local client = require('escapelens.client')
local config = require('escapelens.config')

local M = {}

--- Namespace of the marks.
M.namespace = vim.api.nvim_create_namespace('escapelens')

-- Above signs of version control (6), below those of problems (10).
local priority = 8

local visible = true

local requests = 0

---@type table<integer, integer> number of the newest request by buffer; older answers are dropped
local newest = {}

---@type table<escapelens.Type, integer>
local rank = {}
for index, type in ipairs(config.types) do
  rank[type] = index
end

--- The strongest message of each line.
---@param messages escapelens.Message[]
---@return table<integer, escapelens.Message> by 0-based line
local function by_line(messages)
  local lines = {}
  for _, message in ipairs(messages) do
    local line = message.range and message.range.start.line
    if line and (not lines[line] or rank[message.type] < rank[lines[line].type]) then
      lines[line] = message
    end
  end
  return lines
end

---@param bufnr integer
local function clear(bufnr)
  vim.api.nvim_buf_clear_namespace(bufnr, M.namespace, 0, -1)
end

---@param bufnr integer
---@param messages escapelens.Message[]
---@param encoding string
local function draw(bufnr, messages, encoding)
  clear(bufnr)
  for line, message in pairs(by_line(messages)) do
    local text = vim.api.nvim_buf_get_lines(bufnr, line, line + 1, false)[1]
    if text then
      local column = vim.str_byteindex(text, encoding, message.range.start.character, false)
      vim.api.nvim_buf_set_extmark(bufnr, M.namespace, line, column, {
        sign_text = config.sign(message.type),
        sign_hl_group = message.stale and config.stale_group or config.groups[message.type],
        priority = priority,
        -- Gone with its line, before the server is asked again.
        invalidate = true,
      })
    end
  end
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
  client.messages(server, bufnr, 'file', function(messages, version)
    -- After an edit the didChange that follows asks again.
    local current = newest[bufnr] == request and vim.lsp.util.buf_versions[bufnr] == version
    if current and vim.api.nvim_buf_is_loaded(bufnr) then
      draw(bufnr, messages, server.offset_encoding)
    end
  end)
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
  end
end

--- Show or hide the marks in every buffer.
---@param show boolean
function M.set_visible(show)
  visible = show
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

--- Go to a marked line of the current buffer, from the last on to the first.
---@param count integer how many marks on; back when negative
---@return boolean moved
function M.jump(count)
  local marks = vim.tbl_filter(function(mark)
    return not mark[4].invalid
  end, vim.api.nvim_buf_get_extmarks(0, M.namespace, 0, -1, { details = true }))
  if #marks == 0 then
    return false
  end
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local before, at_or_before = 0, 0
  for _, mark in ipairs(marks) do
    before = before + (mark[2] < row and 1 or 0)
    at_or_before = at_or_before + (mark[2] <= row and 1 or 0)
  end
  local from = count > 0 and at_or_before or before + 1
  local target = marks[(from + count - 1) % #marks + 1]
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_cursor(0, { target[2] + 1, target[3] })
  vim.cmd('normal! zv')
  return true
end

return M
