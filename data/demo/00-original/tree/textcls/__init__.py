"""A small text classifier: sentences of tokens to one of four topics."""
