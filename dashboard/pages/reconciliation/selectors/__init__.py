"""What is read for reconciliation."""
