"""One file a tab of the session screen: each shows its slice of the workspace."""
