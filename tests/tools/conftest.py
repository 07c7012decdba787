"""Lets the instruments be imported as `tests.tools` wherever pytest is started from."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
