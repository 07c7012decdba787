"""Summarizers: each way to a summary, and each way in which it can fail."""
