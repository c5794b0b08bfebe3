"""The documents of what is decided on: shown as pictures of their pages, read, and compared with the transaction."""
