"""What our own finance service offers beside the published interface (decisions B.6): used where it answers, never needed.

These rows are not in dashboard/operations.py, which equals the published interface; they pass the same gate.
"""

from dashboard.access.operation import ALL, OWN, Operation
from dashboard.access.roles import FINANCE, OWNING, STAFF

READ_EVENTS = Operation("Events", "GET", "/events", FINANCE, ALL, "read the event feed")
LIST_WEBHOOK_ENDPOINTS = Operation(
    "Events", "GET", "/webhook-endpoints", FINANCE, ALL, "looked through the webhook endpoints"
)
CREATE_WEBHOOK_ENDPOINT = Operation(
    "Events", "POST", "/webhook-endpoints", OWNING, ALL, "asked for webhooks to {title}"
)
ROTATE_WEBHOOK_SECRET = Operation(
    "Events", "POST", "/webhook-endpoints/{id}/rotate-secret", OWNING, ALL, "rotated the secret of the webhooks"
)
DOWNLOAD_RECEIPTS_EXPORT = Operation(
    "Expenses", "GET", "/expenses/export-receipts/download/{token}", STAFF, OWN, "downloaded the receipts of {title}"
)

for name, operation in list(globals().items()):
    if isinstance(operation, Operation):
        object.__setattr__(operation, "name", name.lower())
