"""What became of a form whose answer was lost: asked by the form's key."""
