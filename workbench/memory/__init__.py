"""Session notes: read, measure, extract and compact from them (spec 1, sections 5 and 8). No I/O: texts and times come in."""
