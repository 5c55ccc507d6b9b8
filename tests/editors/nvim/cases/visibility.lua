-- `hide` removes the marks and keeps them away; `show` brings them back.
return function(t)
  t.open_sample()

  --- Run an analysis, and wait until whatever it led to has been answered.
  local function analyse()
    local told = #t.notices
    vim.cmd('EscapeLens run')
    t.wait('the analysis', function()
      return #t.notices == told + 1
    end)
    local answered = false
    require('escapelens.client').messages(t.clients()[1], 0, 'file', function()
      answered = true
    end)
    t.wait('the answer', function()
      return answered
    end)
  end

  vim.cmd('EscapeLens hide')
  t.equal({}, t.signs(), 'no marks')
  analyse()
  t.equal({}, t.signs(), 'no marks after an analysis either')
  -- An answer that is still on its way is not drawn either.
  vim.cmd('EscapeLens show')
  vim.cmd('EscapeLens hide')
  analyse()
  t.equal({}, t.signs(), 'still no marks')
  vim.cmd('EscapeLens show')
  t.becomes(t.sample_signs, t.signs, 'the marks')
end
