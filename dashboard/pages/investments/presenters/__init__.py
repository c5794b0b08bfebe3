"""How the investments' pages are shown: funds in words and figures, and who operates an account."""
