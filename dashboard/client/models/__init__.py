"""What comes back from the service, typed: one module per area. (And the app's own table, where Django looks for it.)"""

from dashboard.client.outbox import OutboundOperation, OutboundState

__all__ = ["OutboundOperation", "OutboundState"]
