"""What is read for the bills."""
