"""What a person can ask of the inbox and its desk."""
