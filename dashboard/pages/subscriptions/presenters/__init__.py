"""How subscriptions are shown: one with its charges, proposals, what needs attention, and a cancellation."""
