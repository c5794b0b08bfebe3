"""What is read for the people: one of them and the teams, and who was there when."""
