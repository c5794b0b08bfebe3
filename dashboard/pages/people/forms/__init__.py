"""The forms of the people: of one person and of teams, of an offboarding, of several new people."""
