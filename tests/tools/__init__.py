"""Instruments the tests share: large sessions, a real terminal to run the product in, and the floors it is held against."""
