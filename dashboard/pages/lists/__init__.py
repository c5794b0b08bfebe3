"""What any list offers beside its rows: saved views and exports."""
