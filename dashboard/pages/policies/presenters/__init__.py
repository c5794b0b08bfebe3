"""How spend policies, workflows, examples and replays are shown."""
