"""From a target to reports: the same engine under the command line and the server."""
