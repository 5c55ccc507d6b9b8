--- Words in the text, for who wants them: behind the line, or the server's hints behind the values.

local config = require('escapelens.config')
local signs = require('escapelens.signs')

local M = {}

local namespace = vim.api.nvim_create_namespace('escapelens.virtual_text')

--- More messages than that on one line are only counted.
local most = 2

---@param bufnr integer
function M.clear(bufnr)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
end

--- What stands behind a line: sign and the compiler's words of the strongest messages.
---@param found escapelens.Message[]
---@return [string, string][]
local function chunks_of(found)
  local chunks = {} ---@type [string, string][]
  for index, message in ipairs(found) do
    if index > most then
      table.insert(chunks, { (' +%d'):format(#found - most), config.text_group })
      break
    end
    local group = message.stale and config.stale_group or config.groups[message.type]
    table.insert(chunks, { (' %s '):format(config.sign(message.type)), group })
    table.insert(chunks, { message.message, message.stale and config.stale_group or config.text_group })
  end
  return chunks
end

--- Draw the words behind the lines of a buffer in place of those it has.
---@param bufnr integer
---@param messages escapelens.Message[]
function M.draw(bufnr, messages)
  M.clear(bufnr)
  local last = vim.api.nvim_buf_line_count(bufnr) - 1
  for line, found in pairs(signs.by_line(messages)) do
    if line <= last then
      vim.api.nvim_buf_set_extmark(bufnr, namespace, line, 0, {
        virt_text = chunks_of(found),
        virt_text_pos = 'eol',
        hl_mode = 'combine',
        invalidate = true,
      })
    end
  end
end

--- The text of a hint, whose label may be of parts.
---@param hint lsp.InlayHint
---@return string
local function label_of(hint)
  local label = hint.label
  if type(label) == 'table' then
    label = vim.iter(label):fold('', function(text, part)
      return text .. part.value
    end)
  end
  return (hint.paddingLeft and ' ' or '') .. label .. (hint.paddingRight and ' ' or '')
end

--- Draw the server's hints in a buffer in place of what it has.
---@param bufnr integer
---@param hints lsp.InlayHint[]
---@param encoding string
function M.draw_hints(bufnr, hints, encoding)
  M.clear(bufnr)
  for _, hint in ipairs(hints) do
    local line = hint.position.line
    local text = vim.api.nvim_buf_get_lines(bufnr, line, line + 1, false)[1]
    if text then
      local column = vim.str_byteindex(text, encoding, hint.position.character, false)
      vim.api.nvim_buf_set_extmark(bufnr, namespace, line, column, {
        virt_text = { { label_of(hint), config.hint_group } },
        virt_text_pos = 'inline',
        invalidate = true,
      })
    end
  end
end

return M
