"""The only room that starts processes: find Go, list packages, compile, clean up."""
