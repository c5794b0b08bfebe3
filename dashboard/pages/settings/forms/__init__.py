"""The forms of the settings."""
