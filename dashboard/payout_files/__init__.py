"""Files of payments that a business brings: how their columns are called there, remembered for the next one."""
