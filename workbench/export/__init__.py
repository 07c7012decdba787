"""What goes out: arrays and files, made here and written at the edge."""
