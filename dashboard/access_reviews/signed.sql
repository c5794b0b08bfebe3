-- What was signed stays as it was signed, whoever asks: neither the review nor a row of it is changed or deleted.
CREATE FUNCTION access_review_refuses() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    signed timestamptz;
BEGIN
    IF TG_TABLE_NAME = 'access_reviews_accessreview' THEN
        signed := OLD.signed_at;
    ELSE
        SELECT signed_at INTO signed FROM access_reviews_accessreview
        WHERE id = CASE WHEN TG_OP = 'INSERT' THEN NEW.review_id ELSE OLD.review_id END;
    END IF;
    IF signed IS NOT NULL THEN
        RAISE EXCEPTION 'an access review that was signed is never changed';
    END IF;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;

CREATE TRIGGER access_review_signed BEFORE UPDATE OR DELETE ON access_reviews_accessreview
    FOR EACH ROW EXECUTE FUNCTION access_review_refuses();
CREATE TRIGGER access_review_row_signed BEFORE INSERT OR UPDATE OR DELETE ON access_reviews_reviewedperson
    FOR EACH ROW EXECUTE FUNCTION access_review_refuses();
