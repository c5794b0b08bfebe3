"""Changes of who may do what that wait for a second admin, where the business asks for one."""
