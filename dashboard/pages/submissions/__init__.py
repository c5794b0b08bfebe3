"""What became of a form whose answer was lost: looked up by the form's key."""
