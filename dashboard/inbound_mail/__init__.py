"""Bills that arrive by e-mail: messages taken in from a mail provider or a folder, waiting for somebody to enter them."""
