"""Everything that is changed at the service at somebody's word, in a module per area; decisions alone wait in their outbox."""
