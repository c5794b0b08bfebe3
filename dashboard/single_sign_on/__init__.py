"""A business's own identity provider (OpenID Connect or SAML): where it is, whom it may sign in, and which role its groups give."""
