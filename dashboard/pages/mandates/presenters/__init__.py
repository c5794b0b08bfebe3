"""How mandates, roles and rights are shown: rows, the matrix of roles, and changes before they are made."""
