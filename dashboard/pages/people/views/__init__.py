"""What a person does with people and teams: the lists and one of them, profiles, money, and comings and goings."""
