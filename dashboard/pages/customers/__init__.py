"""Customers: whom the business is paid by."""
