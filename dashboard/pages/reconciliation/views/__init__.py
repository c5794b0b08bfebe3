"""What a person does in reconciliation."""
