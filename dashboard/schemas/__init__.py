"""What goes to the service and what comes back, typed: one module per area. Unknown fields of an answer are tolerated."""
