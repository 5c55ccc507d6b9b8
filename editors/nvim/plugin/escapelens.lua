-- Defines the command and one autocommand; everything else waits for the server to attach.

if vim.g.loaded_escapelens then
  return
end
vim.g.loaded_escapelens = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify('EscapeLens needs Neovim 0.11 or later', vim.log.levels.WARN)
  return
end

vim.api.nvim_create_user_command('EscapeLens', function(command)
  require('escapelens.commands').run(command)
end, {
  nargs = '+',
  bar = true,
  count = 1,
  desc = 'What the Go compiler says about heap values',
  complete = function(lead, line)
    return require('escapelens.commands').complete(lead, line)
  end,
})

vim.api.nvim_create_autocmd('LspAttach', {
  group = vim.api.nvim_create_augroup('escapelens', {}),
  desc = 'EscapeLens: draw marks',
  callback = function(args)
    local client = vim.lsp.get_client_by_id(args.data.client_id)
    if client and client.name == 'escapelens' then
      require('escapelens').attach(client, args.buf)
    end
  end,
})
