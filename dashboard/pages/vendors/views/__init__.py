"""What a person does with vendors: the list and one of them, and the accounts that they are paid on."""
