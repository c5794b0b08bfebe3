"""Categories for what has none: suggestions learned from past choices, and rules that were tried before they are on."""
