"""The views of the wallet policies: one file per intent."""
