"""What a person does with customers: the list and one of them, and customers from a file."""
