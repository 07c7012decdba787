"""Widgets that know how to draw and to be moved through, and nothing about sessions: their owners hand in the values."""
