"""What a person does with expenses: the list and one of them, its tags, exports of receipts."""
