"""The command line as a black box."""
