-- A package that does not build keeps its last marks, pale, and has one diagnostic that says why.
return function(t)
  t.open_sample()
  local pale = vim.tbl_map(function(sign)
    return (sign:gsub('EscapeLens%a+', 'EscapeLensStale'))
  end, t.sample_signs)

  -- The error is in a file that is not open.
  vim.fn.writefile({ 'package sample', '', 'var broken int = missing' }, 'broken.go')
  t.save()
  t.becomes(pale, t.signs, 'pale marks')
  vim.uv.fs_unlink('broken.go')
  t.save()
  t.becomes(t.sample_signs, t.signs, 'fresh marks')

  -- The error is in the file itself.
  local last = vim.api.nvim_buf_line_count(0)
  t.edit(last + 1, last, { 'var broken int = missing' })
  t.save()
  t.wait('the diagnostic', function()
    return #vim.diagnostic.get(0) == 1
  end)
  local diagnostic = vim.diagnostic.get(0)[1]
  t.equal(vim.diagnostic.severity.ERROR, diagnostic.severity, 'severity')
  t.equal('build-failed', diagnostic.code, 'code')
  t.equal(last, diagnostic.lnum, 'line, from 0')
  t.contains(diagnostic.message, 'missing')
  t.becomes(pale, t.signs, 'pale marks again')

  t.edit(last + 1, last + 1, {})
  t.save()
  t.becomes(t.sample_signs, t.signs, 'fresh marks again')
  t.becomes({}, vim.diagnostic.get, 'the diagnostic to go')
end
