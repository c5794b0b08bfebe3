"""How each kind of thing that is decided on is shown: what the pane of an item says of it."""
