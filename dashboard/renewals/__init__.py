"""Renewals: until when a subscription can be cancelled, who is reminded of it, and what was done to cancel it."""
