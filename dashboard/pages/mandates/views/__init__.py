"""The views of the mandates: one file per intent."""
