"""One module per sample; each tells its story in `build()`."""
