"""Bank reconciliation: statements imported, their lines beside the entries of the ledger, and the proof."""
