"""The key with which a business signs what leaves it: manifests of journal exports and of evidence packs."""
