"""The money that wallets hold and that moved, asked live: shown on the home page and by the treasury."""
