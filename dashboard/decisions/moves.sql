-- How a decision may move. What may have been done is never again one that waits, and never cancelled.

CREATE FUNCTION decisions_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> OLD.state AND NOT (OLD.state || '>' || NEW.state = ANY (ARRAY[
        'WAITING>SENDING', 'WAITING>CANCELLED',
        'SENDING>WAITING', 'SENDING>DONE', 'SENDING>REFUSED', 'SENDING>LOST', 'SENDING>CANCELLED', 'SENDING>UNKNOWN',
        'UNKNOWN>SENDING'
    ])) THEN
        RAISE EXCEPTION 'a decision does not go from % to %', OLD.state, NEW.state
            USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_moves';
    END IF;
    IF (OLD.unknown_since IS NOT NULL AND NEW.unknown_since IS NULL) OR (OLD.has_left AND NOT NEW.has_left) THEN
        RAISE EXCEPTION 'a decision that was sent is never one that was not'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'decision_moves';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER decisions_moves BEFORE UPDATE OF state, unknown_since, has_left ON decisions_decision
    FOR EACH ROW EXECUTE FUNCTION decisions_moves();
