"""What is done to several rows at once: reviewed first, then carried out, with a result per row and a retry of what failed."""
