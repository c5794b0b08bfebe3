"""What is read for accounting: the periods with their checklists, and the books of one."""
