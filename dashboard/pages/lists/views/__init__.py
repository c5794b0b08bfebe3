"""What a person can ask of any list beside its rows."""
