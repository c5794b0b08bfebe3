"""The files of journal exports, written from what the service holds: at once, or by a worker where they are long."""
