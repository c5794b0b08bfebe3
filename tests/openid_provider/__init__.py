"""A real OpenID provider for the tests of single sign-on: django-oauth-toolkit, as a program of its own on loopback."""
