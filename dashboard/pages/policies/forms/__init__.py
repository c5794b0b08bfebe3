"""The forms of spend policies, of workflows and of the simulator."""
