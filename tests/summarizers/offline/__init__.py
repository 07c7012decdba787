"""The summary without a model: what must be in it, and what must fit."""
