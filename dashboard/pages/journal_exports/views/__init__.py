"""What a person does with journal exports."""
