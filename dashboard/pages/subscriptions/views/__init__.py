"""What a person does with subscriptions: the list and one of them, its renewal terms, its cancellation."""
