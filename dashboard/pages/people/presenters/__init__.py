"""How people, their money and teams are shown."""
