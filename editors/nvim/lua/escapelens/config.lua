--- Names, looks and the user's options (`vim.g.escapelens`).

---@alias escapelens.Type 'moved'|'escape'|'leak'|'can-inline'|'inline-call'|'other'

---@alias escapelens.VirtualText 'none'|'eol'|'inline'

---@class escapelens.Options
---@field signs? table<escapelens.Type, string> text of a sign, at most two cells wide; of one cell, a count fits behind
---@field virtual_text? escapelens.VirtualText words behind a line, hints behind a value, or (unless told) none
---@field group_by? escapelens.GroupBy[] levels of the tree, the outermost first

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

--- Highlight group of the words behind a line, and of a hint behind a value.
M.text_group = 'EscapeLensText'
M.hint_group = 'EscapeLensHint'

--- Highlight groups of trees: a group's name, its count, what came and what went.
M.group_group = 'EscapeLensGroup'
M.count_group = 'EscapeLensCount'
M.new_group = 'EscapeLensNew'
M.gone_group = 'EscapeLensGone'

---@type escapelens.VirtualText[]
M.virtual_texts = { 'none', 'eol', 'inline' }

---@alias escapelens.GroupBy 'file'|'function'|'type'|'cause'

---@type escapelens.GroupBy[]
M.groupings = { 'file', 'function', 'type', 'cause' }

---@type ('file'|'package'|'module')[]
M.scopes = { 'file', 'package', 'module' }

local links = {
  EscapeLensMoved = 'DiagnosticSignWarn',
  EscapeLensEscape = 'DiagnosticSignInfo',
  EscapeLensLeak = 'DiagnosticSignHint',
  EscapeLensInline = 'Comment',
  EscapeLensOther = 'Comment',
  EscapeLensStale = 'NonText',
  EscapeLensText = 'LspCodeLens',
  EscapeLensHint = 'LspInlayHint',
  EscapeLensGroup = 'Directory',
  EscapeLensCount = 'Comment',
  EscapeLensNew = 'Added',
  EscapeLensGone = 'Removed',
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

--- The user's options as they are now.
---@return escapelens.Options
local function options()
  return vim.g.escapelens or {}
end

--- Text of the sign of a type.
---@param type escapelens.Type
---@return string
function M.sign(type)
  return (options().signs or {})[type] or default_signs[type]
end

--- The style of virtual text that the user has set; an unknown one counts as none.
---@return escapelens.VirtualText
function M.virtual_text()
  local style = options().virtual_text
  return vim.list_contains(M.virtual_texts, style) and style or 'none'
end

--- The levels of the tree unless told otherwise.
---@return escapelens.GroupBy[]
function M.group_by()
  return options().group_by or { 'file', 'function', 'type' }
end

--- Link the highlight groups, where neither the user nor the colour scheme has defined them.
function M.set_highlights()
  for group, target in pairs(links) do
    vim.api.nvim_set_hl(0, group, { link = target, default = true })
  end
end

return M
