"""Who is it: accounts, second factors, identity providers, and how long a session lives."""
