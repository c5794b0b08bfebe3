"""Journal exports: what the accountant gets, with its mapping and its manifest."""
