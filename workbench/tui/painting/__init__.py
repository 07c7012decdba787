"""Pure painting: from values and widths to styled text, so that every picture can be tested without a screen."""
