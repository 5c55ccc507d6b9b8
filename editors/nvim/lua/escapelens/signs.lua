--- Marks in the sign column: one a line, by the strongest type, with the count of what stands there.

local config = require('escapelens.config')

local M = {}

local namespace = vim.api.nvim_create_namespace('escapelens')

-- Above signs of version control (6), below those of problems (10).
local priority = 8

--- The messages of each line, the strongest first.
---@param messages escapelens.Message[]
---@return table<integer, escapelens.Message[]> by 0-based line
function M.by_line(messages)
  local rank = {} ---@type table<escapelens.Type, integer>
  for index, type in ipairs(config.types) do
    rank[type] = index
  end
  local lines = {} ---@type table<integer, escapelens.Message[]>
  for _, message in ipairs(messages) do
    local line = message.range and message.range.start.line
    if line then
      lines[line] = lines[line] or {}
      table.insert(lines[line], message)
    end
  end
  for _, found in pairs(lines) do
    local order = {} ---@type table<escapelens.Message, integer>
    for index, message in ipairs(found) do
      order[message] = index
    end
    table.sort(found, function(a, b)
      if rank[a.type] ~= rank[b.type] then
        return rank[a.type] < rank[b.type]
      end
      return order[a] < order[b]
    end)
  end
  return lines
end

--- A sign is two cells wide: behind one of one cell there is room for a digit.
---@param type escapelens.Type
---@param count integer
---@return string
local function text_of(type, count)
  local sign = config.sign(type)
  if count < 2 or vim.api.nvim_strwidth(sign) > 1 then
    return sign
  end
  return sign .. (count > 9 and '+' or count)
end

---@param bufnr integer
function M.clear(bufnr)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
end

--- Draw the signs of a buffer in place of those it has.
---@param bufnr integer
---@param messages escapelens.Message[]
---@param encoding string
function M.draw(bufnr, messages, encoding)
  M.clear(bufnr)
  for line, found in pairs(M.by_line(messages)) do
    local first = found[1]
    local text = vim.api.nvim_buf_get_lines(bufnr, line, line + 1, false)[1]
    if text then
      local column = vim.str_byteindex(text, encoding, first.range.start.character, false)
      vim.api.nvim_buf_set_extmark(bufnr, namespace, line, column, {
        sign_text = text_of(first.type, #found),
        sign_hl_group = first.stale and config.stale_group or config.groups[first.type],
        priority = priority,
        -- Gone with its line, before the server is asked again.
        invalidate = true,
      })
    end
  end
end

--- Go to a marked line of the current buffer, from the last on to the first.
---@param count integer how many marks on; back when negative
---@return boolean moved
function M.jump(count)
  local marks = vim.tbl_filter(function(mark)
    return not mark[4].invalid
  end, vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true }))
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
