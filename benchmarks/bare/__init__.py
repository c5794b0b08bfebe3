"""The bare reference: a Django of default middleware, one view, one indexed query, fifty rows, eight columns."""
