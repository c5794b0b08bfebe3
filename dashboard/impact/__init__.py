"""What a change of access, of a mandate or of a role would do, found out before it is made and shown wherever it is decided."""
