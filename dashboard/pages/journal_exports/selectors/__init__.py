"""What is read for journal exports."""
