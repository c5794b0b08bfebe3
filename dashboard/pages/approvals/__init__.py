"""The inbox of everything that waits for a decision, and the desk it is decided at."""
