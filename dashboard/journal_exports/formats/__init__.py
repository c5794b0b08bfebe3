"""The formats of an export, one module each."""
