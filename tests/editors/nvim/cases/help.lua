-- The help file has a tag for the plugin, for each setting, and a word on each subcommand.
return function(t)
  local doc = vim.fs.joinpath(vim.env.ESCAPELENS_PLUGIN, 'doc')
  local copy = vim.fn.tempname()
  vim.fn.mkdir(copy .. '/doc', 'p')
  vim.uv.fs_copyfile(doc .. '/escapelens.txt', copy .. '/doc/escapelens.txt')
  vim.cmd('helptags ' .. copy .. '/doc')
  vim.opt.rtp:prepend(copy)
  for _, tag in ipairs({ 'escapelens', ':EscapeLens', 'escapelens.go.path', 'escapelens-gopls' }) do
    vim.cmd.help(tag)
    t.equal('escapelens.txt', vim.fs.basename(vim.api.nvim_buf_get_name(0)), tag)
  end
  local text = table.concat(t.lines(), '\n')
  for _, name in ipairs(vim.fn.getcompletion('EscapeLens ', 'cmdline')) do
    t.contains(text, 'EscapeLens ' .. name)
  end
  for _, line in ipairs(t.lines()) do
    t.equal(true, vim.fn.strdisplaywidth(line) <= 80, line)
  end
end
