--- The tree of messages: groups that open when asked, a page at a time.

local client = require('escapelens.client')
local config = require('escapelens.config')
local panel = require('escapelens.panel')

local M = {}

local page_size = 500

-- A tree that fits on a few screens is opened as a whole.
local open_all_below = 60

---@class escapelens.Children
---@field nodes (escapelens.Group|escapelens.Message)[]
---@field total integer

---@class escapelens.Tree
---@field panel integer its buffer
---@field client vim.lsp.Client
---@field source integer
---@field scope 'file'|'package'|'module'
---@field group_by (escapelens.GroupBy|'change')[]
---@field compare? { a: string, b: string } two runs, whose differences it shows
---@field title string
---@field sort 'position'|'count'|'loop'
---@field text string what the messages must contain
---@field open table<string, boolean> groups by their path
---@field cache table<string, escapelens.Children> children by the path of their parent
---@field paths table<string, string[]> keys of a path
---@field generation integer answers to older questions are dropped
---@field fresh boolean whether nothing came yet
---@field open_all boolean whether groups are open that the user has not closed

---@type escapelens.Tree?
local tree

---@param keys string[]
---@return string
local function path_of(keys)
  return table.concat(keys, '\0')
end

--- Ask for the next page of a node's children.
---@param keys string[]
---@param on_done fun()
local function load(keys, on_done)
  local this = assert(tree)
  local generation = this.generation
  local known = this.cache[path_of(keys)]
  client.execute(this.client, 'messages', {
    uri = vim.uri_from_bufnr(this.source),
    scope = this.scope,
    compare = this.compare,
    groupBy = this.group_by,
    parent = keys,
    filter = { text = this.text },
    sort = this.sort,
    offset = known and #known.nodes or 0,
    limit = page_size,
  }, function(page)
    if tree ~= this or this.generation ~= generation then
      return
    end
    known = known or { nodes = {}, total = 0 }
    vim.list_extend(known.nodes, page.nodes)
    known.total = page.total
    this.cache[path_of(keys)] = known
    on_done()
  end, this.source)
end

---@param node escapelens.Message
---@param indent string
---@return escapelens.Row
local function message_row(node, indent)
  local this = assert(tree)
  local place = node.range and tostring(node.range.start.line + 1) or ''
  if node.uri and not vim.list_contains(this.group_by, 'file') and this.scope ~= 'file' then
    place = vim.fs.basename(vim.uri_to_fname(node.uri)) .. ':' .. place
  end
  local group = node.stale and config.stale_group or config.groups[node.type]
  local note = ''
  if type(node.before) == 'table' then
    note = (' (was line %d)'):format(node.before.line)
  end
  return {
    id = node.id,
    data = node,
    chunks = {
      { indent .. '  ' },
      { config.sign(node.type), group },
      { (' %s '):format(place), config.count_group },
      { node.message, node.stale and config.stale_group or nil },
      { note, config.count_group },
    },
  }
end

local change_groups = { new = config.new_group, gone = config.gone_group }

---@param node escapelens.Group
---@param indent string
---@param path string
---@return escapelens.Row
local function group_row(node, indent, path)
  local chunks = {
    { indent .. (tree.open[path] and '▾ ' or '▸ ') },
    { node.label, change_groups[node.by == 'change' and node.key] or config.group_group },
    { (' %d'):format(node.count), config.count_group },
  }
  if node.by ~= 'type' and vim.tbl_count(node.types) > 1 then
    for _, type in ipairs(config.types) do
      if node.types[type] then
        table.insert(chunks, { (' %s%d'):format(config.sign(type), node.types[type]), config.groups[type] })
      end
    end
  end
  return { id = path, chunks = chunks, data = node }
end

--- The rows below a node, as far as they are open and known.
---@param keys string[]
---@param rows escapelens.Row[]
local function collect(keys, rows)
  local children = tree.cache[path_of(keys)]
  if not children then
    return
  end
  local indent = ('  '):rep(#keys)
  for _, node in ipairs(children.nodes) do
    if node.node == 'group' then
      local below = vim.list_extend({ unpack(keys) }, { node.key })
      local path = path_of(below)
      tree.paths[path] = below
      table.insert(rows, group_row(node, indent, path))
      if tree.open[path] then
        collect(below, rows)
      end
    else
      table.insert(rows, message_row(node, indent))
    end
  end
  local left = children.total - #children.nodes
  if left > 0 then
    local text = ('%s  … %d more'):format(indent, left)
    table.insert(rows, {
      id = path_of(keys) .. '\0more',
      chunks = { { text, config.count_group } },
      data = { node = 'more', keys = keys },
    })
  end
end

local sorts = { position = 'position', count = 'the most first', loop = 'those in loops first' }

local function draw()
  local rows = {} ---@type escapelens.Row[]
  collect({}, rows)
  local words = { tree.title, table.concat(tree.group_by, ' › ') }
  if tree.sort ~= 'position' then
    table.insert(words, sorts[tree.sort])
  end
  if tree.text ~= '' then
    table.insert(words, ('“%s”'):format(tree.text))
  end
  if #rows == 0 then
    rows = { { id = '', chunks = { { tree.compare and 'No difference' or 'No messages', config.count_group } } } }
  end
  panel.draw(tree.panel, table.concat(words, ' · '), rows)
end

--- Ask for whatever is open and not known, level by level, then draw.
---@param keys string[]
local function fill(keys)
  local waiting = 0
  local function settle()
    waiting = waiting - 1
    if waiting == 0 then
      draw()
    end
  end

  ---@param at string[]
  local function visit(at)
    local children = tree.cache[path_of(at)]
    if not children then
      waiting = waiting + 1
      load(at, function()
        visit(at)
        settle()
      end)
      return
    end
    if #at == 0 and tree.fresh then
      local total = vim.iter(children.nodes):fold(0, function(sum, node)
        return sum + (node.count or 1)
      end)
      tree.fresh = false
      tree.open_all = total < open_all_below
    end
    for _, node in ipairs(children.nodes) do
      if node.node == 'group' then
        local below = vim.list_extend({ unpack(at) }, { node.key })
        local path = path_of(below)
        if tree.open_all and tree.open[path] == nil then
          tree.open[path] = true
        end
        if tree.open[path] then
          visit(below)
        end
      end
    end
  end

  waiting = 1
  visit(keys)
  settle()
end

--- Forget what is known, and ask anew.
local function reload()
  tree.generation = tree.generation + 1
  tree.cache = {}
  fill({})
end

---@param row? escapelens.Row
---@param open? boolean the other way round if nil
local function fold(row, open)
  local node = row and row.data
  if not node or node.node ~= 'group' then
    return
  end
  if open == nil then
    open = not tree.open[row.id]
  end
  tree.open[row.id] = open
  fill({})
end

--- Open or close every group that is known.
---@param open boolean
local function fold_all(open)
  tree.open_all = open
  for path in pairs(tree.paths) do
    tree.open[path] = open
  end
  fill({})
end

---@param row? escapelens.Row
local function enter(row)
  local node = row and row.data
  if not node then
    return
  elseif node.node == 'group' then
    fold(row)
  elseif node.node == 'more' then
    load(node.keys, draw)
  elseif node.uri and node.range then
    panel.jump(tree.panel, node, tree.client.offset_encoding)
  else
    client.notify('the compiler gives no place for this one')
  end
end

---@param row? escapelens.Row
local function preview(row)
  local node = row and row.data
  if node and node.node == 'message' and node.uri and node.range then
    client.explain(tree.client, tree.source, node.uri, node.range.start)
  end
end

local function choose_grouping()
  local choices = {
    { 'file', 'function', 'type' },
    { 'function', 'type' },
    { 'type', 'file', 'function' },
    { 'cause', 'file', 'function' },
    { 'type', 'cause', 'function' },
    { 'file' },
  }
  vim.ui.select(choices, {
    prompt = 'Group by',
    format_item = function(choice)
      return table.concat(choice, ' › ')
    end,
  }, function(choice)
    if choice and tree then
      if tree.compare then
        table.insert(choice, 1, 'change')
      end
      tree.group_by = choice
      tree.open, tree.paths, tree.fresh = {}, {}, true
      reload()
    end
  end)
end

local function choose_order()
  vim.ui.select({ 'position', 'count', 'loop' }, {
    prompt = 'Order',
    format_item = function(choice)
      return sorts[choice]
    end,
  }, function(choice)
    if choice and tree then
      tree.sort = choice
      reload()
    end
  end)
end

local function ask_text()
  vim.ui.input({ prompt = 'Messages with: ', default = tree.text }, function(text)
    if text and tree then
      tree.text = text
      reload()
    end
  end)
end

---@type escapelens.Key[]
local keys = {
  { keys = { '<CR>', 'o' }, desc = 'jump to a message, open or close a group', run = enter },
  { keys = { 'K', 'p' }, desc = 'preview: why, and the way of the value', run = preview },
  { keys = { 'za', '<Tab>' }, desc = 'open or close a group', run = fold },
  {
    keys = { 'zo' },
    desc = 'open a group',
    run = function(row)
      fold(row, true)
    end,
  },
  {
    keys = { 'zc' },
    desc = 'close a group',
    run = function(row)
      fold(row, false)
    end,
  },
  {
    keys = { 'zR' },
    desc = 'open all groups',
    run = function()
      fold_all(true)
    end,
  },
  {
    keys = { 'zM' },
    desc = 'close all groups',
    run = function()
      fold_all(false)
    end,
  },
  {
    keys = { 'f' },
    desc = 'choose the message types',
    run = function()
      require('escapelens.filter').choose(tree.client, tree.source)
    end,
  },
  { keys = { 't' }, desc = 'only messages with a text', run = ask_text },
  { keys = { 's' }, desc = 'choose the grouping', run = choose_grouping },
  { keys = { 'S' }, desc = 'choose the order', run = choose_order },
  { keys = { 'R' }, desc = 'ask the server again', run = reload },
}

---@class escapelens.TreeOptions
---@field scope 'file'|'package'|'module'
---@field group_by (escapelens.GroupBy|'change')[]
---@field title? string the scope by default
---@field compare? { a: string, b: string }

--- Open a tree in place of the one before.
---@param server vim.lsp.Client
---@param source integer
---@param options escapelens.TreeOptions
function M.open(server, source, options)
  tree = {
    panel = panel.open('tree', source, keys),
    client = server,
    source = source,
    scope = options.scope,
    group_by = options.group_by,
    compare = options.compare,
    title = options.title or options.scope,
    sort = tree and tree.sort or 'position',
    text = '',
    open = {},
    cache = {},
    paths = {},
    generation = 0,
    fresh = true,
    open_all = false,
  }
  fill({})
end

--- Ask again if the tree of a client is in a window.
---@param client_id integer
function M.refresh(client_id)
  if tree and tree.client.id == client_id and panel.window(tree.panel) then
    reload()
  end
end

return M
