"""One file a request."""
