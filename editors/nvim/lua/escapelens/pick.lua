--- A picker of messages: Telescope's, snacks's or fzf-lua's, whichever is installed; else `vim.ui.select`.

local lists = require('escapelens.lists')

local M = {}

local prompt = 'Escape analysis'

---@param item table quickfix entry
---@return string
local function text_of(item)
  return ('%s:%d:%d: %s'):format(vim.fn.fnamemodify(item.filename, ':.'), item.lnum, item.col, item.text)
end

---@param items table[]
---@return boolean whether it is installed
local function telescope(items)
  local found, pickers = pcall(require, 'telescope.pickers')
  if not found then
    return false
  end
  local values = require('telescope.config').values
  local options = {}
  pickers
    .new(options, {
      prompt_title = prompt,
      finder = require('telescope.finders').new_table({
        results = items,
        entry_maker = function(item)
          local text = text_of(item)
          return {
            value = item,
            ordinal = text,
            display = text,
            filename = item.filename,
            lnum = item.lnum,
            col = item.col,
          }
        end,
      }),
      previewer = values.qflist_previewer(options),
      sorter = values.generic_sorter(options),
    })
    :find()
  return true
end

---@param items table[]
---@return boolean whether it is installed
local function snacks(items)
  local found, module = pcall(require, 'snacks')
  if not (found and module.picker) then
    return false
  end
  module.picker.pick({
    source = 'escapelens',
    title = prompt,
    format = 'file',
    items = vim.tbl_map(function(item)
      return {
        text = text_of(item),
        file = item.filename,
        pos = { item.lnum, item.col - 1 },
        line = item.text,
      }
    end, items),
  })
  return true
end

---@param items table[]
---@return boolean whether it is installed
local function fzf_lua(items)
  local found, fzf = pcall(require, 'fzf-lua')
  if not found then
    return false
  end
  fzf.fzf_exec(vim.tbl_map(text_of, items), {
    prompt = prompt .. '> ',
    previewer = 'builtin',
    actions = fzf.defaults.actions.files,
  })
  return true
end

---@param items table[]
local function select(items)
  vim.ui.select(items, { prompt = prompt, format_item = text_of, kind = 'escapelens' }, function(item)
    if item then
      vim.cmd("normal! m'")
      vim.cmd.edit(vim.fn.fnameescape(item.filename))
      vim.api.nvim_win_set_cursor(0, { item.lnum, item.col - 1 })
      vim.cmd('normal! zv')
    end
  end)
end

--- Choose one of the messages of a scope, and go there.
---@param server vim.lsp.Client
---@param source integer
---@param scope 'file'|'package'|'module'
function M.open(server, source, scope)
  lists.items(server, source, scope, function(items)
    if not (telescope(items) or snacks(items) or fzf_lua(items)) then
      select(items)
    end
  end)
end

return M
