"""What is open: the state of the screen as one frozen value, and the pure moves that change it. Knows no widgets."""
