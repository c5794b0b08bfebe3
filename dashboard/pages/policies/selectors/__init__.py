"""What is read for spend policies and workflows."""
