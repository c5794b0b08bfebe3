"""What was done through this dashboard, and the proof that the record is whole."""
