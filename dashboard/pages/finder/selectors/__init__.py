"""What the finder searches, and the actions that typed words name."""
