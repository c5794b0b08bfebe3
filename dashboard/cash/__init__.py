"""The money that wallets hold and that moved, read live: shown on the home page and by the treasury."""
