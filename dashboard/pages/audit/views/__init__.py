"""The views of the audit."""
