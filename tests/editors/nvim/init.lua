-- The configuration that the plugin's README tells people to write, with the server under test.
vim.opt.rtp:append(vim.env.ESCAPELENS_PLUGIN)
vim.lsp.config('escapelens', { cmd = vim.json.decode(vim.env.ESCAPELENS_SERVER) })
vim.lsp.enable('escapelens')
