--- `:EscapeLens`: subcommands and their completion. What they do is loaded when they are called.

local client = require('escapelens.client')
local config = require('escapelens.config')

local M = {}

---@class escapelens.Invocation
---@field args string[] words after the subcommand
---@field count integer

---@class escapelens.Subcommand
---@field run fun(invocation: escapelens.Invocation)
---@field values? string[] what its arguments can be
---@field most? integer how many of them; one by default
---@field free? boolean whether other words are allowed

--- A subcommand that is about the current buffer and its server.
---@param run fun(server: vim.lsp.Client, source: integer, args: string[])
---@return fun(invocation: escapelens.Invocation)
local function with_server(run)
  return function(invocation)
    local server, source = client.current()
    if server then
      run(server, source, invocation.args)
    end
  end
end

---@param direction 1|-1
---@return fun(invocation: escapelens.Invocation)
local function jump(direction)
  return function(invocation)
    if not require('escapelens.signs').jump(direction * invocation.count) then
      client.notify('no marks in this buffer')
    end
  end
end

--- Scope and levels of the tree. "file" is a scope as the first word, a level behind it.
---@param args string[]
---@return escapelens.TreeOptions
local function tree_options(args)
  local scope = vim.list_contains(config.scopes, args[1]) and args[1] or nil
  local levels = vim.list_slice(args, scope and 2 or 1)
  return {
    scope = scope or 'package',
    group_by = #levels > 0 and levels or config.group_by(),
  }
end

local environment_words = {
  'GOOS=', 'GOARCH=', 'GOEXPERIMENT=', 'CGO_ENABLED=0', '-tags=', '-gcflags=',
  'GOOS=darwin', 'GOOS=freebsd', 'GOOS=js', 'GOOS=linux', 'GOOS=wasip1', 'GOOS=windows',
  'GOARCH=386', 'GOARCH=amd64', 'GOARCH=arm', 'GOARCH=arm64', 'GOARCH=riscv64', 'GOARCH=wasm',
} -- stylua: ignore

---@type table<string, escapelens.Subcommand>
local subcommands = {
  run = {
    values = config.scopes,
    run = with_server(function(server, source, args)
      require('escapelens.run').start(server, source, { scope = args[1] })
    end),
  },
  env = {
    values = environment_words,
    most = 20,
    free = true,
    run = with_server(function(server, source, args)
      local run = require('escapelens.run')
      if #args > 0 then
        run.with_environment(server, source, args)
        return
      end
      vim.ui.input({ prompt = 'Analyse with (GOOS=…, -tags=…, -gcflags=…): ' }, function(words)
        if words and vim.trim(words) ~= '' then
          run.with_environment(server, source, vim.split(vim.trim(words), '%s+'))
        end
      end)
    end),
  },
  filter = {
    values = config.types,
    most = #config.types,
    run = with_server(function(server, source, args)
      if #args == 0 then
        require('escapelens.filter').choose(server, source)
      else
        client.set_filter(server, args, source)
      end
    end),
  },
  show = {
    values = config.virtual_texts,
    run = function(invocation)
      require('escapelens.marks').set_visible(true, invocation.args[1])
    end,
  },
  hide = {
    run = function()
      require('escapelens.marks').set_visible(false)
    end,
  },
  tree = {
    values = { 'file', 'package', 'module', 'function', 'type', 'cause' },
    most = 5,
    run = with_server(function(server, source, args)
      require('escapelens.tree').open(server, source, tree_options(args))
    end),
  },
  raw = {
    run = with_server(function(server, source)
      require('escapelens.raw').open(server, source)
    end),
  },
  compare = {
    values = { 'pick' },
    most = 2,
    free = true,
    run = with_server(function(server, source, args)
      require('escapelens.compare').open(server, source, args)
    end),
  },
  explain = {
    run = with_server(function(server, source)
      local place = vim.lsp.util.make_position_params(0, server.offset_encoding)
      client.explain(server, source, place.textDocument.uri, place.position)
    end),
  },
  next = { run = jump(1) },
  prev = { run = jump(-1) },
  qf = {
    values = config.scopes,
    run = with_server(function(server, source, args)
      require('escapelens.lists').open(server, source, args[1] or 'package', false)
    end),
  },
  loc = {
    values = config.scopes,
    run = with_server(function(server, source, args)
      require('escapelens.lists').open(server, source, args[1] or 'file', true)
    end),
  },
  pick = {
    values = config.scopes,
    run = with_server(function(server, source, args)
      require('escapelens.pick').open(server, source, args[1] or 'package')
    end),
  },
  restart = {
    run = function()
      require('escapelens.server').restart()
    end,
  },
  stop = {
    run = function()
      require('escapelens.server').stop()
    end,
  },
}

--- What is wrong with a subcommand's arguments, if anything.
---@param name string
---@param args string[]
---@return string?
local function complaint(name, args)
  local subcommand = subcommands[name]
  if not subcommand then
    return ('no subcommand "%s"; there are %s'):format(
      name,
      table.concat(vim.fn.sort(vim.tbl_keys(subcommands)), ', ')
    )
  end
  local values = subcommand.values or {}
  local most = subcommand.most or math.min(#values, 1)
  if #args > most then
    return ('%s takes %s'):format(name, most == 0 and 'no argument' or ('at most %d'):format(most))
  end
  for _, value in ipairs(subcommand.free and {} or args) do
    if not vim.list_contains(values, value) then
      return ('"%s" is none of %s'):format(value, table.concat(values, ', '))
    end
  end
end

--- Run a subcommand.
---@param command vim.api.keyset.create_user_command.command_args
function M.run(command)
  local args = vim.deepcopy(command.fargs)
  local name = table.remove(args, 1)
  local problem = complaint(name, args)
  if problem then
    client.notify(problem, vim.log.levels.ERROR)
    return
  end
  subcommands[name].run({ args = args, count = command.count })
end

--- Complete a subcommand or its arguments.
---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local rest = line:match('EscapeLens%s+(.*)$') or ''
  local words = vim.split(rest, '%s+', { trimempty = true })
  if lead ~= '' then
    table.remove(words)
  end
  local name = table.remove(words, 1)
  local candidates ---@type string[]
  if not name then
    candidates = vim.fn.sort(vim.tbl_keys(subcommands))
  else
    local subcommand = subcommands[name] or {}
    local room = #words < (subcommand.most or 1)
    candidates = room and subcommand.values or {}
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead) and not vim.list_contains(words, candidate)
  end, candidates)
end

return M
