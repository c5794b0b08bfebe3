"""How the desk shows what is decided on: the item of each kind, the list beside it, plans and results."""
