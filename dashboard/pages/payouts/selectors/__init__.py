"""What is read for payouts."""
