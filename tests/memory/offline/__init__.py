"""Notes written without a model, from rows made by hand and from real sessions."""
