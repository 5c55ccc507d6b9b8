--- Two runs side by side: what is gone, what is new, what only moved.

local client = require('escapelens.client')
local config = require('escapelens.config')
local panel = require('escapelens.panel')

local M = {}

---@class escapelens.Run
---@field id string
---@field scope string
---@field label string
---@field time number
---@field messages integer
---@field package? string

---@param run escapelens.Run
---@return string
local function name_of(run)
  local words = { run.id, os.date('%H:%M:%S', math.floor(run.time)), run.scope, run.messages .. ' messages' }
  if run.label ~= '' then
    table.insert(words, run.label)
  end
  return table.concat(words, ' · ')
end

--- The location of a message of a report, which counts bytes from 1.
---@param message table
---@return { uri: string, range: lsp.Range }?
local function location_of(message)
  local range = message.range
  if not (message.uri and type(range) == 'table') then
    return nil
  end
  return {
    uri = message.uri,
    range = {
      start = { line = range.line - 1, character = range.column - 1 },
      ['end'] = { line = range.endLine - 1, character = range.endColumn - 1 },
    },
  }
end

---@param mark string
---@param group string
---@param message table
---@param note? string
---@return escapelens.Row
local function row_of(mark, group, message, note)
  local file = type(message.file) == 'string' and vim.fs.basename(message.file) or '-'
  return {
    id = ('%s %s:%s:%s %s'):format(mark, message.file, message.line, message.column, message.message),
    data = location_of(message),
    chunks = {
      { '  ' .. mark .. ' ', group },
      { config.sign(message.type), config.groups[message.type] },
      { (' %s:%d '):format(file, message.line or 0), config.count_group },
      { message.message },
      { note or '', config.count_group },
    },
  }
end

---@param result table
---@return escapelens.Row[]
local function rows_of(result)
  local rows = {} ---@type escapelens.Row[]
  local function section(title, entries)
    if #entries > 0 then
      local chunks = { { title, config.group_group }, { ' ' .. #entries, config.count_group } }
      table.insert(rows, { id = title, chunks = chunks })
      vim.list_extend(rows, entries)
    end
  end
  section(
    'New',
    vim.tbl_map(function(message)
      return row_of('+', config.new_group, message)
    end, result.new)
  )
  section(
    'Gone',
    vim.tbl_map(function(message)
      return row_of('-', config.gone_group, message)
    end, result.gone)
  )
  section(
    'Moved',
    vim.tbl_map(function(pair)
      return row_of('~', config.count_group, pair.after, (' (was line %d)'):format(pair.before.line or 0))
    end, result.moved)
  )
  local same = type(result.same) == 'table' and #result.same or result.same
  table.insert(rows, {
    id = 'same',
    chunks = { { 'Unchanged', config.group_group }, { (' %d'):format(same or 0), config.count_group } },
  })
  return rows
end

--- Compare two runs and show the result.
---@param server vim.lsp.Client
---@param source integer
---@param before escapelens.Run
---@param after escapelens.Run
local function show(server, source, before, after)
  client.execute(server, 'compare', { a = before.id, b = after.id }, function(result)
    local bufnr ---@type integer
    local function enter(row)
      if row and row.data then
        panel.jump(bufnr, row.data, 'utf-8')
      end
    end
    bufnr = panel.open('compare', source, {
      { keys = { '<CR>', 'o' }, desc = 'jump to a message', run = enter },
    })
    panel.draw(bufnr, ('%s → %s'):format(name_of(before), name_of(after)), rows_of(result))
  end, source)
end

--- Let the user choose one of the runs.
---@param runs escapelens.Run[]
---@param prompt string
---@param on_choice fun(run: escapelens.Run)
local function choose(runs, prompt, on_choice)
  vim.ui.select(runs, { prompt = prompt, format_item = name_of }, function(run)
    if run then
      on_choice(run)
    end
  end)
end

--- The newest run, and the one before it that is about the same.
---@param runs escapelens.Run[] newest first
---@return escapelens.Run? before, escapelens.Run? after
local function last_two(runs)
  local after = runs[1]
  for index = 2, #runs do
    if runs[index].scope == after.scope and runs[index].package == after.package then
      return runs[index], after
    end
  end
end

--- Compare the last two runs, those with two ids, or (`pick`) two that the user chooses.
---@param server vim.lsp.Client
---@param source integer
---@param args string[]
function M.open(server, source, args)
  client.execute(server, 'runs', {}, function(result)
    local runs = result.runs ---@type escapelens.Run[]
    if #runs < 2 then
      client.notify('there is only one run so far; change something, save, and compare then')
      return
    end
    if args[1] == 'pick' then
      choose(runs, 'Before', function(before)
        choose(runs, 'After', function(after)
          show(server, source, before, after)
        end)
      end)
      return
    end
    local before, after = last_two(runs)
    if #args > 0 then
      local by_id = {} ---@type table<string, escapelens.Run>
      for _, run in ipairs(runs) do
        by_id[run.id] = run
      end
      before, after = by_id[args[1]], by_id[args[2] or runs[1].id]
    end
    if before and after then
      show(server, source, before, after)
    else
      client.notify('no such run; :EscapeLens compare pick lists those that are kept', vim.log.levels.WARN)
    end
  end, source)
end

return M
