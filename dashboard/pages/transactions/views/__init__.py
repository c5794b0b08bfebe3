"""What a person does with transactions: the list and one of them, entering one, and the documents of one."""
