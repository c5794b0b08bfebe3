"""What is read for the inbox and its desk."""
