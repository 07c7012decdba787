"""What it means: facts and findings drawn from a session, each with where it comes from."""
