"""One file a stage; each gives a result, or a request for what it needs from outside."""
