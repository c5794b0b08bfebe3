"""What the service's sandbox asks of whoever asks it for something."""

import os


def sandbox_headers(token: str = "") -> dict[str, str]:
    """The headers with the token of a sandbox: of that which runs beside the tests, where none is given."""
    return {"Authorization": f"Bearer {token or os.environ['SERVICE_SANDBOX_TOKEN']}"}
