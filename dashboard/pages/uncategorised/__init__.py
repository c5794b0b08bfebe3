"""What has no category yet, one after the other or several at once."""
