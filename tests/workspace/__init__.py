"""The values behind the screen, and the moves between them."""
