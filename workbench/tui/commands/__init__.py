"""What the user can do, each thing once: footer, palette, help, key bindings and the README's table come from here."""
