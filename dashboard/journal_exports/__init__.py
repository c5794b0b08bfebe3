"""Exports of the journal for the accountant: their files in each format, the mapping they are written with, the manifest."""
