--- `:checkhealth escapelens`

local client = require('escapelens.client')
local config = require('escapelens.config')

local health = vim.health

local M = {}

local time_limit_ms = 30000

--- Run a program and wait for it.
---@param command string[]
---@param cwd? string
---@return boolean ok, string output
local function output_of(command, cwd)
  local started, process = pcall(vim.system, command, { text = true, cwd = cwd })
  if not started then
    return false, tostring(process)
  end
  local result = process:wait(time_limit_ms)
  local output = vim.trim((result.stdout or '') .. (result.stderr or ''))
  return result.code == 0, output
end

---@return boolean whether the plugin works here at all
local function check_neovim()
  health.start('Neovim')
  local number = vim.version()
  local version = ('%d.%d.%d'):format(number.major, number.minor, number.patch)
  if vim.fn.has('nvim-0.11') == 0 then
    health.error(('Neovim %s is too old'):format(version), 'Use Neovim 0.11 or later.')
    return false
  end
  health.ok('Neovim ' .. version)
  -- 0.11.0 and 0.11.1 cannot tell.
  if not vim.lsp.is_enabled or vim.lsp.is_enabled(config.name) then
    health.ok('the server is enabled')
  else
    health.warn('the server is not enabled', "Add vim.lsp.enable('escapelens') to init.lua.")
  end
  return true
end

--- The command line of `escapelens doctor`, from that of the server.
---@param command any
---@return string[]?
local function doctor_command(command)
  if type(command) ~= 'table' or not vim.list_contains(command, 'lsp') then
    return nil
  end
  return vim.tbl_map(function(word)
    return word == 'lsp' and 'doctor' or word
  end, command)
end

---@param cwd? string
local function check_server(cwd)
  health.start('Server')
  local command = vim.lsp.config[config.name].cmd
  local doctor = doctor_command(command)
  if not doctor then
    health.info('the command is one of your own; `escapelens doctor` was not run')
    return
  end
  if vim.fn.executable(doctor[1]) == 0 then
    health.error(('"%s" was not found'):format(doctor[1]), {
      'Install it with `pip install escapelens` or `pipx install escapelens`.',
      "Or name it: vim.lsp.config('escapelens', { cmd = { '/path/to/escapelens', 'lsp' } })",
    })
    return
  end
  health.ok('found ' .. vim.fn.exepath(doctor[1]))
  local works, output = output_of(doctor, cwd)
  local title = table.concat(doctor, ' ')
  if works then
    health.ok(title .. '\n' .. output)
  else
    health.error(title .. ' reports a problem\n' .. output)
  end
end

---@param cwd? string
local function check_go(cwd)
  health.start('Go')
  local settings = vim.tbl_get(vim.lsp.config[config.name], 'settings', config.name) or {}
  local go = vim.tbl_get(settings, 'go', 'path') or 'go'
  if vim.fn.executable(go) == 0 then
    health.error(('"%s" was not found'):format(go), {
      'Install Go, or add it to PATH.',
      "Or name it in vim.lsp.config('escapelens', …): settings.escapelens.go.path",
    })
    return
  end
  local works, output = output_of({ go, 'version' }, cwd)
  if works then
    health.ok(output)
  else
    health.error(('"%s version" failed\n%s'):format(go, output))
  end
end

--- Other clients of its buffers, each named once; and whether one counts positions in another unit.
---@param server vim.lsp.Client
local function check_encoding(server)
  local seen = { [server.id] = true }
  for bufnr in pairs(server.attached_buffers) do
    for _, other in ipairs(vim.lsp.get_clients({ bufnr = bufnr })) do
      if not seen[other.id] then
        seen[other.id] = true
        if other.offset_encoding == server.offset_encoding then
          health.ok(('beside it %s counts in %s, too'):format(other.name, other.offset_encoding))
        else
          health.warn(
            ('buffer %d: %s counts in %s, %s in %s'):format(
              bufnr,
              server.name,
              server.offset_encoding,
              other.name,
              other.offset_encoding
            ),
            'Set capabilities.general.positionEncodings of both to { "utf-16" }, as escapelens has it: '
              .. 'gopls speaks no other.'
          )
        end
      end
    end
  end
end

---@param servers vim.lsp.Client[]
local function check_clients(servers)
  health.start('Clients')
  if #servers == 0 then
    health.info('none is running; open a Go file')
  end
  for _, server in ipairs(servers) do
    health.ok(
      ('client %d, root %s, buffers: %d, position encoding %s'):format(
        server.id,
        server.root_dir or '(none: lone files)',
        vim.tbl_count(server.attached_buffers),
        server.offset_encoding
      )
    )
    check_encoding(server)
    local status = client.status(server.id)
    if status and status.state == 'failed' then
      health.warn('the last analysis failed: ' .. (status.message or 'no reason given'))
    end
  end
end

--- Called by `:checkhealth escapelens`.
function M.check()
  if not check_neovim() then
    return
  end
  local servers = vim.lsp.get_clients({ name = config.name })
  local cwd = servers[1] and servers[1].root_dir or nil
  check_server(cwd)
  check_go(cwd)
  check_clients(servers)
end

return M
