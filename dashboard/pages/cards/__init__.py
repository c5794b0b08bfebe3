"""Cards: who has which, what each may be used for, and what people ask for about them."""
