"""Session notes, held to the numbers of spec 1, sections 5 and 8."""
