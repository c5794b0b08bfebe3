"""What is read for vendors."""
