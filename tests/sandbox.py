"""What the service's sandbox asks of whoever asks it for something."""

import os


def sandbox_headers() -> dict[str, str]:
    """The headers with the token of the sandbox that runs beside the tests."""
    return {"Authorization": f"Bearer {os.environ['SERVICE_SANDBOX_TOKEN']}"}
