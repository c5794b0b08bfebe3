"""What is read for the settings."""
