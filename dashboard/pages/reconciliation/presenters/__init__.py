"""How reconciliation is shown."""
