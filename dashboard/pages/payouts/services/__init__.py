"""What is changed of a payout before it is sent: its lines as they are typed, and copies of those of another."""
