"""The tables of both programs as their migrations make them, one SQL file each: what an empty database of ours is filled from."""
