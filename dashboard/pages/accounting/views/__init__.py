"""What a person does in accounting."""
