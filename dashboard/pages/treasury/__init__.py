"""Treasury: the wallets and what they hold, money in and out, fees, and exchange between currencies."""
