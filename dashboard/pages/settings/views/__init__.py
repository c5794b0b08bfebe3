"""The views of the settings."""
