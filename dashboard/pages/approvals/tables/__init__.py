"""The inbox as a list on the screen, and as one that is saved as views and exported."""
