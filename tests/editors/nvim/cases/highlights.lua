-- Groups are links that a colour scheme or a user can replace, and that outlive a change of scheme.
return function(t)
  vim.api.nvim_set_hl(0, 'EscapeLensMoved', { fg = '#ff0000' })
  t.open_sample()
  local function group(name)
    return vim.api.nvim_get_hl(0, { name = name })
  end
  t.equal(0xff0000, group('EscapeLensMoved').fg, 'the user has the last word')
  t.equal('DiagnosticSignInfo', group('EscapeLensEscape').link, 'a link')
  vim.cmd.colorscheme('habamax')
  t.equal('DiagnosticSignInfo', group('EscapeLensEscape').link, 'a link in the next scheme')
end
