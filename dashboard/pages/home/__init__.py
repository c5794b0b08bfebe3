"""The start of the day: what waits, what needs attention, what there is."""
