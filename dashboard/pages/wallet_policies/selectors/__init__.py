"""What is read of who may use which wallet: the copy within what the actor may see, and live reads."""
