-- How a write's entry in the outbox may move. Doubt is sticky: what may have been done is settled by an answer to its
-- key or by a look at the thing, and by nothing else; what ever left is never again said not to have been sent.

CREATE FUNCTION client_outbox_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> OLD.state AND NOT (OLD.state || '>' || NEW.state = ANY (ARRAY[
        'PENDING>SENT',
        'SENT>PENDING', 'SENT>DEFERRED', 'SENT>CONFIRMED', 'SENT>REJECTED', 'SENT>UNKNOWN',
        'DEFERRED>SENT',
        'REJECTED>SENT',
        'UNKNOWN>CONFIRMED', 'UNKNOWN>REJECTED'
    ])) THEN
        RAISE EXCEPTION 'an outbound operation does not go from % to %', OLD.state, NEW.state
            USING ERRCODE = 'check_violation', CONSTRAINT = 'outbound_moves';
    END IF;
    IF OLD.has_left AND NOT NEW.has_left THEN
        RAISE EXCEPTION 'an outbound operation that has left is never one that has not'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'outbound_moves';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER client_outbox_moves BEFORE UPDATE OF state, has_left ON client_outboundoperation
    FOR EACH ROW EXECUTE FUNCTION client_outbox_moves();
