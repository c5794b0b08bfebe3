"""Access reviews: once a quarter everybody who has access to the dashboard is kept or revoked, and it is signed."""
