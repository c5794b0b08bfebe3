"""Wallet policies: who may use which wallet, why, until when, and how that is changed."""
