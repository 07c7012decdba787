"""The full screen. Draws a workspace, turns keys into moves, and hands everything slow to workers."""
