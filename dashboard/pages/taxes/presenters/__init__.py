"""How withholding taxes are shown: their rates by the days, and what was withheld."""
