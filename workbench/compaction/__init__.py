"""How it shrinks: the stages of a compaction as functions from value to value. No I/O, no clock, no model."""
