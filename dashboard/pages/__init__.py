"""What people see: one room per sidebar entry, all alike (urls, views, forms, table)."""
