"""How access to wallets is shown: the matrix, traces, changes before they are made, the audit, proposals."""
