--- Stopping the server, and starting it anew.

local config = require('escapelens.config')

local M = {}

--- How long a server may take to end by itself before it is made to.
local grace_ms = 3000

--- End the server; it comes no more until `restart`.
function M.stop()
  vim.lsp.enable(config.name, false)
end

--- Start the server anew, once the old one has left its buffers.
function M.restart()
  local leaving = {} ---@type table<integer, vim.lsp.Client>
  for _, server in ipairs(vim.lsp.get_clients({ name = config.name })) do
    if next(server.attached_buffers) then
      leaving[server.id] = server
    end
  end
  M.stop()
  if not next(leaving) then
    vim.lsp.enable(config.name)
    return
  end

  vim.api.nvim_create_autocmd('LspDetach', {
    group = vim.api.nvim_create_augroup('escapelens.restart', {}),
    desc = 'EscapeLens: start the server anew',
    callback = function(args)
      leaving[args.data.client_id] = nil
      if next(leaving) then
        return false
      end
      vim.schedule(function()
        vim.lsp.enable(config.name)
      end)
      return true
    end,
  })
  vim.defer_fn(function()
    for _, server in pairs(leaving) do
      server:stop(true)
    end
  end, grace_ms)
end

return M
