"""What any list offers beside its rows: saved views, exports and bulk actions."""
