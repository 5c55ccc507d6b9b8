--- Choosing the message types: a small window with a box for each.

local client = require('escapelens.client')
local config = require('escapelens.config')

local M = {}

local namespace = vim.api.nvim_create_namespace('escapelens.filter')

---@class escapelens.Choice
---@field client vim.lsp.Client
---@field source integer
---@field window integer
---@field bufnr integer
---@field shown table<escapelens.Type, boolean>
---@field counts table<escapelens.Type, integer> messages of the package, shown or not

---@param choice escapelens.Choice
local function draw(choice)
  if not vim.api.nvim_buf_is_valid(choice.bufnr) then
    return
  end
  local lines, marks = {}, {} ---@type string[], [integer, integer, integer, string][]
  for index, type in ipairs(config.types) do
    local box = choice.shown[type] and '[x] ' or '[ ] '
    local sign = config.sign(type)
    local label = config.labels[type]
    local gap = (' '):rep(16 - vim.api.nvim_strwidth(label))
    local count = tostring(choice.counts[type] or 0)
    table.insert(lines, ('%s%s %s%s%6s'):format(box, sign, label, gap, count))
    table.insert(marks, { index - 1, #box, #box + #sign, config.groups[type] })
    table.insert(marks, { index - 1, #lines[index] - #count, #lines[index], config.count_group })
  end
  vim.bo[choice.bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(choice.bufnr, 0, -1, false, lines)
  vim.bo[choice.bufnr].modifiable = false
  for _, mark in ipairs(marks) do
    local options = { end_col = mark[3], hl_group = mark[4] }
    vim.api.nvim_buf_set_extmark(choice.bufnr, namespace, mark[1], mark[2], options)
  end
end

--- Tell the server what is chosen now.
---@param choice escapelens.Choice
local function apply(choice)
  local types = vim.tbl_filter(function(type)
    return choice.shown[type]
  end, config.types)
  client.set_filter(choice.client, types, choice.source)
  draw(choice)
end

---@param choice escapelens.Choice
local function map(choice)
  local function on(keys, desc, run)
    for _, lhs in ipairs(keys) do
      local options = { buffer = choice.bufnr, nowait = true, desc = 'EscapeLens: ' .. desc }
      vim.keymap.set('n', lhs, run, options)
    end
  end
  on({ '<Space>', '<CR>', 'x' }, 'show or hide this type', function()
    local type = config.types[vim.api.nvim_win_get_cursor(0)[1]]
    choice.shown[type] = not choice.shown[type]
    apply(choice)
  end)
  on({ 'a' }, 'show all types', function()
    for _, type in ipairs(config.types) do
      choice.shown[type] = true
    end
    apply(choice)
  end)
  on({ 'q', '<Esc>' }, 'close', function()
    vim.api.nvim_win_close(choice.window, true)
  end)
end

--- Open the window of choices. Every change holds at once.
---@param server vim.lsp.Client
---@param source integer
function M.choose(server, source)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.b[bufnr].escapelens_source = source
  local window = vim.api.nvim_open_win(bufnr, true, {
    relative = 'cursor',
    row = 1,
    col = 0,
    width = 29,
    height = #config.types,
    style = 'minimal',
    border = vim.o.winborder == '' and 'single' or nil,
    title = ' <Space> toggle · a all · q ',
    title_pos = 'center',
  })
  vim.wo[window][0].cursorline = true
  ---@type escapelens.Choice
  local choice = {
    client = server,
    source = source,
    window = window,
    bufnr = bufnr,
    shown = {},
    counts = {},
  }
  for _, type in ipairs(client.shown(server)) do
    choice.shown[type] = true
  end
  map(choice)
  draw(choice)

  client.execute(server, 'messages', {
    uri = vim.uri_from_bufnr(source),
    scope = 'package',
    limit = 1,
  }, function(result)
    choice.counts = result.types
    draw(choice)
  end, source)
end

return M
