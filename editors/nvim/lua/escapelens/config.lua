--- Names, looks and the user's options (`vim.g.escapelens`).

---@alias escapelens.Type 'moved'|'escape'|'leak'|'can-inline'|'inline-call'|'other'

---@class escapelens.Options
---@field signs? table<escapelens.Type, string> text of a sign, at most two cells wide

local M = {}

--- Name of the client, of the settings section and of `lsp/escapelens.lua`.
M.name = 'escapelens'

--- Every message type, the strongest first: a line with several shows the sign of the first.
---@type escapelens.Type[]
M.types = { 'moved', 'escape', 'leak', 'can-inline', 'inline-call', 'other' }

--- What the server shows unless told otherwise.
---@type escapelens.Type[]
M.default_show = { 'escape', 'moved', 'leak' }

---@type table<escapelens.Type, string>
M.labels = {
  moved = 'Moved to Heap',
  escape = 'Escape to Heap',
  leak = 'Leak Param',
  ['can-inline'] = 'Can Inline',
  ['inline-call'] = 'Inlining Call',
  other = 'Other',
}

--- Highlight group of a sign by type.
---@type table<escapelens.Type, string>
M.groups = {
  moved = 'EscapeLensMoved',
  escape = 'EscapeLensEscape',
  leak = 'EscapeLensLeak',
  ['can-inline'] = 'EscapeLensInline',
  ['inline-call'] = 'EscapeLensInline',
  other = 'EscapeLensOther',
}

--- Highlight group of a sign whose message is older than the text.
M.stale_group = 'EscapeLensStale'

local links = {
  EscapeLensMoved = 'DiagnosticSignWarn',
  EscapeLensEscape = 'DiagnosticSignInfo',
  EscapeLensLeak = 'DiagnosticSignHint',
  EscapeLensInline = 'Comment',
  EscapeLensOther = 'Comment',
  EscapeLensStale = 'NonText',
}

-- The shapes differ as much as the colours do.
---@type table<escapelens.Type, string>
local default_signs = {
  moved = '●',
  escape = '◆',
  leak = '◇',
  ['can-inline'] = '»',
  ['inline-call'] = '»',
  other = '·',
}

--- Text of the sign of a type.
---@param type escapelens.Type
---@return string
function M.sign(type)
  local options = vim.g.escapelens or {} ---@type escapelens.Options
  return (options.signs or {})[type] or default_signs[type]
end

--- Link the highlight groups, where neither the user nor the colour scheme has defined them.
function M.set_highlights()
  for group, target in pairs(links) do
    vim.api.nvim_set_hl(0, group, { link = target, default = true })
  end
end

return M
