--- Two runs side by side: the tree of what is new, gone, or only moved.

local client = require('escapelens.client')
local tree = require('escapelens.tree')

local M = {}

---@class escapelens.Run
---@field id string
---@field scope 'file'|'package'|'module'
---@field label string of an environment of its own, else empty
---@field root string
---@field time number seconds since the epoch
---@field messages integer
---@field previous? string the run before of the same kind

---@param run escapelens.Run
---@return string
local function name_of(run)
  local name = ('#%s %s'):format(run.id, os.date('%H:%M:%S', math.floor(run.time)))
  return run.label == '' and name or name .. ' ' .. run.label
end

---@param run escapelens.Run
---@return string
local function entry_of(run)
  return ('%s · %s %s · %d messages'):format(name_of(run), run.scope, vim.fs.basename(run.root), run.messages)
end

--- Show what changed from one run to another.
---@param server vim.lsp.Client
---@param source integer
---@param before escapelens.Run
---@param after escapelens.Run
local function show(server, source, before, after)
  tree.open(server, source, {
    scope = after.scope == 'file' and 'file' or 'package',
    group_by = { 'change', 'file' },
    title = ('%s → %s'):format(name_of(before), name_of(after)),
    compare = { a = before.id, b = after.id },
  })
end

--- Let the user choose one of the runs.
---@param runs escapelens.Run[]
---@param prompt string
---@param on_choice fun(run: escapelens.Run)
local function choose(runs, prompt, on_choice)
  vim.ui.select(runs, { prompt = prompt, format_item = entry_of }, function(run)
    if run then
      on_choice(run)
    end
  end)
end

--- The run to compare another with unless told: the one before, or for a run with an environment of
--- its own the newest without one.
---@param runs escapelens.Run[] newest first
---@param after escapelens.Run
---@return escapelens.Run?
local function before_of(runs, after)
  return vim.iter(runs):find(function(run)
    if type(after.previous) == 'string' then
      return run.id == after.previous
    end
    return run.root == after.root and run.scope == after.scope and run.label == '' and after.label ~= ''
  end)
end

--- Compare the newest run with the one before it, two runs by their ids, or (`pick`) two that the
--- user chooses.
---@param server vim.lsp.Client
---@param source integer
---@param args string[]
function M.open(server, source, args)
  client.execute(server, 'runs', {}, function(result)
    local runs = result.runs ---@type escapelens.Run[]
    local function run_of(id)
      return vim.iter(runs):find(function(run)
        return run.id == id
      end)
    end

    if #runs < 2 then
      client.notify('no two runs to compare so far; change something and save')
    elseif args[1] == 'pick' then
      choose(runs, 'Before', function(before)
        choose(runs, 'After', function(after)
          show(server, source, before, after)
        end)
      end)
    else
      local after = #args == 0 and runs[1] or run_of(args[2] or runs[1].id)
      local before = #args == 0 and before_of(runs, after) or run_of(args[1])
      if before and after then
        show(server, source, before, after)
      else
        client.notify(':EscapeLens compare pick lists the runs that are kept', vim.log.levels.WARN)
      end
    end
  end, source)
end

return M
