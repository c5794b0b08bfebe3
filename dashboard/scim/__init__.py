"""SCIM 2.0 (RFC 7643, 7644): a business's identity provider says by itself who belongs to it, in which groups."""
