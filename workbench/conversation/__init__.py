"""What is said: the frozen nouns of a conversation, whoever wrote them down. No I/O."""
