"""How it is written: from the bytes of a session file to the array the agent would send. Opens nothing itself."""
