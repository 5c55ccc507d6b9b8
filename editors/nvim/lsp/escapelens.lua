-- Configuration for `vim.lsp.enable('escapelens')`. Every field can be overridden with
-- `vim.lsp.config('escapelens', { … })`.

---@type vim.lsp.Config
return {
  cmd = { 'escapelens', 'lsp' },
  filetypes = { 'go' },
  -- Without any of these the server starts all the same, for the lone file.
  root_markers = { 'go.work', 'go.mod', '.git' },
  -- gopls speaks UTF-16 only; one encoding a buffer keeps positions unambiguous for every plugin.
  capabilities = { general = { positionEncodings = { 'utf-16' } } },
  -- Marks are drawn in the sign column, so that diagnostics stay for problems.
  settings = { escapelens = { diagnostics = 'off' } },
  before_init = function(params, config)
    params.initializationOptions = config.settings.escapelens
  end,
  handlers = {
    ['escapelens/status'] = function(_, params, context)
      require('escapelens').on_status(params, context.client_id)
    end,
  },
}
