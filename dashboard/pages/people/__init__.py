"""The people of the business."""
