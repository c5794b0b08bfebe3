"""What is read for the cards: live reads, a simulated purchase, what may be chosen as funding."""
