"""The compaction workbench: look through a coding-agent session, and compact it by hand, stage by stage."""

__version__ = "0.1.0"
