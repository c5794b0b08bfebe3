-- Written by `python3 manage.py write_schema`; not by hand.
-- digest 812ace8279b7e9a1148e56927379b19c27e971b53570314dad7e3e74f7e8a848
ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON TABLES FROM dashboard_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON SEQUENCES FROM dashboard_app;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
CREATE FUNCTION public.access_review_refuses() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.audit_advance_head(p_chain bigint, p_number bigint, p_hash character varying) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE present bigint;
BEGIN
    SELECT number INTO present FROM audit_audithead WHERE chain = p_chain FOR NO KEY UPDATE;
    IF present IS NULL OR p_number <= present THEN
        RAISE EXCEPTION 'the head of chain % does not go from % to %', p_chain, present, p_number
            USING ERRCODE = 'check_violation', CONSTRAINT = 'audit_head_goes_forward';
    END IF;
    IF NOT EXISTS (SELECT 1 FROM audit_auditseal WHERE chain = p_chain AND number = p_number AND hash = p_hash)
        OR (SELECT count(*) FROM audit_auditseal
            WHERE chain = p_chain AND number > present AND number <= p_number) <> p_number - present
    THEN
        RAISE EXCEPTION 'chain % has no such link %', p_chain, p_number
            USING ERRCODE = 'check_violation', CONSTRAINT = 'audit_head_is_a_link';
    END IF;
    UPDATE audit_audithead SET number = p_number, hash = p_hash WHERE chain = p_chain;
END $$;
CREATE FUNCTION public.audit_head_refuses() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.chain = OLD.chain AND NEW.number > OLD.number THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit is append-only: % of a head is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE FUNCTION public.audit_lock_head(p_chain bigint) RETURNS TABLE(head_number bigint, head_hash character varying)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO audit_audithead (chain, number, hash) VALUES (p_chain, 0, '') ON CONFLICT (chain) DO NOTHING;
    RETURN QUERY SELECT number, hash FROM audit_audithead WHERE chain = p_chain FOR NO KEY UPDATE SKIP LOCKED;
END $$;
CREATE FUNCTION public.audit_refuses() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'the audit is append-only: % on % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE FUNCTION public.audit_waits() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO audit_auditwaiting (entry_id, chain, since) VALUES (NEW.id, NEW.chain, clock_timestamp());
    RETURN NULL;
END $$;
CREATE FUNCTION public.client_outbox_moves() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.decisions_moves() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE TABLE public.access_business (
    id bigint NOT NULL,
    slug character varying(60) NOT NULL,
    name character varying(150) NOT NULL,
    time_zone character varying(50) NOT NULL,
    locale character varying(10) NOT NULL,
    second_factor_roles jsonb NOT NULL,
    override_roles jsonb NOT NULL,
    sample_percent smallint DEFAULT 5 NOT NULL,
    requires_sign_on boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT access_business_sample_percent_check CHECK ((sample_percent >= 0))
);
ALTER TABLE public.access_business ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.access_business_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.access_membership (
    id bigint NOT NULL,
    role character varying(12) NOT NULL,
    employee_id character varying(64) NOT NULL,
    is_active boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    is_break_glass boolean DEFAULT false NOT NULL,
    kept_out_since timestamp with time zone,
    last_seen_at timestamp with time zone,
    opens_with jsonb DEFAULT '{}'::jsonb NOT NULL,
    suspended_by_program character varying(20) DEFAULT ''::character varying NOT NULL,
    suspended_at timestamp with time zone,
    suspended_by character varying(254) DEFAULT ''::character varying NOT NULL,
    is_suspended_here boolean DEFAULT false NOT NULL,
    business_id bigint NOT NULL,
    user_id bigint NOT NULL
);
ALTER TABLE public.access_membership ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.access_membership_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.access_reviews_accessreview (
    id bigint NOT NULL,
    year smallint NOT NULL,
    quarter smallint NOT NULL,
    opened_name character varying(254) NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    mandates_as_of character varying(60) NOT NULL,
    joined jsonb NOT NULL,
    signed_name character varying(254) NOT NULL,
    signed_role character varying(12) NOT NULL,
    signed_at timestamp with time zone,
    content text NOT NULL,
    content_sha256 character varying(64) NOT NULL,
    audit_entry_id bigint,
    business_id bigint NOT NULL,
    opened_by_id bigint NOT NULL,
    signed_by_id bigint,
    CONSTRAINT access_reviews_accessreview_quarter_check CHECK ((quarter >= 0)),
    CONSTRAINT access_reviews_accessreview_year_check CHECK ((year >= 0))
);
ALTER TABLE public.access_reviews_accessreview ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.access_reviews_accessreview_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.access_reviews_reviewedperson (
    id bigint NOT NULL,
    name character varying(254) NOT NULL,
    email character varying(254) NOT NULL,
    employee_id character varying(64) NOT NULL,
    role character varying(12) NOT NULL,
    service_role character varying(12) NOT NULL,
    is_suspended boolean NOT NULL,
    money jsonb NOT NULL,
    joined_at timestamp with time zone,
    seen_at timestamp with time zone,
    decided_last_at timestamp with time zone,
    unused jsonb NOT NULL,
    verdict character varying(6) NOT NULL,
    reason text NOT NULL,
    decided_name character varying(254) NOT NULL,
    decided_role character varying(12) NOT NULL,
    decided_at timestamp with time zone,
    proposal_id bigint,
    ended_at timestamp with time zone,
    is_stopped boolean NOT NULL,
    decided_by_id bigint,
    membership_id bigint,
    review_id bigint NOT NULL
);
ALTER TABLE public.access_reviews_reviewedperson ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.access_reviews_reviewedperson_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.access_serviceaccount (
    id bigint NOT NULL,
    base_url character varying(300) NOT NULL,
    remote_business_id character varying(64) NOT NULL,
    client_id character varying(120) NOT NULL,
    client_secret_sealed bytea NOT NULL,
    secret_version integer NOT NULL,
    webhook_secret_sealed bytea,
    tested_at timestamp with time zone,
    findings jsonb NOT NULL,
    broken_since timestamp with time zone,
    business_id bigint NOT NULL,
    CONSTRAINT access_serviceaccount_secret_version_check CHECK ((secret_version >= 0))
);
ALTER TABLE public.access_serviceaccount ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.access_serviceaccount_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.access_user (
    id bigint NOT NULL,
    password character varying(128) NOT NULL,
    last_login timestamp with time zone,
    is_superuser boolean NOT NULL,
    email character varying(254) NOT NULL,
    name character varying(150) NOT NULL,
    is_active boolean NOT NULL,
    date_joined timestamp with time zone NOT NULL,
    theme character varying(5) NOT NULL,
    last_business_id bigint
);
CREATE TABLE public.access_user_groups (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    group_id integer NOT NULL
);
ALTER TABLE public.access_user_groups ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.access_user_groups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE public.access_user ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.access_user_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.access_user_user_permissions (
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    permission_id integer NOT NULL
);
ALTER TABLE public.access_user_user_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.access_user_user_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.account_emailaddress (
    id integer NOT NULL,
    email character varying(254) NOT NULL,
    verified boolean NOT NULL,
    "primary" boolean NOT NULL,
    user_id bigint NOT NULL
);
ALTER TABLE public.account_emailaddress ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_emailaddress_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.account_emailconfirmation (
    id integer NOT NULL,
    created timestamp with time zone NOT NULL,
    sent timestamp with time zone,
    key character varying(64) NOT NULL,
    email_address_id integer NOT NULL
);
ALTER TABLE public.account_emailconfirmation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_emailconfirmation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.audit_auditentry (
    id bigint NOT NULL,
    chain bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    user_id bigint,
    actor_name character varying(254) NOT NULL,
    role character varying(12) NOT NULL,
    employee_id character varying(64) NOT NULL,
    operation character varying(60) NOT NULL,
    outcome character varying(9) NOT NULL,
    sentence character varying(500) NOT NULL,
    object_type character varying(40) NOT NULL,
    object_id character varying(64) NOT NULL,
    object_title character varying(300) NOT NULL,
    own_item boolean NOT NULL,
    reason text NOT NULL,
    before jsonb,
    after jsonb,
    request_id character varying(80) NOT NULL,
    decision_id uuid
);
ALTER TABLE public.audit_auditentry ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.audit_auditentry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.audit_audithead (
    chain bigint NOT NULL,
    number bigint NOT NULL,
    hash character varying(64) NOT NULL
);
CREATE TABLE public.audit_auditseal (
    id bigint NOT NULL,
    chain bigint NOT NULL,
    number bigint NOT NULL,
    hash character varying(64) NOT NULL,
    sealed_at timestamp with time zone NOT NULL,
    entry_id bigint NOT NULL
);
ALTER TABLE public.audit_auditseal ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.audit_auditseal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.audit_auditwaiting (
    entry_id bigint NOT NULL,
    chain bigint NOT NULL,
    since timestamp with time zone NOT NULL
);
CREATE TABLE public.auth_group (
    id integer NOT NULL,
    name character varying(150) NOT NULL
);
ALTER TABLE public.auth_group ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_group_permissions (
    id bigint NOT NULL,
    group_id integer NOT NULL,
    permission_id integer NOT NULL
);
ALTER TABLE public.auth_group_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.auth_permission (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    content_type_id integer NOT NULL,
    codename character varying(100) NOT NULL
);
ALTER TABLE public.auth_permission ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_permission_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.bank_statements_csvmapping (
    id bigint NOT NULL,
    header_key character varying(64) NOT NULL,
    columns jsonb NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.bank_statements_csvmapping ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.bank_statements_csvmapping_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.bank_statements_statementdraft (
    id uuid NOT NULL,
    wallet_id character varying(64) NOT NULL,
    file_name character varying(120) NOT NULL,
    sha256 character varying(64) NOT NULL,
    source_format character varying(7) NOT NULL,
    content bytea NOT NULL,
    opening_minor bigint,
    closing_minor bigint,
    columns jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL,
    membership_id bigint NOT NULL
);
CREATE TABLE public.categorisation_categoryrule (
    id bigint NOT NULL,
    "position" integer NOT NULL,
    merchant character varying(300) NOT NULL,
    vendor_id character varying(64) NOT NULL,
    vendor_name character varying(200) NOT NULL,
    card_id character varying(64) NOT NULL,
    card_token character varying(80) NOT NULL,
    card_name character varying(260) NOT NULL,
    text character varying(200) NOT NULL,
    currency character varying(3) NOT NULL,
    least_minor bigint,
    most_minor bigint,
    subcategory_id character varying(64) NOT NULL,
    category_label character varying(410) NOT NULL,
    is_on boolean NOT NULL,
    switched_on_at timestamp with time zone,
    trouble character varying(300) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL,
    switched_on_by_id bigint,
    CONSTRAINT categorisation_categoryrule_position_check CHECK (("position" >= 0)),
    CONSTRAINT category_rule_amounts CHECK (((least_minor IS NULL) OR (most_minor IS NULL) OR (least_minor <= most_minor))),
    CONSTRAINT category_rule_currency CHECK (((NOT ((currency)::text = ''::text)) OR ((least_minor IS NULL) AND (most_minor IS NULL)))),
    CONSTRAINT category_rule_has_condition CHECK (((NOT ((merchant)::text = ''::text)) OR (NOT ((vendor_id)::text = ''::text)) OR (NOT ((card_id)::text = ''::text)) OR (NOT ((text)::text = ''::text)) OR (NOT ((currency)::text = ''::text)))),
    CONSTRAINT category_rule_on_since CHECK (((NOT is_on) OR (switched_on_at IS NOT NULL)))
);
ALTER TABLE public.categorisation_categoryrule ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.categorisation_categoryrule_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.categorisation_rulefiling (
    id bigint NOT NULL,
    sentence character varying(1000) NOT NULL,
    kind character varying(12) NOT NULL,
    remote_id character varying(64) NOT NULL,
    title character varying(300) NOT NULL,
    subcategory_id character varying(64) NOT NULL,
    key character varying(120) NOT NULL,
    state character varying(9) NOT NULL,
    outcome character varying(300) NOT NULL,
    item_day date,
    attempts smallint NOT NULL,
    lease_id uuid,
    heartbeat_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    business_id bigint NOT NULL,
    rule_id bigint,
    CONSTRAINT categorisation_rulefiling_attempts_check CHECK ((attempts >= 0))
);
ALTER TABLE public.categorisation_rulefiling ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.categorisation_rulefiling_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.categorisation_ruletrial (
    id bigint NOT NULL,
    digest character varying(64) NOT NULL,
    first_day date NOT NULL,
    last_day date NOT NULL,
    matched integer NOT NULL,
    uncategorised integer NOT NULL,
    same integer NOT NULL,
    otherwise integer NOT NULL,
    by_rules integer NOT NULL,
    by_earlier jsonb NOT NULL,
    examples jsonb NOT NULL,
    tried_by character varying(254) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    rule_id bigint NOT NULL,
    CONSTRAINT categorisation_ruletrial_by_rules_check CHECK ((by_rules >= 0)),
    CONSTRAINT categorisation_ruletrial_matched_check CHECK ((matched >= 0)),
    CONSTRAINT categorisation_ruletrial_otherwise_check CHECK ((otherwise >= 0)),
    CONSTRAINT categorisation_ruletrial_same_check CHECK ((same >= 0)),
    CONSTRAINT categorisation_ruletrial_uncategorised_check CHECK ((uncategorised >= 0))
);
ALTER TABLE public.categorisation_ruletrial ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.categorisation_ruletrial_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.client_outboundoperation (
    id bigint NOT NULL,
    employee_id character varying(64) NOT NULL,
    operation character varying(60) NOT NULL,
    key character varying(255) NOT NULL,
    form_key character varying(128) DEFAULT ''::character varying NOT NULL,
    form_path character varying(500) DEFAULT ''::character varying NOT NULL,
    path character varying(300) NOT NULL,
    body jsonb,
    state character varying(9) NOT NULL,
    has_left boolean NOT NULL,
    tries smallint NOT NULL,
    request_id character varying(80) NOT NULL,
    upstream_status smallint,
    error_code character varying(60) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    settled_at timestamp with time zone,
    business_id bigint NOT NULL,
    membership_id bigint,
    CONSTRAINT client_outboundoperation_tries_check CHECK ((tries >= 0)),
    CONSTRAINT client_outboundoperation_upstream_status_check CHECK ((upstream_status >= 0)),
    CONSTRAINT outbound_answered_has_left CHECK ((has_left OR ((state)::text = ANY ((ARRAY['PENDING'::character varying, 'SENT'::character varying])::text[])))),
    CONSTRAINT outbound_left_not_pending CHECK (((NOT has_left) OR (NOT ((state)::text = 'PENDING'::text))))
);
ALTER TABLE public.client_outboundoperation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.client_outboundoperation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.conversation_comment (
    id uuid NOT NULL,
    author_name character varying(254) NOT NULL,
    author_role character varying(12) NOT NULL,
    kind character varying(40) NOT NULL,
    remote_id character varying(64) NOT NULL,
    text text NOT NULL,
    mentions jsonb NOT NULL,
    former jsonb NOT NULL,
    key character varying(64) NOT NULL,
    written_at timestamp with time zone NOT NULL,
    edited_at timestamp with time zone,
    business_id bigint NOT NULL,
    membership_id bigint NOT NULL
);
CREATE TABLE public.conversation_dismissal (
    id bigint NOT NULL,
    by_name character varying(254) NOT NULL,
    by_role character varying(12) NOT NULL,
    kind character varying(40) NOT NULL,
    remote_id character varying(64) NOT NULL,
    flag character varying(32) NOT NULL,
    words character varying(500) NOT NULL,
    reason text NOT NULL,
    dismissed_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL,
    membership_id bigint NOT NULL
);
ALTER TABLE public.conversation_dismissal ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.conversation_dismissal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.decisions_alert (
    id bigint NOT NULL,
    sentence character varying(500) NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    business_id bigint NOT NULL,
    membership_id bigint,
    decision_id uuid
);
ALTER TABLE public.decisions_alert ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.decisions_alert_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.decisions_countedapproval (
    id bigint NOT NULL,
    object_type character varying(40) NOT NULL,
    object_id character varying(64) NOT NULL,
    until timestamp with time zone NOT NULL,
    business_id bigint NOT NULL,
    draw_id bigint NOT NULL
);
ALTER TABLE public.decisions_countedapproval ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.decisions_countedapproval_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.decisions_decision (
    id uuid NOT NULL,
    session_key character varying(40) NOT NULL,
    operation character varying(60) NOT NULL,
    object_type character varying(40) NOT NULL,
    object_id character varying(64) NOT NULL,
    title character varying(300) NOT NULL,
    amount_minor bigint,
    currency character varying(3) NOT NULL,
    is_vote boolean NOT NULL,
    fingerprint text NOT NULL,
    key character varying(255) NOT NULL,
    send_key character varying(255) NOT NULL,
    reason text NOT NULL,
    overridden jsonb NOT NULL,
    looked_clean boolean DEFAULT false NOT NULL,
    traceparent character varying(55) DEFAULT ''::character varying NOT NULL,
    state character varying(9) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    claim uuid,
    lease_until timestamp with time zone,
    tries smallint NOT NULL,
    has_left boolean NOT NULL,
    unknown_since timestamp with time zone,
    alerted_at timestamp with time zone,
    settled_at timestamp with time zone,
    outcome jsonb NOT NULL,
    bulk_id uuid,
    business_id bigint NOT NULL,
    membership_id bigint NOT NULL,
    row_id bigint,
    CONSTRAINT decision_doubt_is_sticky CHECK (((unknown_since IS NULL) OR (NOT ((state)::text = ANY ((ARRAY['WAITING'::character varying, 'CANCELLED'::character varying])::text[]))))),
    CONSTRAINT decisions_decision_tries_check CHECK ((tries >= 0))
);
CREATE TABLE public.decisions_drawnbatch (
    id bigint NOT NULL,
    name character varying(80) NOT NULL,
    drawn_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.decisions_drawnbatch ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.decisions_drawnbatch_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.decisions_sample (
    id bigint NOT NULL,
    drawn_at timestamp with time zone NOT NULL,
    checked_at timestamp with time zone,
    checked_by_name character varying(254) NOT NULL,
    is_in_order boolean,
    note text NOT NULL,
    business_id bigint NOT NULL,
    checked_by_id bigint,
    decision_id uuid NOT NULL
);
ALTER TABLE public.decisions_sample ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.decisions_sample_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.decisions_weeklydraw (
    id bigint NOT NULL,
    monday date NOT NULL,
    decided_count integer NOT NULL,
    automatic_count integer NOT NULL,
    drawn_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL,
    CONSTRAINT decisions_weeklydraw_automatic_count_check CHECK ((automatic_count >= 0)),
    CONSTRAINT decisions_weeklydraw_decided_count_check CHECK ((decided_count >= 0))
);
ALTER TABLE public.decisions_weeklydraw ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.decisions_weeklydraw_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.decisions_weeklysample (
    id bigint NOT NULL,
    object_type character varying(40) NOT NULL,
    object_id character varying(64) NOT NULL,
    title character varying(300) NOT NULL,
    amount_minor bigint,
    currency character varying(3) NOT NULL,
    route character varying(200) NOT NULL,
    checked_at timestamp with time zone,
    checked_by_name character varying(254) NOT NULL,
    is_in_order boolean,
    note text NOT NULL,
    checked_by_id bigint,
    decision_id uuid,
    draw_id bigint NOT NULL
);
ALTER TABLE public.decisions_weeklysample ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.decisions_weeklysample_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.delegation_delegation (
    id uuid NOT NULL,
    kinds jsonb NOT NULL,
    cap_minor bigint,
    currency character varying(3) NOT NULL,
    begins_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    key character varying(64) NOT NULL,
    made_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    ended_by character varying(254) NOT NULL,
    business_id bigint NOT NULL,
    delegate_id bigint,
    delegator_id bigint NOT NULL,
    CONSTRAINT a_cap_is_money CHECK (((cap_minor IS NULL) OR ((cap_minor > 0) AND (NOT ((currency)::text = ''::text))))),
    CONSTRAINT a_delegation_lasts CHECK ((begins_at < ends_at)),
    CONSTRAINT nobody_stands_in_for_themselves CHECK ((NOT ((delegator_id = delegate_id) AND (delegate_id IS NOT NULL))))
);
CREATE TABLE public.django_content_type (
    id integer NOT NULL,
    app_label character varying(100) NOT NULL,
    model character varying(100) NOT NULL
);
ALTER TABLE public.django_content_type ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_content_type_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_migrations (
    id bigint NOT NULL,
    app character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    applied timestamp with time zone NOT NULL
);
ALTER TABLE public.django_migrations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_migrations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.django_session (
    session_key character varying(40) NOT NULL,
    session_data text NOT NULL,
    expire_date timestamp with time zone NOT NULL
);
CREATE TABLE public.documents_documentnote (
    id bigint NOT NULL,
    key character varying(110) NOT NULL,
    words character varying(60) NOT NULL,
    red jsonb NOT NULL,
    noted_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.documents_documentnote ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.documents_documentnote_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.documents_documentreading (
    id bigint NOT NULL,
    content_hash character varying(64) NOT NULL,
    reader character varying(20) NOT NULL,
    "values" jsonb NOT NULL,
    page_count integer NOT NULL,
    problem character varying(20) NOT NULL,
    read_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL,
    CONSTRAINT documents_documentreading_page_count_check CHECK ((page_count >= 0))
);
ALTER TABLE public.documents_documentreading ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.documents_documentreading_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.documents_pictureband (
    band bigint NOT NULL,
    business_id bigint NOT NULL,
    look_id bigint NOT NULL
);
CREATE TABLE public.documents_picturelook (
    id bigint NOT NULL,
    sha256 character varying(64) NOT NULL,
    look character varying(256) NOT NULL,
    remembered_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.documents_picturelook ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.documents_picturelook_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.documents_readdocument (
    id bigint NOT NULL,
    kind character varying(20) NOT NULL,
    remote_id character varying(64) NOT NULL,
    file_id character varying(64) NOT NULL,
    business_id bigint NOT NULL,
    reading_id bigint NOT NULL
);
ALTER TABLE public.documents_readdocument ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.documents_readdocument_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.documents_readpayment (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    read_hash character varying(64) NOT NULL,
    is_whole boolean NOT NULL,
    read_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.documents_readpayment ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.documents_readpayment_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.evidence_evidencepack (
    id uuid NOT NULL,
    key character varying(64) NOT NULL,
    scope character varying(6) NOT NULL,
    object_type character varying(40) NOT NULL,
    object_id character varying(64) NOT NULL,
    title character varying(300) NOT NULL,
    first_day date,
    last_day date,
    state character varying(7) NOT NULL,
    lease_id uuid,
    attempts smallint NOT NULL,
    heartbeat_at timestamp with time zone,
    trouble character varying(300) NOT NULL,
    line_count integer NOT NULL,
    file_count integer NOT NULL,
    manifest text NOT NULL,
    content bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    business_id bigint NOT NULL,
    membership_id bigint NOT NULL,
    CONSTRAINT evidence_evidencepack_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT evidence_evidencepack_file_count_check CHECK ((file_count >= 0)),
    CONSTRAINT evidence_evidencepack_line_count_check CHECK ((line_count >= 0))
);
CREATE TABLE public.inbound_mail_receivedattachment (
    id uuid NOT NULL,
    "position" smallint NOT NULL,
    file_name character varying(150) NOT NULL,
    mime character varying(40) NOT NULL,
    size integer NOT NULL,
    sha256 character varying(64) NOT NULL,
    content bytea NOT NULL,
    problem character varying(20) NOT NULL,
    reading jsonb NOT NULL,
    read_at timestamp with time zone,
    file_id character varying(64) NOT NULL,
    bill_id character varying(64) NOT NULL,
    message_id uuid NOT NULL,
    CONSTRAINT inbound_mail_receivedattachment_position_check CHECK (("position" >= 0)),
    CONSTRAINT inbound_mail_receivedattachment_size_check CHECK ((size >= 0))
);
CREATE TABLE public.inbound_mail_receivedmessage (
    id uuid NOT NULL,
    message_id character varying(255) NOT NULL,
    content_hash character varying(64) NOT NULL,
    sender character varying(254) NOT NULL,
    sender_name character varying(200) NOT NULL,
    subject character varying(300) NOT NULL,
    problem character varying(20) NOT NULL,
    received_at timestamp with time zone NOT NULL,
    is_open boolean NOT NULL,
    dismissed_by character varying(254) NOT NULL,
    closed_at timestamp with time zone,
    business_id bigint NOT NULL
);
CREATE TABLE public.journal_exports_journalexport (
    id uuid NOT NULL,
    key character varying(64) NOT NULL,
    first_day date NOT NULL,
    last_day date NOT NULL,
    formats jsonb NOT NULL,
    mapping jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    remote_id character varying(64) NOT NULL,
    number integer,
    line_count integer NOT NULL,
    is_partial boolean NOT NULL,
    manifest text NOT NULL,
    signature bytea NOT NULL,
    undone_at timestamp with time zone,
    waits_since timestamp with time zone,
    lease_id uuid,
    heartbeat_at timestamp with time zone,
    lines_read integer NOT NULL,
    trouble character varying(400) NOT NULL,
    correctable jsonb,
    is_refused boolean NOT NULL,
    business_id bigint NOT NULL,
    carried_by_id bigint,
    created_by_id bigint NOT NULL,
    CONSTRAINT journal_exports_journalexport_line_count_check CHECK ((line_count >= 0)),
    CONSTRAINT journal_exports_journalexport_lines_read_check CHECK ((lines_read >= 0)),
    CONSTRAINT journal_exports_journalexport_number_check CHECK ((number >= 0))
);
CREATE TABLE public.journal_exports_journalexportfile (
    id bigint NOT NULL,
    format character varying(20) NOT NULL,
    name character varying(120) NOT NULL,
    row_count integer NOT NULL,
    size integer NOT NULL,
    sha256 character varying(64) NOT NULL,
    packed bytea NOT NULL,
    export_id uuid NOT NULL,
    CONSTRAINT journal_exports_journalexportfile_row_count_check CHECK ((row_count >= 0)),
    CONSTRAINT journal_exports_journalexportfile_size_check CHECK ((size >= 0))
);
ALTER TABLE public.journal_exports_journalexportfile ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.journal_exports_journalexportfile_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.journal_exports_mapping (
    id bigint NOT NULL,
    source character varying(8) NOT NULL,
    source_id character varying(64) NOT NULL,
    code character varying(100) NOT NULL,
    name character varying(150) NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.journal_exports_mapping ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.journal_exports_mapping_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lists_batch (
    id uuid NOT NULL,
    list_name character varying(40) NOT NULL,
    verb character varying(60) NOT NULL,
    key character varying(255),
    query character varying(1500) NOT NULL,
    whole boolean NOT NULL,
    given text NOT NULL,
    given_said character varying(500) NOT NULL,
    totals jsonb NOT NULL,
    balances jsonb NOT NULL,
    unseen integer NOT NULL,
    state character varying(7) NOT NULL,
    trouble character varying(400) NOT NULL,
    lease_id uuid,
    heartbeat_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    begun_at timestamp with time zone,
    finished_at timestamp with time zone,
    business_id bigint NOT NULL,
    membership_id bigint NOT NULL,
    retry_of_id uuid,
    CONSTRAINT lists_batch_unseen_check CHECK ((unseen >= 0))
);
CREATE TABLE public.lists_batchrow (
    id bigint NOT NULL,
    number integer NOT NULL,
    remote_id character varying(64) NOT NULL,
    title character varying(300) NOT NULL,
    person character varying(300) NOT NULL,
    amount character varying(60) NOT NULL,
    seen jsonb NOT NULL,
    key character varying(64) NOT NULL,
    state character varying(9) NOT NULL,
    why character varying(60) NOT NULL,
    sentence character varying(500) NOT NULL,
    denied boolean NOT NULL,
    tries smallint NOT NULL,
    request_id character varying(80) NOT NULL,
    batch_id uuid NOT NULL,
    CONSTRAINT lists_batchrow_number_check CHECK ((number >= 0)),
    CONSTRAINT lists_batchrow_tries_check CHECK ((tries >= 0))
);
ALTER TABLE public.lists_batchrow ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lists_batchrow_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lists_export (
    id uuid NOT NULL,
    list_name character varying(40) NOT NULL,
    query character varying(1500) NOT NULL,
    asked character varying(500) DEFAULT ''::character varying NOT NULL,
    form character varying(4) NOT NULL,
    state character varying(9) NOT NULL,
    lease_id uuid,
    attempts smallint NOT NULL,
    heartbeat_at timestamp with time zone,
    rows_done integer NOT NULL,
    rows_total integer,
    totals character varying(500) NOT NULL,
    file character varying(200) NOT NULL,
    size bigint NOT NULL,
    trouble character varying(300) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    business_id bigint NOT NULL,
    membership_id bigint NOT NULL,
    CONSTRAINT lists_export_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT lists_export_rows_done_check CHECK ((rows_done >= 0)),
    CONSTRAINT lists_export_rows_total_check CHECK ((rows_total >= 0)),
    CONSTRAINT lists_export_size_check CHECK ((size >= 0))
);
CREATE TABLE public.lists_import (
    id uuid NOT NULL,
    list_name character varying(40) NOT NULL,
    file_name character varying(200) NOT NULL,
    rows jsonb NOT NULL,
    lines jsonb DEFAULT '[]'::jsonb NOT NULL,
    made jsonb NOT NULL,
    trouble character varying(400) NOT NULL,
    state character varying(8) NOT NULL,
    lease_id uuid,
    heartbeat_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    business_id bigint NOT NULL,
    membership_id bigint NOT NULL
);
CREATE TABLE public.lists_receiptsjob (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    asked jsonb NOT NULL,
    status character varying(20) NOT NULL,
    progress smallint NOT NULL,
    total integer NOT NULL,
    missing integer NOT NULL,
    size bigint NOT NULL,
    trouble character varying(300) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL,
    membership_id bigint NOT NULL,
    CONSTRAINT lists_receiptsjob_missing_check CHECK ((missing >= 0)),
    CONSTRAINT lists_receiptsjob_progress_check CHECK ((progress >= 0)),
    CONSTRAINT lists_receiptsjob_size_check CHECK ((size >= 0)),
    CONSTRAINT lists_receiptsjob_total_check CHECK ((total >= 0))
);
ALTER TABLE public.lists_receiptsjob ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lists_receiptsjob_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.lists_savedview (
    id bigint NOT NULL,
    list_name character varying(40) NOT NULL,
    name character varying(60) NOT NULL,
    query character varying(1500) NOT NULL,
    shared boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL,
    owner_id bigint NOT NULL
);
ALTER TABLE public.lists_savedview ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.lists_savedview_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mfa_authenticator (
    id bigint NOT NULL,
    type character varying(20) NOT NULL,
    data jsonb NOT NULL,
    user_id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone
);
ALTER TABLE public.mfa_authenticator ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mfa_authenticator_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_approval (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    kind character varying(40) NOT NULL,
    action_type smallint,
    ref character varying(120) NOT NULL,
    title character varying(300) NOT NULL,
    payee character varying(300) NOT NULL,
    amount_minor bigint,
    currency character varying(3) NOT NULL,
    amount_text character varying(60) NOT NULL,
    org_wallet_ref character varying(64) NOT NULL,
    requested_by_id character varying(64) NOT NULL,
    requested_by_name character varying(200) NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    expires_at timestamp with time zone,
    status character varying(20) NOT NULL,
    approvals_required smallint NOT NULL,
    approvals_given smallint NOT NULL,
    voters jsonb NOT NULL,
    eligible jsonb NOT NULL,
    risk smallint NOT NULL,
    risk_level character varying(8) NOT NULL,
    signals jsonb NOT NULL,
    dismissed_risk smallint DEFAULT 0 NOT NULL,
    usual_s integer DEFAULT 172800 NOT NULL,
    usual_minor bigint DEFAULT 0 NOT NULL,
    weighed_risk smallint GENERATED ALWAYS AS (GREATEST(((risk - dismissed_risk))::integer, 0)) STORED,
    stake bigint GENERATED ALWAYS AS (
CASE
    WHEN ((GREATEST(((risk - dismissed_risk))::integer, 0) >= 30) AND (((GREATEST(((risk - dismissed_risk))::integer, 0))::numeric *
    CASE
        WHEN ((usual_minor > 0) AND (amount_minor IS NOT NULL)) THEN ((abs(amount_minor))::numeric / (usual_minor)::numeric)
        ELSE (1)::numeric
    END) >= (60)::numeric)) THEN (LEAST(((GREATEST(((risk - dismissed_risk))::integer, 0))::numeric *
    CASE
        WHEN ((usual_minor > 0) AND (amount_minor IS NOT NULL)) THEN ((abs(amount_minor))::numeric / (usual_minor)::numeric)
        ELSE (1)::numeric
    END), '1000000000000000'::numeric))::bigint
    ELSE NULL::bigint
END) STORED,
    decide_by bigint GENERATED ALWAYS AS (((floor(EXTRACT(epoch FROM (requested_at - '1970-01-01 00:00:00+00'::timestamp with time zone))))::bigint + usual_s)) STORED,
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, (((((((COALESCE(title, ''::character varying))::text || ' '::text) || (COALESCE(payee, ''::character varying))::text) || ' '::text) || (COALESCE(ref, ''::character varying))::text) || ' '::text) || (COALESCE(requested_by_name, ''::character varying))::text))) STORED,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_approval ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_approval_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_bill (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    bill_no character varying(60) NOT NULL,
    number_key character varying(60) NOT NULL,
    vendor_id character varying(64) NOT NULL,
    vendor_name character varying(200) NOT NULL,
    team_id character varying(64) NOT NULL,
    currency character varying(3) NOT NULL,
    total_minor bigint NOT NULL,
    total_text character varying(60) NOT NULL,
    balance_minor bigint NOT NULL,
    balance_text character varying(60) NOT NULL,
    issued_on date NOT NULL,
    due_on date NOT NULL,
    status character varying(20) NOT NULL,
    approval_status character varying(20) NOT NULL,
    duplicate_of character varying(64) NOT NULL,
    file_hashes character varying(64)[] NOT NULL,
    split_team_ids character varying(64)[] NOT NULL,
    memo text NOT NULL,
    purchase_order character varying(60) NOT NULL,
    created_by_id character varying(80) NOT NULL,
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, (((((((COALESCE(bill_no, ''::character varying))::text || ' '::text) || (COALESCE(vendor_name, ''::character varying))::text) || ' '::text) || COALESCE(memo, ''::text)) || ' '::text) || (COALESCE(purchase_order, ''::character varying))::text))) STORED,
    business_id bigint NOT NULL,
    entered_at timestamp with time zone
);
ALTER TABLE public.mirror_bill ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_bill_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_card (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    kind character varying(12) NOT NULL,
    status character varying(12) NOT NULL,
    blocked_by character varying(10) NOT NULL,
    blocker_id character varying(80) NOT NULL,
    reason character varying(500) NOT NULL,
    employee_id character varying(64) NOT NULL,
    employee_name character varying(200) NOT NULL,
    team_id character varying(64) NOT NULL,
    team_name character varying(200) NOT NULL,
    org_wallet_ref character varying(64) NOT NULL,
    currency character varying(3) NOT NULL,
    funding character varying(20) NOT NULL,
    allocation_minor bigint,
    allocation_held_minor bigint,
    name character varying(200) NOT NULL,
    last_four character varying(4) NOT NULL,
    month_minor bigint NOT NULL,
    limit_interval character varying(10) NOT NULL,
    limit_minor bigint,
    spent_minor bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    sort_holder character varying(200) NOT NULL,
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, (((((((COALESCE(name, ''::character varying))::text || ' '::text) || (COALESCE(employee_name, ''::character varying))::text) || ' '::text) || (COALESCE(last_four, ''::character varying))::text) || ' '::text) || (COALESCE(team_name, ''::character varying))::text))) STORED,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_card ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_card_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_carddecline (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    card_id character varying(64) NOT NULL,
    employee_id character varying(64) NOT NULL,
    code character varying(40) NOT NULL,
    check_name character varying(60) NOT NULL,
    said character varying(300) NOT NULL,
    amount_minor bigint NOT NULL,
    currency character varying(3) NOT NULL,
    amount_text character varying(60) NOT NULL,
    funding character varying(20) NOT NULL,
    remaining_minor bigint,
    merchant character varying(200) NOT NULL,
    mcc character varying(4) NOT NULL,
    country character varying(2) NOT NULL,
    channel character varying(20) NOT NULL,
    at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_carddecline ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_carddecline_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_category (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    name character varying(200) NOT NULL,
    code character varying(60) NOT NULL,
    category_id character varying(64) NOT NULL,
    category_name character varying(200) NOT NULL,
    expense_label character varying(410) DEFAULT ''::character varying NOT NULL,
    status character varying(20) NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_category ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_category_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_cursor (
    id bigint NOT NULL,
    sequence bigint NOT NULL,
    has_feed boolean,
    bands jsonb NOT NULL,
    as_of timestamp with time zone,
    failing_since timestamp with time zone,
    error character varying(300) NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_cursor ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_cursor_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_customer (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    kind character varying(20) NOT NULL,
    name character varying(200) NOT NULL,
    email character varying(254) NOT NULL,
    phone character varying(40) NOT NULL,
    tax_pin character varying(60) NOT NULL,
    person character varying(200) NOT NULL,
    status character varying(20) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    sort_name character varying(200) NOT NULL,
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, (((((((((COALESCE(name, ''::character varying))::text || ' '::text) || (COALESCE(email, ''::character varying))::text) || ' '::text) || (COALESCE(phone, ''::character varying))::text) || ' '::text) || (COALESCE(tax_pin, ''::character varying))::text) || ' '::text) || (COALESCE(person, ''::character varying))::text))) STORED,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_customer ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_customer_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_drift (
    id bigint NOT NULL,
    org_wallet_ref character varying(64) NOT NULL,
    day date NOT NULL,
    found jsonb NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_drift ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_drift_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_employee (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    name character varying(200) NOT NULL,
    email character varying(254) NOT NULL,
    role character varying(12) NOT NULL,
    team_id character varying(64) NOT NULL,
    status character varying(20) NOT NULL,
    sort_name character varying(200) GENERATED ALWAYS AS (lower((name)::text)) STORED,
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, (((COALESCE(name, ''::character varying))::text || ' '::text) || (COALESCE(email, ''::character varying))::text))) STORED,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_employee ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_employee_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_expense (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    employee_id character varying(64) NOT NULL,
    employee_name character varying(200) NOT NULL,
    team_id character varying(64) NOT NULL,
    team_name character varying(200) NOT NULL,
    org_wallet_ref character varying(64) NOT NULL,
    status character varying(20) NOT NULL,
    transaction_date timestamp with time zone NOT NULL,
    amount_minor bigint NOT NULL,
    currency character varying(3) NOT NULL,
    amount_text character varying(60) NOT NULL,
    merchant character varying(300) NOT NULL,
    notes text NOT NULL,
    category_name character varying(200) NOT NULL,
    subcategory_id character varying(64) NOT NULL,
    part_count smallint DEFAULT 0 NOT NULL,
    transaction_ref character varying(120) NOT NULL,
    has_receipt boolean NOT NULL,
    risk smallint NOT NULL,
    dismissed_risk smallint DEFAULT 0 NOT NULL,
    usual_s integer DEFAULT 172800 NOT NULL,
    usual_minor bigint DEFAULT 0 NOT NULL,
    receipt_reading character varying(8) DEFAULT ''::character varying NOT NULL,
    read_hash character varying(32) DEFAULT ''::character varying NOT NULL,
    weighed_risk smallint GENERATED ALWAYS AS (GREATEST(((risk - dismissed_risk))::integer, 0)) STORED,
    stake bigint GENERATED ALWAYS AS (
CASE
    WHEN ((GREATEST(((risk - dismissed_risk))::integer, 0) >= 30) AND (((GREATEST(((risk - dismissed_risk))::integer, 0))::numeric *
    CASE
        WHEN ((usual_minor > 0) AND (amount_minor IS NOT NULL)) THEN ((abs(amount_minor))::numeric / (usual_minor)::numeric)
        ELSE (1)::numeric
    END) >= (60)::numeric)) THEN (LEAST(((GREATEST(((risk - dismissed_risk))::integer, 0))::numeric *
    CASE
        WHEN ((usual_minor > 0) AND (amount_minor IS NOT NULL)) THEN ((abs(amount_minor))::numeric / (usual_minor)::numeric)
        ELSE (1)::numeric
    END), '1000000000000000'::numeric))::bigint
    ELSE NULL::bigint
END) STORED,
    decide_by bigint GENERATED ALWAYS AS (((floor(EXTRACT(epoch FROM (transaction_date - '1970-01-01 00:00:00+00'::timestamp with time zone))))::bigint + usual_s)) STORED,
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, (((((((((((COALESCE(merchant, ''::character varying))::text || ' '::text) || (COALESCE(employee_name, ''::character varying))::text) || ' '::text) || (COALESCE(team_name, ''::character varying))::text) || ' '::text) || (COALESCE(category_name, ''::character varying))::text) || ' '::text) || (COALESCE(transaction_ref, ''::character varying))::text) || ' '::text) || COALESCE(notes, ''::text)))) STORED,
    business_id bigint NOT NULL,
    CONSTRAINT mirror_expense_part_count_check CHECK ((part_count >= 0))
);
ALTER TABLE public.mirror_expense ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_expense_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_fundaccount (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    fund_id character varying(64) NOT NULL,
    fund_name character varying(200) NOT NULL,
    currency character varying(3) NOT NULL,
    status character varying(20) NOT NULL,
    operators jsonb NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_fundaccount ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_fundaccount_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_inboxevent (
    id bigint NOT NULL,
    webhook_id character varying(120) NOT NULL,
    kind character varying(80) NOT NULL,
    sequence bigint,
    body jsonb NOT NULL,
    received_at timestamp with time zone NOT NULL,
    state character varying(8) NOT NULL,
    tries smallint NOT NULL,
    error character varying(300) NOT NULL,
    business_id bigint NOT NULL,
    CONSTRAINT mirror_inboxevent_tries_check CHECK ((tries >= 0))
);
ALTER TABLE public.mirror_inboxevent ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_inboxevent_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_keptanswer (
    id bigint NOT NULL,
    operation character varying(60) NOT NULL,
    item character varying(64) NOT NULL,
    payload jsonb NOT NULL,
    as_of timestamp with time zone NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_keptanswer ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_keptanswer_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_request (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    kind character varying(20) NOT NULL,
    ref character varying(120) NOT NULL,
    title character varying(300) NOT NULL,
    payee character varying(300) NOT NULL,
    amount_minor bigint,
    currency character varying(3) NOT NULL,
    amount_text character varying(60) NOT NULL,
    org_wallet_ref character varying(64) NOT NULL,
    holder_id character varying(64) NOT NULL,
    holder_name character varying(200) NOT NULL,
    team_id character varying(64) NOT NULL,
    requested_by_id character varying(80) NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    status character varying(20) NOT NULL,
    voted boolean NOT NULL,
    payout_kind text GENERATED ALWAYS AS ((payload ->> 'kind'::text)) STORED,
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, (((((((COALESCE(title, ''::character varying))::text || ' '::text) || (COALESCE(payee, ''::character varying))::text) || ' '::text) || (COALESCE(ref, ''::character varying))::text) || ' '::text) || (COALESCE(holder_name, ''::character varying))::text))) STORED,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_request ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_request_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_spendpolicy (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    name character varying(100) NOT NULL,
    type character varying(20) NOT NULL,
    target character varying(64) NOT NULL,
    action character varying(20) NOT NULL,
    limit_minor bigint,
    currency character varying(3) NOT NULL,
    period character varying(10) NOT NULL,
    per_person boolean NOT NULL,
    workflow_id character varying(64) NOT NULL,
    status character varying(20) NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    sort_name character varying(100) GENERATED ALWAYS AS (lower((name)::text)) STORED,
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, (COALESCE(name, ''::character varying))::text)) STORED,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_spendpolicy ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_spendpolicy_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_subscription (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    name character varying(200) NOT NULL,
    vendor character varying(200) NOT NULL,
    employee_id character varying(64) NOT NULL,
    team_id character varying(64) NOT NULL,
    card_id character varying(64) NOT NULL,
    currency character varying(3) NOT NULL,
    amount_minor bigint NOT NULL,
    amount_text character varying(60) NOT NULL,
    limit_text character varying(60) NOT NULL,
    limit_minor bigint,
    billing_frequency character varying(40) NOT NULL,
    next_charge_at timestamp with time zone NOT NULL,
    last_charge_at timestamp with time zone,
    subcategory_id character varying(64) NOT NULL,
    status character varying(20) NOT NULL,
    sort_name character varying(200) GENERATED ALWAYS AS (lower((name)::text)) STORED,
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, (((COALESCE(name, ''::character varying))::text || ' '::text) || (COALESCE(vendor, ''::character varying))::text))) STORED,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_subscription ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_subscription_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_team (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    name character varying(200) NOT NULL,
    code character varying(60) NOT NULL,
    status character varying(20) NOT NULL,
    reviewers jsonb NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_team ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_team_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_transaction (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    type character varying(20) NOT NULL,
    status character varying(20) NOT NULL,
    direction character varying(3) NOT NULL,
    org_wallet_ref character varying(64) NOT NULL,
    currency character varying(3) NOT NULL,
    amount_minor bigint NOT NULL,
    amount_text character varying(60) NOT NULL,
    fees_text character varying(60) NOT NULL,
    counterparty character varying(200) NOT NULL,
    ref character varying(200) NOT NULL,
    channel character varying(40) NOT NULL,
    description character varying(500) NOT NULL,
    category_name character varying(200) NOT NULL,
    subcategory_id character varying(64) DEFAULT ''::character varying NOT NULL,
    part_count smallint DEFAULT 0 NOT NULL,
    employee_id character varying(64) NOT NULL,
    team_id character varying(64) NOT NULL,
    expense_id character varying(64) NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    effective_on date,
    booked_month date GENERATED ALWAYS AS ((date_trunc('month'::text, (COALESCE(effective_on, ((occurred_at AT TIME ZONE 'UTC'::text))::date))::timestamp without time zone))::date) STORED,
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, (((((((COALESCE(counterparty, ''::character varying))::text || ' '::text) || (COALESCE(ref, ''::character varying))::text) || ' '::text) || (COALESCE(description, ''::character varying))::text) || ' '::text) || (COALESCE(category_name, ''::character varying))::text))) STORED,
    business_id bigint NOT NULL,
    CONSTRAINT mirror_transaction_part_count_check CHECK ((part_count >= 0))
);
ALTER TABLE public.mirror_transaction ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_transaction_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_vendor (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    name character varying(200) NOT NULL,
    email character varying(254) NOT NULL,
    phone character varying(40) NOT NULL,
    tax_pin character varying(60) NOT NULL,
    type character varying(40) NOT NULL,
    country character varying(2) NOT NULL,
    currency character varying(3) NOT NULL,
    instructions jsonb NOT NULL,
    quarantined boolean NOT NULL,
    documents jsonb NOT NULL,
    contacts jsonb NOT NULL,
    also_known_as jsonb NOT NULL,
    merged_into character varying(64) NOT NULL,
    status character varying(20) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    sort_name character varying(200) GENERATED ALWAYS AS (lower((name)::text)) STORED,
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, (((((((COALESCE(name, ''::character varying))::text || ' '::text) || (COALESCE(email, ''::character varying))::text) || ' '::text) || (COALESCE(phone, ''::character varying))::text) || ' '::text) || (COALESCE(tax_pin, ''::character varying))::text))) STORED,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_vendor ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_vendor_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_wallet (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    org_wallet_ref character varying(64) NOT NULL,
    name character varying(200) NOT NULL,
    currency character varying(3) NOT NULL,
    wallet_type character varying(60) NOT NULL,
    status character varying(20) NOT NULL,
    available_minor bigint,
    posted_minor bigint,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_wallet ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_wallet_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_walletpermission (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    title character varying(200) NOT NULL,
    moves_money boolean NOT NULL,
    place smallint NOT NULL,
    business_id bigint NOT NULL,
    CONSTRAINT mirror_walletpermission_place_check CHECK ((place >= 0))
);
ALTER TABLE public.mirror_walletpermission ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_walletpermission_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_walletpolicy (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    wallet_id character varying(64) NOT NULL,
    employee_id character varying(64) NOT NULL,
    employee_name character varying(200) NOT NULL,
    permissions jsonb NOT NULL,
    valid_from timestamp with time zone,
    expires_at timestamp with time zone,
    status character varying(20) NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_walletpolicy ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_walletpolicy_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_walletrole (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    permissions jsonb NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_walletrole ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_walletrole_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_window (
    id bigint NOT NULL,
    org_wallet_ref character varying(64) NOT NULL,
    day date NOT NULL,
    complete_at timestamp with time zone,
    rows integer NOT NULL,
    totals jsonb NOT NULL,
    failures smallint NOT NULL,
    business_id bigint NOT NULL,
    CONSTRAINT mirror_window_failures_check CHECK ((failures >= 0)),
    CONSTRAINT mirror_window_rows_check CHECK ((rows >= 0))
);
ALTER TABLE public.mirror_window ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_window_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.mirror_workflow (
    id bigint NOT NULL,
    remote_id character varying(64) NOT NULL,
    remote_version bigint,
    remote_updated_at timestamp with time zone,
    payload jsonb NOT NULL,
    payload_hash character varying(32) NOT NULL,
    source character varying(7) NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    tombstoned_at timestamp with time zone,
    name character varying(100) NOT NULL,
    action_type smallint NOT NULL,
    is_active boolean NOT NULL,
    priority integer NOT NULL,
    step_count smallint NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    sort_name character varying(100) GENERATED ALWAYS AS (lower((name)::text)) STORED,
    search tsvector GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, (COALESCE(name, ''::character varying))::text)) STORED,
    business_id bigint NOT NULL
);
ALTER TABLE public.mirror_workflow ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mirror_workflow_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.notifications_choice (
    id bigint NOT NULL,
    topic character varying(20) NOT NULL,
    in_app boolean NOT NULL,
    by_mail boolean NOT NULL,
    by_push boolean,
    membership_id bigint NOT NULL
);
ALTER TABLE public.notifications_choice ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.notifications_choice_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.notifications_digest (
    id bigint NOT NULL,
    wanted boolean NOT NULL,
    hour smallint NOT NULL,
    last_on date,
    membership_id bigint NOT NULL,
    CONSTRAINT an_hour_of_the_day CHECK ((hour < 24)),
    CONSTRAINT notifications_digest_hour_check CHECK ((hour >= 0))
);
ALTER TABLE public.notifications_digest ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.notifications_digest_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.notifications_inboxwatch (
    id bigint NOT NULL,
    began_at timestamp with time zone NOT NULL,
    membership_id bigint NOT NULL
);
ALTER TABLE public.notifications_inboxwatch ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.notifications_inboxwatch_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.notifications_inboxwatchitem (
    id bigint NOT NULL,
    key character varying(110) NOT NULL,
    watch_id bigint NOT NULL
);
ALTER TABLE public.notifications_inboxwatchitem ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.notifications_inboxwatchitem_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.notifications_notice (
    id uuid NOT NULL,
    topic character varying(20) NOT NULL,
    key character varying(150) NOT NULL,
    sentence character varying(500) NOT NULL,
    kind character varying(40) NOT NULL,
    remote_id character varying(64) NOT NULL,
    told_at timestamp with time zone NOT NULL,
    shown boolean NOT NULL,
    read_at timestamp with time zone,
    mail_wanted boolean NOT NULL,
    mailed_at timestamp with time zone,
    push_wanted boolean NOT NULL,
    pushed_at timestamp with time zone,
    business_id bigint NOT NULL,
    membership_id bigint NOT NULL
);
CREATE TABLE public.notifications_pushdelivery (
    id bigint NOT NULL,
    due_at timestamp with time zone NOT NULL,
    tries smallint NOT NULL,
    device_id uuid NOT NULL,
    message_id uuid NOT NULL,
    CONSTRAINT notifications_pushdelivery_tries_check CHECK ((tries >= 0))
);
ALTER TABLE public.notifications_pushdelivery ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.notifications_pushdelivery_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.notifications_pushdevice (
    id uuid NOT NULL,
    browser_hash character varying(64) NOT NULL,
    endpoint_hash character varying(64) NOT NULL,
    subscription_sealed bytea NOT NULL,
    host character varying(253) NOT NULL,
    label character varying(80) NOT NULL,
    added_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    membership_id bigint NOT NULL,
    session_id bigint
);
CREATE TABLE public.notifications_pushmessage (
    id uuid NOT NULL,
    topic character varying(20) NOT NULL,
    kind character varying(40) NOT NULL,
    remote_id character varying(64) NOT NULL,
    text character varying(200) NOT NULL,
    path character varying(300) NOT NULL,
    composed_at timestamp with time zone NOT NULL,
    membership_id bigint NOT NULL
);
CREATE TABLE public.offboarding_offboarding (
    id uuid NOT NULL,
    employee_id character varying(64) NOT NULL,
    employee_name character varying(200) NOT NULL,
    key character varying(64) NOT NULL,
    lease_id uuid,
    heartbeat_at timestamp with time zone,
    trouble character varying(400) NOT NULL,
    started_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    business_id bigint NOT NULL,
    started_by_id bigint NOT NULL
);
CREATE TABLE public.offboarding_step (
    id bigint NOT NULL,
    number integer NOT NULL,
    after integer NOT NULL,
    kind character varying(20) NOT NULL,
    action character varying(80) NOT NULL,
    remote_id character varying(64) NOT NULL,
    title character varying(300) NOT NULL,
    heir_id character varying(64) NOT NULL,
    heir_name character varying(200) NOT NULL,
    data jsonb NOT NULL,
    attempt smallint NOT NULL,
    tries integer NOT NULL,
    state character varying(11) NOT NULL,
    sentence character varying(500) NOT NULL,
    request_id character varying(80) NOT NULL,
    proposal_id bigint,
    due_at timestamp with time zone,
    settled_at timestamp with time zone,
    by_id bigint NOT NULL,
    offboarding_id uuid NOT NULL,
    CONSTRAINT offboarding_step_after_check CHECK ((after >= 0)),
    CONSTRAINT offboarding_step_attempt_check CHECK ((attempt >= 0)),
    CONSTRAINT offboarding_step_number_check CHECK ((number >= 0)),
    CONSTRAINT offboarding_step_tries_check CHECK ((tries >= 0))
);
ALTER TABLE public.offboarding_step ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.offboarding_step_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.onboarding_newcomer (
    id bigint NOT NULL,
    remote_id character varying(32) NOT NULL,
    name character varying(100) NOT NULL,
    email character varying(254) NOT NULL,
    phone character varying(40) NOT NULL,
    role character varying(12) NOT NULL,
    team_code character varying(60) NOT NULL,
    card_limit_minor bigint,
    org_wallet_ref character varying(64) NOT NULL,
    currency character varying(3) NOT NULL,
    access boolean NOT NULL,
    status character varying(7) NOT NULL,
    employee_id character varying(64) NOT NULL,
    outcome character varying(400) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL,
    membership_id bigint NOT NULL
);
ALTER TABLE public.onboarding_newcomer ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.onboarding_newcomer_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.payout_files_bankfiledownload (
    id bigint NOT NULL,
    payout_id character varying(64) NOT NULL,
    by_name character varying(200) NOT NULL,
    rows jsonb NOT NULL,
    sum_minor bigint NOT NULL,
    downloaded_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.payout_files_bankfiledownload ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.payout_files_bankfiledownload_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.payout_files_draftorigin (
    id bigint NOT NULL,
    payout_id character varying(64) NOT NULL,
    table_hash character varying(64) NOT NULL,
    copied_from character varying(64) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.payout_files_draftorigin ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.payout_files_draftorigin_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.payout_files_filecolumns (
    id bigint NOT NULL,
    header_key character varying(64) NOT NULL,
    header jsonb NOT NULL,
    columns jsonb NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.payout_files_filecolumns ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.payout_files_filecolumns_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.payout_files_sentcode (
    id bigint NOT NULL,
    payout_id character varying(64) NOT NULL,
    intent_id character varying(40) NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.payout_files_sentcode ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.payout_files_sentcode_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.policies_replay (
    id uuid NOT NULL,
    title character varying(200) NOT NULL,
    sentences jsonb NOT NULL,
    draft jsonb NOT NULL,
    digest character varying(64) NOT NULL,
    form jsonb NOT NULL,
    first_day date NOT NULL,
    last_day date NOT NULL,
    state character varying(9) NOT NULL,
    lease_id uuid,
    attempts smallint NOT NULL,
    heartbeat_at timestamp with time zone,
    items_done integer NOT NULL,
    items_total integer,
    result jsonb NOT NULL,
    trouble character varying(300) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    business_id bigint NOT NULL,
    membership_id bigint NOT NULL,
    CONSTRAINT policies_replay_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT policies_replay_items_done_check CHECK ((items_done >= 0)),
    CONSTRAINT policies_replay_items_total_check CHECK ((items_total >= 0))
);
CREATE TABLE public.policies_replayitem (
    id bigint NOT NULL,
    kind character varying(20) NOT NULL,
    remote_id character varying(64) NOT NULL,
    title character varying(300) NOT NULL,
    person_id character varying(64) NOT NULL,
    team_id character varying(64) NOT NULL,
    amount_minor bigint NOT NULL,
    currency character varying(3) NOT NULL,
    happened_at timestamp with time zone NOT NULL,
    change character varying(9) NOT NULL,
    before character varying(300) NOT NULL,
    after character varying(300) NOT NULL,
    replay_id uuid NOT NULL
);
ALTER TABLE public.policies_replayitem ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.policies_replayitem_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.proposals_foureyes (
    id bigint NOT NULL,
    is_on boolean NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.proposals_foureyes ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.proposals_foureyes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.proposals_proposal (
    id bigint NOT NULL,
    operation character varying(60) NOT NULL,
    path jsonb NOT NULL,
    body jsonb,
    wallet_id character varying(64) NOT NULL,
    employee_id character varying(64) NOT NULL,
    policy_id character varying(64) NOT NULL,
    seen_version bigint,
    target_type character varying(20) NOT NULL,
    target_id character varying(64) NOT NULL,
    seen jsonb NOT NULL,
    about jsonb NOT NULL,
    title character varying(300) NOT NULL,
    sentences jsonb NOT NULL,
    consequences jsonb NOT NULL,
    reason character varying(500) NOT NULL,
    effective_at timestamp with time zone,
    key character varying(255) NOT NULL,
    state character varying(9) NOT NULL,
    program character varying(60) DEFAULT ''::character varying NOT NULL,
    proposed_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    settled_at timestamp with time zone,
    outcome text NOT NULL,
    request_id character varying(80) NOT NULL,
    lease_until timestamp with time zone,
    may_be_sent boolean NOT NULL,
    business_id bigint NOT NULL,
    decided_by_id bigint,
    proposed_by_id bigint NOT NULL
);
ALTER TABLE public.proposals_proposal ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.proposals_proposal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.renewals_cancellation (
    id bigint NOT NULL,
    subscription_id character varying(64) NOT NULL,
    state character varying(9) NOT NULL,
    opened_by character varying(254) NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    charges_until date,
    business_id bigint NOT NULL
);
ALTER TABLE public.renewals_cancellation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.renewals_cancellation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.renewals_cancellationstep (
    id bigint NOT NULL,
    name character varying(15) NOT NULL,
    note character varying(400) NOT NULL,
    done_by_name character varying(254) NOT NULL,
    done_at timestamp with time zone NOT NULL,
    cancellation_id bigint NOT NULL,
    done_by_id bigint
);
ALTER TABLE public.renewals_cancellationstep ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.renewals_cancellationstep_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.renewals_renewalterms (
    id bigint NOT NULL,
    subscription_id character varying(64) NOT NULL,
    notice_days smallint NOT NULL,
    remind_days smallint NOT NULL,
    renews_on date,
    term_months smallint,
    act_by date,
    renewal_on date,
    remind_on date,
    business_id bigint NOT NULL,
    CONSTRAINT renewal_terms_contract CHECK ((((renews_on IS NULL) AND (term_months IS NULL)) OR ((renews_on IS NOT NULL) AND (term_months > 0)))),
    CONSTRAINT renewal_terms_days CHECK (((notice_days <= 730) AND (remind_days <= 365))),
    CONSTRAINT renewals_renewalterms_notice_days_check CHECK ((notice_days >= 0)),
    CONSTRAINT renewals_renewalterms_remind_days_check CHECK ((remind_days >= 0)),
    CONSTRAINT renewals_renewalterms_term_months_check CHECK ((term_months >= 0))
);
ALTER TABLE public.renewals_renewalterms ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.renewals_renewalterms_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.scim_pendingsuspension (
    id bigint NOT NULL,
    key character varying(60) NOT NULL,
    tries integer NOT NULL,
    trouble character varying(300) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL,
    membership_id bigint NOT NULL,
    CONSTRAINT scim_pendingsuspension_tries_check CHECK ((tries >= 0))
);
ALTER TABLE public.scim_pendingsuspension ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scim_pendingsuspension_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.scim_scimgroup (
    id bigint NOT NULL,
    display_name character varying(255) NOT NULL,
    external_id character varying(255) NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.scim_scimgroup ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scim_scimgroup_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.scim_scimgroup_members (
    id bigint NOT NULL,
    scimgroup_id bigint NOT NULL,
    membership_id bigint NOT NULL
);
ALTER TABLE public.scim_scimgroup_members ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scim_scimgroup_members_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.scim_scimtoken (
    id bigint NOT NULL,
    digest character varying(64) NOT NULL,
    ending character varying(4) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    business_id bigint NOT NULL,
    set_up_by_id bigint NOT NULL
);
ALTER TABLE public.scim_scimtoken ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scim_scimtoken_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.scim_scimuser (
    id bigint NOT NULL,
    external_id character varying(255) NOT NULL,
    business_id bigint NOT NULL,
    membership_id bigint NOT NULL
);
ALTER TABLE public.scim_scimuser ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scim_scimuser_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.signing_signingkey (
    id bigint NOT NULL,
    sealed_private_key bytea NOT NULL,
    public_key text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL
);
ALTER TABLE public.signing_signingkey ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.signing_signingkey_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.single_sign_on_identityprovider (
    id bigint NOT NULL,
    protocol character varying(4) NOT NULL,
    is_on boolean NOT NULL,
    name character varying(60) NOT NULL,
    issuer character varying(300) NOT NULL,
    client_id character varying(190) NOT NULL,
    client_secret_sealed bytea NOT NULL,
    sign_on_address character varying(500) NOT NULL,
    certificates jsonb NOT NULL,
    email_attribute character varying(190) NOT NULL,
    key_sealed bytea NOT NULL,
    key_certificate text NOT NULL,
    former_key_sealed bytea NOT NULL,
    former_key_certificate text NOT NULL,
    former_key_opened_at timestamp with time zone,
    signs_requests boolean NOT NULL,
    requires_encryption boolean NOT NULL,
    logout_address character varying(500) NOT NULL,
    logout_response_address character varying(500) CONSTRAINT single_sign_on_identityprovide_logout_response_address_not_null NOT NULL,
    email_domains jsonb NOT NULL,
    groups_claim character varying(190) NOT NULL,
    group_roles jsonb NOT NULL,
    ceiling character varying(12) NOT NULL,
    version integer NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL,
    changed_by_id bigint,
    CONSTRAINT single_sign_on_identityprovider_version_check CHECK ((version >= 0))
);
ALTER TABLE public.single_sign_on_identityprovider ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.single_sign_on_identityprovider_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.single_sign_on_usedassertion (
    id bigint NOT NULL,
    digest character varying(64) NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    provider_id bigint NOT NULL
);
ALTER TABLE public.single_sign_on_usedassertion ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.single_sign_on_usedassertion_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.socialaccount_socialaccount (
    id integer NOT NULL,
    provider character varying(200) NOT NULL,
    uid character varying(191) NOT NULL,
    last_login timestamp with time zone NOT NULL,
    date_joined timestamp with time zone NOT NULL,
    extra_data jsonb NOT NULL,
    user_id bigint NOT NULL
);
ALTER TABLE public.socialaccount_socialaccount ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.socialaccount_socialaccount_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.socialaccount_socialapp (
    id integer NOT NULL,
    provider character varying(30) NOT NULL,
    name character varying(40) NOT NULL,
    client_id character varying(191) NOT NULL,
    secret character varying(191) NOT NULL,
    key character varying(191) NOT NULL,
    provider_id character varying(200) NOT NULL,
    settings jsonb NOT NULL
);
ALTER TABLE public.socialaccount_socialapp ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.socialaccount_socialapp_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.socialaccount_socialtoken (
    id integer NOT NULL,
    token text NOT NULL,
    token_secret text NOT NULL,
    expires_at timestamp with time zone,
    account_id integer NOT NULL,
    app_id integer
);
ALTER TABLE public.socialaccount_socialtoken ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.socialaccount_socialtoken_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.top_ups_topup (
    id uuid NOT NULL,
    employee_id character varying(64) NOT NULL,
    employee_name character varying(200) NOT NULL,
    currency character varying(3) NOT NULL,
    org_wallet_ref character varying(64) NOT NULL,
    target_minor bigint NOT NULL,
    "interval" character varying(7) NOT NULL,
    day smallint NOT NULL,
    next_on date NOT NULL,
    last_on date,
    key character varying(64) NOT NULL,
    state character varying(6) NOT NULL,
    reason character varying(300) NOT NULL,
    resumed_at timestamp with time zone,
    tries smallint NOT NULL,
    due_at timestamp with time zone,
    lease_id uuid,
    heartbeat_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    business_id bigint NOT NULL,
    by_id bigint NOT NULL,
    CONSTRAINT top_ups_topup_day_check CHECK ((day >= 0)),
    CONSTRAINT top_ups_topup_tries_check CHECK ((tries >= 0))
);
CREATE TABLE public.top_ups_topuprun (
    id bigint NOT NULL,
    day date NOT NULL,
    state character varying(8) NOT NULL,
    before_minor bigint,
    amount_minor bigint,
    sentence character varying(300) NOT NULL,
    request_id character varying(80) NOT NULL,
    started_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    by_id bigint NOT NULL,
    top_up_id uuid NOT NULL
);
ALTER TABLE public.top_ups_topuprun ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.top_ups_topuprun_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.usersessions_usersession (
    id bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    ip inet NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    session_key character varying(40) NOT NULL,
    user_agent character varying(200) NOT NULL,
    data jsonb NOT NULL,
    user_id bigint NOT NULL
);
ALTER TABLE public.usersessions_usersession ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.usersessions_usersession_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.web_factorreset (
    id bigint NOT NULL,
    reason character varying(500) NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    asked_by_id bigint NOT NULL,
    confirmed_by_id bigint,
    membership_id bigint NOT NULL
);
ALTER TABLE public.web_factorreset ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.web_factorreset_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.web_submission (
    id bigint NOT NULL,
    key character varying(128) NOT NULL,
    attempt character varying(64) NOT NULL,
    path character varying(500) NOT NULL,
    state character varying(9) NOT NULL,
    status smallint,
    sentence character varying(500) NOT NULL,
    received_at timestamp with time zone NOT NULL,
    answered_at timestamp with time zone,
    business_id bigint,
    user_id bigint NOT NULL,
    CONSTRAINT web_submission_status_check CHECK ((status >= 0))
);
ALTER TABLE public.web_submission ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.web_submission_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
INSERT INTO public.auth_permission (id, name, content_type_id, codename) VALUES
	(1, 'Can add permission', 1, 'add_permission'),
	(2, 'Can change permission', 1, 'change_permission'),
	(3, 'Can delete permission', 1, 'delete_permission'),
	(4, 'Can view permission', 1, 'view_permission'),
	(5, 'Can add group', 2, 'add_group'),
	(6, 'Can change group', 2, 'change_group'),
	(7, 'Can delete group', 2, 'delete_group'),
	(8, 'Can view group', 2, 'view_group'),
	(9, 'Can add content type', 3, 'add_contenttype'),
	(10, 'Can change content type', 3, 'change_contenttype'),
	(11, 'Can delete content type', 3, 'delete_contenttype'),
	(12, 'Can view content type', 3, 'view_contenttype'),
	(13, 'Can add session', 4, 'add_session'),
	(14, 'Can change session', 4, 'change_session'),
	(15, 'Can delete session', 4, 'delete_session'),
	(16, 'Can view session', 4, 'view_session'),
	(17, 'Can add email address', 5, 'add_emailaddress'),
	(18, 'Can change email address', 5, 'change_emailaddress'),
	(19, 'Can delete email address', 5, 'delete_emailaddress'),
	(20, 'Can view email address', 5, 'view_emailaddress'),
	(21, 'Can add email confirmation', 6, 'add_emailconfirmation'),
	(22, 'Can change email confirmation', 6, 'change_emailconfirmation'),
	(23, 'Can delete email confirmation', 6, 'delete_emailconfirmation'),
	(24, 'Can view email confirmation', 6, 'view_emailconfirmation'),
	(25, 'Can add authenticator', 7, 'add_authenticator'),
	(26, 'Can change authenticator', 7, 'change_authenticator'),
	(27, 'Can delete authenticator', 7, 'delete_authenticator'),
	(28, 'Can view authenticator', 7, 'view_authenticator'),
	(29, 'Can add social account', 8, 'add_socialaccount'),
	(30, 'Can change social account', 8, 'change_socialaccount'),
	(31, 'Can delete social account', 8, 'delete_socialaccount'),
	(32, 'Can view social account', 8, 'view_socialaccount'),
	(33, 'Can add social application', 9, 'add_socialapp'),
	(34, 'Can change social application', 9, 'change_socialapp'),
	(35, 'Can delete social application', 9, 'delete_socialapp'),
	(36, 'Can view social application', 9, 'view_socialapp'),
	(37, 'Can add social application token', 10, 'add_socialtoken'),
	(38, 'Can change social application token', 10, 'change_socialtoken'),
	(39, 'Can delete social application token', 10, 'delete_socialtoken'),
	(40, 'Can view social application token', 10, 'view_socialtoken'),
	(41, 'Can add user session', 11, 'add_usersession'),
	(42, 'Can change user session', 11, 'change_usersession'),
	(43, 'Can delete user session', 11, 'delete_usersession'),
	(44, 'Can view user session', 11, 'view_usersession'),
	(45, 'Can add business', 12, 'add_business'),
	(46, 'Can change business', 12, 'change_business'),
	(47, 'Can delete business', 12, 'delete_business'),
	(48, 'Can view business', 12, 'view_business'),
	(49, 'Can add user', 13, 'add_user'),
	(50, 'Can change user', 13, 'change_user'),
	(51, 'Can delete user', 13, 'delete_user'),
	(52, 'Can view user', 13, 'view_user'),
	(53, 'Can add membership', 14, 'add_membership'),
	(54, 'Can change membership', 14, 'change_membership'),
	(55, 'Can delete membership', 14, 'delete_membership'),
	(56, 'Can view membership', 14, 'view_membership'),
	(57, 'Can add audit head', 15, 'add_audithead'),
	(58, 'Can change audit head', 15, 'change_audithead'),
	(59, 'Can delete audit head', 15, 'delete_audithead'),
	(60, 'Can view audit head', 15, 'view_audithead'),
	(61, 'Can add audit entry', 16, 'add_auditentry'),
	(62, 'Can change audit entry', 16, 'change_auditentry'),
	(63, 'Can delete audit entry', 16, 'delete_auditentry'),
	(64, 'Can view audit entry', 16, 'view_auditentry'),
	(65, 'Can add audit waiting', 17, 'add_auditwaiting'),
	(66, 'Can change audit waiting', 17, 'change_auditwaiting'),
	(67, 'Can delete audit waiting', 17, 'delete_auditwaiting'),
	(68, 'Can view audit waiting', 17, 'view_auditwaiting'),
	(69, 'Can add audit seal', 18, 'add_auditseal'),
	(70, 'Can change audit seal', 18, 'change_auditseal'),
	(71, 'Can delete audit seal', 18, 'delete_auditseal'),
	(72, 'Can view audit seal', 18, 'view_auditseal'),
	(73, 'Can add service account', 19, 'add_serviceaccount'),
	(74, 'Can change service account', 19, 'change_serviceaccount'),
	(75, 'Can delete service account', 19, 'delete_serviceaccount'),
	(76, 'Can view service account', 19, 'view_serviceaccount'),
	(77, 'Can add outbound operation', 20, 'add_outboundoperation'),
	(78, 'Can change outbound operation', 20, 'change_outboundoperation'),
	(79, 'Can delete outbound operation', 20, 'delete_outboundoperation'),
	(80, 'Can view outbound operation', 20, 'view_outboundoperation'),
	(81, 'Can add sync cursor', 21, 'add_synccursor'),
	(82, 'Can change sync cursor', 21, 'change_synccursor'),
	(83, 'Can delete sync cursor', 21, 'delete_synccursor'),
	(84, 'Can view sync cursor', 21, 'view_synccursor'),
	(85, 'Can add approval', 22, 'add_approval'),
	(86, 'Can change approval', 22, 'change_approval'),
	(87, 'Can delete approval', 22, 'delete_approval'),
	(88, 'Can view approval', 22, 'view_approval'),
	(89, 'Can add bill', 23, 'add_bill'),
	(90, 'Can change bill', 23, 'change_bill'),
	(91, 'Can delete bill', 23, 'delete_bill'),
	(92, 'Can view bill', 23, 'view_bill'),
	(93, 'Can add card', 24, 'add_card'),
	(94, 'Can change card', 24, 'change_card'),
	(95, 'Can delete card', 24, 'delete_card'),
	(96, 'Can view card', 24, 'view_card'),
	(97, 'Can add card decline', 25, 'add_carddecline'),
	(98, 'Can change card decline', 25, 'change_carddecline'),
	(99, 'Can delete card decline', 25, 'delete_carddecline'),
	(100, 'Can view card decline', 25, 'view_carddecline'),
	(101, 'Can add category', 26, 'add_category'),
	(102, 'Can change category', 26, 'change_category'),
	(103, 'Can delete category', 26, 'delete_category'),
	(104, 'Can view category', 26, 'view_category'),
	(105, 'Can add customer', 27, 'add_customer'),
	(106, 'Can change customer', 27, 'change_customer'),
	(107, 'Can delete customer', 27, 'delete_customer'),
	(108, 'Can view customer', 27, 'view_customer'),
	(109, 'Can add drift', 28, 'add_drift'),
	(110, 'Can change drift', 28, 'change_drift'),
	(111, 'Can delete drift', 28, 'delete_drift'),
	(112, 'Can view drift', 28, 'view_drift'),
	(113, 'Can add employee', 29, 'add_employee'),
	(114, 'Can change employee', 29, 'change_employee'),
	(115, 'Can delete employee', 29, 'delete_employee'),
	(116, 'Can view employee', 29, 'view_employee'),
	(117, 'Can add expense', 30, 'add_expense'),
	(118, 'Can change expense', 30, 'change_expense'),
	(119, 'Can delete expense', 30, 'delete_expense'),
	(120, 'Can view expense', 30, 'view_expense'),
	(121, 'Can add fund account', 31, 'add_fundaccount'),
	(122, 'Can change fund account', 31, 'change_fundaccount'),
	(123, 'Can delete fund account', 31, 'delete_fundaccount'),
	(124, 'Can view fund account', 31, 'view_fundaccount'),
	(125, 'Can add inbox event', 32, 'add_inboxevent'),
	(126, 'Can change inbox event', 32, 'change_inboxevent'),
	(127, 'Can delete inbox event', 32, 'delete_inboxevent'),
	(128, 'Can view inbox event', 32, 'view_inboxevent'),
	(129, 'Can add approval request', 33, 'add_approvalrequest'),
	(130, 'Can change approval request', 33, 'change_approvalrequest'),
	(131, 'Can delete approval request', 33, 'delete_approvalrequest'),
	(132, 'Can view approval request', 33, 'view_approvalrequest'),
	(133, 'Can add spend policy', 34, 'add_spendpolicy'),
	(134, 'Can change spend policy', 34, 'change_spendpolicy'),
	(135, 'Can delete spend policy', 34, 'delete_spendpolicy'),
	(136, 'Can view spend policy', 34, 'view_spendpolicy'),
	(137, 'Can add stored response', 35, 'add_storedresponse'),
	(138, 'Can change stored response', 35, 'change_storedresponse'),
	(139, 'Can delete stored response', 35, 'delete_storedresponse'),
	(140, 'Can view stored response', 35, 'view_storedresponse'),
	(141, 'Can add subscription', 36, 'add_subscription'),
	(142, 'Can change subscription', 36, 'change_subscription'),
	(143, 'Can delete subscription', 36, 'delete_subscription'),
	(144, 'Can view subscription', 36, 'view_subscription'),
	(145, 'Can add team', 37, 'add_team'),
	(146, 'Can change team', 37, 'change_team'),
	(147, 'Can delete team', 37, 'delete_team'),
	(148, 'Can view team', 37, 'view_team'),
	(149, 'Can add transaction', 38, 'add_transaction'),
	(150, 'Can change transaction', 38, 'change_transaction'),
	(151, 'Can delete transaction', 38, 'delete_transaction'),
	(152, 'Can view transaction', 38, 'view_transaction'),
	(153, 'Can add vendor', 39, 'add_vendor'),
	(154, 'Can change vendor', 39, 'change_vendor'),
	(155, 'Can delete vendor', 39, 'delete_vendor'),
	(156, 'Can view vendor', 39, 'view_vendor'),
	(157, 'Can add wallet', 40, 'add_wallet'),
	(158, 'Can change wallet', 40, 'change_wallet'),
	(159, 'Can delete wallet', 40, 'delete_wallet'),
	(160, 'Can view wallet', 40, 'view_wallet'),
	(161, 'Can add wallet permission', 41, 'add_walletpermission'),
	(162, 'Can change wallet permission', 41, 'change_walletpermission'),
	(163, 'Can delete wallet permission', 41, 'delete_walletpermission'),
	(164, 'Can view wallet permission', 41, 'view_walletpermission'),
	(165, 'Can add wallet policy', 42, 'add_walletpolicy'),
	(166, 'Can change wallet policy', 42, 'change_walletpolicy'),
	(167, 'Can delete wallet policy', 42, 'delete_walletpolicy'),
	(168, 'Can view wallet policy', 42, 'view_walletpolicy'),
	(169, 'Can add wallet role', 43, 'add_walletrole'),
	(170, 'Can change wallet role', 43, 'change_walletrole'),
	(171, 'Can delete wallet role', 43, 'delete_walletrole'),
	(172, 'Can view wallet role', 43, 'view_walletrole'),
	(173, 'Can add synced day', 44, 'add_syncedday'),
	(174, 'Can change synced day', 44, 'change_syncedday'),
	(175, 'Can delete synced day', 44, 'delete_syncedday'),
	(176, 'Can view synced day', 44, 'view_syncedday'),
	(177, 'Can add workflow', 45, 'add_workflow'),
	(178, 'Can change workflow', 45, 'change_workflow'),
	(179, 'Can delete workflow', 45, 'delete_workflow'),
	(180, 'Can view workflow', 45, 'view_workflow'),
	(181, 'Can add statement draft', 46, 'add_statementdraft'),
	(182, 'Can change statement draft', 46, 'change_statementdraft'),
	(183, 'Can delete statement draft', 46, 'delete_statementdraft'),
	(184, 'Can view statement draft', 46, 'view_statementdraft'),
	(185, 'Can add csv mapping', 47, 'add_csvmapping'),
	(186, 'Can change csv mapping', 47, 'change_csvmapping'),
	(187, 'Can delete csv mapping', 47, 'delete_csvmapping'),
	(188, 'Can view csv mapping', 47, 'view_csvmapping'),
	(189, 'Can add bank file download', 48, 'add_bankfiledownload'),
	(190, 'Can change bank file download', 48, 'change_bankfiledownload'),
	(191, 'Can delete bank file download', 48, 'delete_bankfiledownload'),
	(192, 'Can view bank file download', 48, 'view_bankfiledownload'),
	(193, 'Can add draft origin', 49, 'add_draftorigin'),
	(194, 'Can change draft origin', 49, 'change_draftorigin'),
	(195, 'Can delete draft origin', 49, 'delete_draftorigin'),
	(196, 'Can view draft origin', 49, 'view_draftorigin'),
	(197, 'Can add file columns', 50, 'add_filecolumns'),
	(198, 'Can change file columns', 50, 'change_filecolumns'),
	(199, 'Can delete file columns', 50, 'delete_filecolumns'),
	(200, 'Can view file columns', 50, 'view_filecolumns'),
	(201, 'Can add sent code', 51, 'add_sentcode'),
	(202, 'Can change sent code', 51, 'change_sentcode'),
	(203, 'Can delete sent code', 51, 'delete_sentcode'),
	(204, 'Can view sent code', 51, 'view_sentcode'),
	(205, 'Can add signing key', 52, 'add_signingkey'),
	(206, 'Can change signing key', 52, 'change_signingkey'),
	(207, 'Can delete signing key', 52, 'delete_signingkey'),
	(208, 'Can view signing key', 52, 'view_signingkey'),
	(209, 'Can add identity provider', 53, 'add_identityprovider'),
	(210, 'Can change identity provider', 53, 'change_identityprovider'),
	(211, 'Can delete identity provider', 53, 'delete_identityprovider'),
	(212, 'Can view identity provider', 53, 'view_identityprovider'),
	(213, 'Can add used assertion', 54, 'add_usedassertion'),
	(214, 'Can change used assertion', 54, 'change_usedassertion'),
	(215, 'Can delete used assertion', 54, 'delete_usedassertion'),
	(216, 'Can view used assertion', 54, 'view_usedassertion'),
	(217, 'Can add journal export', 55, 'add_journalexport'),
	(218, 'Can change journal export', 55, 'change_journalexport'),
	(219, 'Can delete journal export', 55, 'delete_journalexport'),
	(220, 'Can view journal export', 55, 'view_journalexport'),
	(221, 'Can add journal export file', 56, 'add_journalexportfile'),
	(222, 'Can change journal export file', 56, 'change_journalexportfile'),
	(223, 'Can delete journal export file', 56, 'delete_journalexportfile'),
	(224, 'Can view journal export file', 56, 'view_journalexportfile'),
	(225, 'Can add mapping', 57, 'add_mapping'),
	(226, 'Can change mapping', 57, 'change_mapping'),
	(227, 'Can delete mapping', 57, 'delete_mapping'),
	(228, 'Can view mapping', 57, 'view_mapping'),
	(229, 'Can add evidence pack', 58, 'add_evidencepack'),
	(230, 'Can change evidence pack', 58, 'change_evidencepack'),
	(231, 'Can delete evidence pack', 58, 'delete_evidencepack'),
	(232, 'Can view evidence pack', 58, 'view_evidencepack'),
	(233, 'Can add batch', 59, 'add_batch'),
	(234, 'Can change batch', 59, 'change_batch'),
	(235, 'Can delete batch', 59, 'delete_batch'),
	(236, 'Can view batch', 59, 'view_batch'),
	(237, 'Can add batch row', 60, 'add_batchrow'),
	(238, 'Can change batch row', 60, 'change_batchrow'),
	(239, 'Can delete batch row', 60, 'delete_batchrow'),
	(240, 'Can view batch row', 60, 'view_batchrow'),
	(241, 'Can add category rule', 61, 'add_categoryrule'),
	(242, 'Can change category rule', 61, 'change_categoryrule'),
	(243, 'Can delete category rule', 61, 'delete_categoryrule'),
	(244, 'Can view category rule', 61, 'view_categoryrule'),
	(245, 'Can add rule filing', 62, 'add_rulefiling'),
	(246, 'Can change rule filing', 62, 'change_rulefiling'),
	(247, 'Can delete rule filing', 62, 'delete_rulefiling'),
	(248, 'Can view rule filing', 62, 'view_rulefiling'),
	(249, 'Can add rule trial', 63, 'add_ruletrial'),
	(250, 'Can change rule trial', 63, 'change_ruletrial'),
	(251, 'Can delete rule trial', 63, 'delete_ruletrial'),
	(252, 'Can view rule trial', 63, 'view_ruletrial'),
	(253, 'Can add decision', 64, 'add_decision'),
	(254, 'Can change decision', 64, 'change_decision'),
	(255, 'Can delete decision', 64, 'delete_decision'),
	(256, 'Can view decision', 64, 'view_decision'),
	(257, 'Can add alert', 65, 'add_alert'),
	(258, 'Can change alert', 65, 'change_alert'),
	(259, 'Can delete alert', 65, 'delete_alert'),
	(260, 'Can view alert', 65, 'view_alert'),
	(261, 'Can add drawn batch', 66, 'add_drawnbatch'),
	(262, 'Can change drawn batch', 66, 'change_drawnbatch'),
	(263, 'Can delete drawn batch', 66, 'delete_drawnbatch'),
	(264, 'Can view drawn batch', 66, 'view_drawnbatch'),
	(265, 'Can add sample', 67, 'add_sample'),
	(266, 'Can change sample', 67, 'change_sample'),
	(267, 'Can delete sample', 67, 'delete_sample'),
	(268, 'Can view sample', 67, 'view_sample'),
	(269, 'Can add weekly draw', 68, 'add_weeklydraw'),
	(270, 'Can change weekly draw', 68, 'change_weeklydraw'),
	(271, 'Can delete weekly draw', 68, 'delete_weeklydraw'),
	(272, 'Can view weekly draw', 68, 'view_weeklydraw'),
	(273, 'Can add weekly sample', 69, 'add_weeklysample'),
	(274, 'Can change weekly sample', 69, 'change_weeklysample'),
	(275, 'Can delete weekly sample', 69, 'delete_weeklysample'),
	(276, 'Can view weekly sample', 69, 'view_weeklysample'),
	(277, 'Can add counted approval', 70, 'add_countedapproval'),
	(278, 'Can change counted approval', 70, 'change_countedapproval'),
	(279, 'Can delete counted approval', 70, 'delete_countedapproval'),
	(280, 'Can view counted approval', 70, 'view_countedapproval'),
	(281, 'Can add export', 71, 'add_export'),
	(282, 'Can change export', 71, 'change_export'),
	(283, 'Can delete export', 71, 'delete_export'),
	(284, 'Can view export', 71, 'view_export'),
	(285, 'Can add import', 72, 'add_import'),
	(286, 'Can change import', 72, 'change_import'),
	(287, 'Can delete import', 72, 'delete_import'),
	(288, 'Can view import', 72, 'view_import'),
	(289, 'Can add receipts job', 73, 'add_receiptsjob'),
	(290, 'Can change receipts job', 73, 'change_receiptsjob'),
	(291, 'Can delete receipts job', 73, 'delete_receiptsjob'),
	(292, 'Can view receipts job', 73, 'view_receiptsjob'),
	(293, 'Can add saved view', 74, 'add_savedview'),
	(294, 'Can change saved view', 74, 'change_savedview'),
	(295, 'Can delete saved view', 74, 'delete_savedview'),
	(296, 'Can view saved view', 74, 'view_savedview'),
	(297, 'Can add comment', 75, 'add_comment'),
	(298, 'Can change comment', 75, 'change_comment'),
	(299, 'Can delete comment', 75, 'delete_comment'),
	(300, 'Can view comment', 75, 'view_comment'),
	(301, 'Can add dismissal', 76, 'add_dismissal'),
	(302, 'Can change dismissal', 76, 'change_dismissal'),
	(303, 'Can delete dismissal', 76, 'delete_dismissal'),
	(304, 'Can view dismissal', 76, 'view_dismissal'),
	(305, 'Can add document reading', 77, 'add_documentreading'),
	(306, 'Can change document reading', 77, 'change_documentreading'),
	(307, 'Can delete document reading', 77, 'delete_documentreading'),
	(308, 'Can view document reading', 77, 'view_documentreading'),
	(309, 'Can add read document', 78, 'add_readdocument'),
	(310, 'Can change read document', 78, 'change_readdocument'),
	(311, 'Can delete read document', 78, 'delete_readdocument'),
	(312, 'Can view read document', 78, 'view_readdocument'),
	(313, 'Can add read payment', 79, 'add_readpayment'),
	(314, 'Can change read payment', 79, 'change_readpayment'),
	(315, 'Can delete read payment', 79, 'delete_readpayment'),
	(316, 'Can view read payment', 79, 'view_readpayment'),
	(317, 'Can add document note', 80, 'add_documentnote'),
	(318, 'Can change document note', 80, 'change_documentnote'),
	(319, 'Can delete document note', 80, 'delete_documentnote'),
	(320, 'Can view document note', 80, 'view_documentnote'),
	(321, 'Can add picture look', 81, 'add_picturelook'),
	(322, 'Can change picture look', 81, 'change_picturelook'),
	(323, 'Can delete picture look', 81, 'delete_picturelook'),
	(324, 'Can view picture look', 81, 'view_picturelook'),
	(325, 'Can add picture band', 82, 'add_pictureband'),
	(326, 'Can change picture band', 82, 'change_pictureband'),
	(327, 'Can delete picture band', 82, 'delete_pictureband'),
	(328, 'Can view picture band', 82, 'view_pictureband'),
	(329, 'Can add received message', 83, 'add_receivedmessage'),
	(330, 'Can change received message', 83, 'change_receivedmessage'),
	(331, 'Can delete received message', 83, 'delete_receivedmessage'),
	(332, 'Can view received message', 83, 'view_receivedmessage'),
	(333, 'Can add received attachment', 84, 'add_receivedattachment'),
	(334, 'Can change received attachment', 84, 'change_receivedattachment'),
	(335, 'Can delete received attachment', 84, 'delete_receivedattachment'),
	(336, 'Can view received attachment', 84, 'view_receivedattachment'),
	(337, 'Can add replay', 85, 'add_replay'),
	(338, 'Can change replay', 85, 'change_replay'),
	(339, 'Can delete replay', 85, 'delete_replay'),
	(340, 'Can view replay', 85, 'view_replay'),
	(341, 'Can add replay item', 86, 'add_replayitem'),
	(342, 'Can change replay item', 86, 'change_replayitem'),
	(343, 'Can delete replay item', 86, 'delete_replayitem'),
	(344, 'Can view replay item', 86, 'view_replayitem'),
	(345, 'Can add four eyes', 87, 'add_foureyes'),
	(346, 'Can change four eyes', 87, 'change_foureyes'),
	(347, 'Can delete four eyes', 87, 'delete_foureyes'),
	(348, 'Can view four eyes', 87, 'view_foureyes'),
	(349, 'Can add proposal', 88, 'add_proposal'),
	(350, 'Can change proposal', 88, 'change_proposal'),
	(351, 'Can delete proposal', 88, 'delete_proposal'),
	(352, 'Can view proposal', 88, 'view_proposal'),
	(353, 'Can add delegation', 89, 'add_delegation'),
	(354, 'Can change delegation', 89, 'change_delegation'),
	(355, 'Can delete delegation', 89, 'delete_delegation'),
	(356, 'Can view delegation', 89, 'view_delegation'),
	(357, 'Can add inbox watch', 90, 'add_inboxwatch'),
	(358, 'Can change inbox watch', 90, 'change_inboxwatch'),
	(359, 'Can delete inbox watch', 90, 'delete_inboxwatch'),
	(360, 'Can view inbox watch', 90, 'view_inboxwatch'),
	(361, 'Can add push device', 91, 'add_pushdevice'),
	(362, 'Can change push device', 91, 'change_pushdevice'),
	(363, 'Can delete push device', 91, 'delete_pushdevice'),
	(364, 'Can view push device', 91, 'view_pushdevice'),
	(365, 'Can add push message', 92, 'add_pushmessage'),
	(366, 'Can change push message', 92, 'change_pushmessage'),
	(367, 'Can delete push message', 92, 'delete_pushmessage'),
	(368, 'Can view push message', 92, 'view_pushmessage'),
	(369, 'Can add push delivery', 93, 'add_pushdelivery'),
	(370, 'Can change push delivery', 93, 'change_pushdelivery'),
	(371, 'Can delete push delivery', 93, 'delete_pushdelivery'),
	(372, 'Can view push delivery', 93, 'view_pushdelivery'),
	(373, 'Can add topic choice', 94, 'add_topicchoice'),
	(374, 'Can change topic choice', 94, 'change_topicchoice'),
	(375, 'Can delete topic choice', 94, 'delete_topicchoice'),
	(376, 'Can view topic choice', 94, 'view_topicchoice'),
	(377, 'Can add digest', 95, 'add_digest'),
	(378, 'Can change digest', 95, 'change_digest'),
	(379, 'Can delete digest', 95, 'delete_digest'),
	(380, 'Can view digest', 95, 'view_digest'),
	(381, 'Can add inbox watch item', 96, 'add_inboxwatchitem'),
	(382, 'Can change inbox watch item', 96, 'change_inboxwatchitem'),
	(383, 'Can delete inbox watch item', 96, 'delete_inboxwatchitem'),
	(384, 'Can view inbox watch item', 96, 'view_inboxwatchitem'),
	(385, 'Can add notice', 97, 'add_notice'),
	(386, 'Can change notice', 97, 'change_notice'),
	(387, 'Can delete notice', 97, 'delete_notice'),
	(388, 'Can view notice', 97, 'view_notice'),
	(389, 'Can add offboarding', 98, 'add_offboarding'),
	(390, 'Can change offboarding', 98, 'change_offboarding'),
	(391, 'Can delete offboarding', 98, 'delete_offboarding'),
	(392, 'Can view offboarding', 98, 'view_offboarding'),
	(393, 'Can add offboarding step', 99, 'add_offboardingstep'),
	(394, 'Can change offboarding step', 99, 'change_offboardingstep'),
	(395, 'Can delete offboarding step', 99, 'delete_offboardingstep'),
	(396, 'Can view offboarding step', 99, 'view_offboardingstep'),
	(397, 'Can add access review', 100, 'add_accessreview'),
	(398, 'Can change access review', 100, 'change_accessreview'),
	(399, 'Can delete access review', 100, 'delete_accessreview'),
	(400, 'Can view access review', 100, 'view_accessreview'),
	(401, 'Can add reviewed person', 101, 'add_reviewedperson'),
	(402, 'Can change reviewed person', 101, 'change_reviewedperson'),
	(403, 'Can delete reviewed person', 101, 'delete_reviewedperson'),
	(404, 'Can view reviewed person', 101, 'view_reviewedperson'),
	(405, 'Can add top up', 102, 'add_topup'),
	(406, 'Can change top up', 102, 'change_topup'),
	(407, 'Can delete top up', 102, 'delete_topup'),
	(408, 'Can view top up', 102, 'view_topup'),
	(409, 'Can add top up run', 103, 'add_topuprun'),
	(410, 'Can change top up run', 103, 'change_topuprun'),
	(411, 'Can delete top up run', 103, 'delete_topuprun'),
	(412, 'Can view top up run', 103, 'view_topuprun'),
	(413, 'Can add newcomer', 104, 'add_newcomer'),
	(414, 'Can change newcomer', 104, 'change_newcomer'),
	(415, 'Can delete newcomer', 104, 'delete_newcomer'),
	(416, 'Can view newcomer', 104, 'view_newcomer'),
	(417, 'Can add cancellation', 105, 'add_cancellation'),
	(418, 'Can change cancellation', 105, 'change_cancellation'),
	(419, 'Can delete cancellation', 105, 'delete_cancellation'),
	(420, 'Can view cancellation', 105, 'view_cancellation'),
	(421, 'Can add cancellation step', 106, 'add_cancellationstep'),
	(422, 'Can change cancellation step', 106, 'change_cancellationstep'),
	(423, 'Can delete cancellation step', 106, 'delete_cancellationstep'),
	(424, 'Can view cancellation step', 106, 'view_cancellationstep'),
	(425, 'Can add renewal terms', 107, 'add_renewalterms'),
	(426, 'Can change renewal terms', 107, 'change_renewalterms'),
	(427, 'Can delete renewal terms', 107, 'delete_renewalterms'),
	(428, 'Can view renewal terms', 107, 'view_renewalterms'),
	(429, 'Can add scim token', 108, 'add_scimtoken'),
	(430, 'Can change scim token', 108, 'change_scimtoken'),
	(431, 'Can delete scim token', 108, 'delete_scimtoken'),
	(432, 'Can view scim token', 108, 'view_scimtoken'),
	(433, 'Can add pending suspension', 109, 'add_pendingsuspension'),
	(434, 'Can change pending suspension', 109, 'change_pendingsuspension'),
	(435, 'Can delete pending suspension', 109, 'delete_pendingsuspension'),
	(436, 'Can view pending suspension', 109, 'view_pendingsuspension'),
	(437, 'Can add scim group', 110, 'add_scimgroup'),
	(438, 'Can change scim group', 110, 'change_scimgroup'),
	(439, 'Can delete scim group', 110, 'delete_scimgroup'),
	(440, 'Can view scim group', 110, 'view_scimgroup'),
	(441, 'Can add scim user', 111, 'add_scimuser'),
	(442, 'Can change scim user', 111, 'change_scimuser'),
	(443, 'Can delete scim user', 111, 'delete_scimuser'),
	(444, 'Can view scim user', 111, 'view_scimuser'),
	(445, 'Can add factor reset', 112, 'add_factorreset'),
	(446, 'Can change factor reset', 112, 'change_factorreset'),
	(447, 'Can delete factor reset', 112, 'delete_factorreset'),
	(448, 'Can view factor reset', 112, 'view_factorreset'),
	(449, 'Can add submission', 113, 'add_submission'),
	(450, 'Can change submission', 113, 'change_submission'),
	(451, 'Can delete submission', 113, 'delete_submission'),
	(452, 'Can view submission', 113, 'view_submission');
INSERT INTO public.django_content_type (id, app_label, model) VALUES
	(1, 'auth', 'permission'),
	(2, 'auth', 'group'),
	(3, 'contenttypes', 'contenttype'),
	(4, 'sessions', 'session'),
	(5, 'account', 'emailaddress'),
	(6, 'account', 'emailconfirmation'),
	(7, 'mfa', 'authenticator'),
	(8, 'socialaccount', 'socialaccount'),
	(9, 'socialaccount', 'socialapp'),
	(10, 'socialaccount', 'socialtoken'),
	(11, 'usersessions', 'usersession'),
	(12, 'access', 'business'),
	(13, 'access', 'user'),
	(14, 'access', 'membership'),
	(15, 'audit', 'audithead'),
	(16, 'audit', 'auditentry'),
	(17, 'audit', 'auditwaiting'),
	(18, 'audit', 'auditseal'),
	(19, 'client', 'serviceaccount'),
	(20, 'client', 'outboundoperation'),
	(21, 'mirror', 'synccursor'),
	(22, 'mirror', 'approval'),
	(23, 'mirror', 'bill'),
	(24, 'mirror', 'card'),
	(25, 'mirror', 'carddecline'),
	(26, 'mirror', 'category'),
	(27, 'mirror', 'customer'),
	(28, 'mirror', 'drift'),
	(29, 'mirror', 'employee'),
	(30, 'mirror', 'expense'),
	(31, 'mirror', 'fundaccount'),
	(32, 'mirror', 'inboxevent'),
	(33, 'mirror', 'approvalrequest'),
	(34, 'mirror', 'spendpolicy'),
	(35, 'mirror', 'storedresponse'),
	(36, 'mirror', 'subscription'),
	(37, 'mirror', 'team'),
	(38, 'mirror', 'transaction'),
	(39, 'mirror', 'vendor'),
	(40, 'mirror', 'wallet'),
	(41, 'mirror', 'walletpermission'),
	(42, 'mirror', 'walletpolicy'),
	(43, 'mirror', 'walletrole'),
	(44, 'mirror', 'syncedday'),
	(45, 'mirror', 'workflow'),
	(46, 'bank_statements', 'statementdraft'),
	(47, 'bank_statements', 'csvmapping'),
	(48, 'payout_files', 'bankfiledownload'),
	(49, 'payout_files', 'draftorigin'),
	(50, 'payout_files', 'filecolumns'),
	(51, 'payout_files', 'sentcode'),
	(52, 'signing', 'signingkey'),
	(53, 'single_sign_on', 'identityprovider'),
	(54, 'single_sign_on', 'usedassertion'),
	(55, 'journal_exports', 'journalexport'),
	(56, 'journal_exports', 'journalexportfile'),
	(57, 'journal_exports', 'mapping'),
	(58, 'evidence', 'evidencepack'),
	(59, 'bulk', 'batch'),
	(60, 'bulk', 'batchrow'),
	(61, 'categorisation', 'categoryrule'),
	(62, 'categorisation', 'rulefiling'),
	(63, 'categorisation', 'ruletrial'),
	(64, 'decisions', 'decision'),
	(65, 'decisions', 'alert'),
	(66, 'decisions', 'drawnbatch'),
	(67, 'decisions', 'sample'),
	(68, 'decisions', 'weeklydraw'),
	(69, 'decisions', 'weeklysample'),
	(70, 'decisions', 'countedapproval'),
	(71, 'lists', 'export'),
	(72, 'lists', 'import'),
	(73, 'lists', 'receiptsjob'),
	(74, 'lists', 'savedview'),
	(75, 'conversation', 'comment'),
	(76, 'conversation', 'dismissal'),
	(77, 'documents', 'documentreading'),
	(78, 'documents', 'readdocument'),
	(79, 'documents', 'readpayment'),
	(80, 'documents', 'documentnote'),
	(81, 'documents', 'picturelook'),
	(82, 'documents', 'pictureband'),
	(83, 'inbound_mail', 'receivedmessage'),
	(84, 'inbound_mail', 'receivedattachment'),
	(85, 'policies', 'replay'),
	(86, 'policies', 'replayitem'),
	(87, 'proposals', 'foureyes'),
	(88, 'proposals', 'proposal'),
	(89, 'delegation', 'delegation'),
	(90, 'notifications', 'inboxwatch'),
	(91, 'notifications', 'pushdevice'),
	(92, 'notifications', 'pushmessage'),
	(93, 'notifications', 'pushdelivery'),
	(94, 'notifications', 'topicchoice'),
	(95, 'notifications', 'digest'),
	(96, 'notifications', 'inboxwatchitem'),
	(97, 'notifications', 'notice'),
	(98, 'offboarding', 'offboarding'),
	(99, 'offboarding', 'offboardingstep'),
	(100, 'access_reviews', 'accessreview'),
	(101, 'access_reviews', 'reviewedperson'),
	(102, 'top_ups', 'topup'),
	(103, 'top_ups', 'topuprun'),
	(104, 'onboarding', 'newcomer'),
	(105, 'renewals', 'cancellation'),
	(106, 'renewals', 'cancellationstep'),
	(107, 'renewals', 'renewalterms'),
	(108, 'scim', 'scimtoken'),
	(109, 'scim', 'pendingsuspension'),
	(110, 'scim', 'scimgroup'),
	(111, 'scim', 'scimuser'),
	(112, 'web', 'factorreset'),
	(113, 'web', 'submission');
INSERT INTO public.django_migrations (id, app, name, applied) VALUES
	(1, 'contenttypes', '0001_initial', now()),
	(2, 'contenttypes', '0002_remove_content_type_name', now()),
	(3, 'auth', '0001_initial', now()),
	(4, 'auth', '0002_alter_permission_name_max_length', now()),
	(5, 'auth', '0003_alter_user_email_max_length', now()),
	(6, 'auth', '0004_alter_user_username_opts', now()),
	(7, 'auth', '0005_alter_user_last_login_null', now()),
	(8, 'auth', '0006_require_contenttypes_0002', now()),
	(9, 'auth', '0007_alter_validators_add_error_messages', now()),
	(10, 'auth', '0008_alter_user_username_max_length', now()),
	(11, 'auth', '0009_alter_user_last_name_max_length', now()),
	(12, 'auth', '0010_alter_group_name_max_length', now()),
	(13, 'auth', '0011_update_proxy_permissions', now()),
	(14, 'auth', '0012_alter_user_first_name_max_length', now()),
	(15, 'access', '0001_initial', now()),
	(16, 'usersessions', '0001_initial', now()),
	(17, 'socialaccount', '0001_initial', now()),
	(18, 'socialaccount', '0002_token_max_lengths', now()),
	(19, 'socialaccount', '0003_extra_data_default_dict', now()),
	(20, 'socialaccount', '0004_app_provider_id_settings', now()),
	(21, 'socialaccount', '0005_socialtoken_nullable_app', now()),
	(22, 'socialaccount', '0006_alter_socialaccount_extra_data', now()),
	(23, 'sessions', '0001_initial', now()),
	(24, 'mfa', '0001_initial', now()),
	(25, 'mfa', '0002_authenticator_timestamps', now()),
	(26, 'mfa', '0003_authenticator_type_uniq', now()),
	(27, 'account', '0001_initial', now()),
	(28, 'account', '0002_email_max_length', now()),
	(29, 'account', '0003_alter_emailaddress_create_unique_verified_email', now()),
	(30, 'account', '0004_alter_emailaddress_drop_unique_email', now()),
	(31, 'account', '0005_emailaddress_idx_upper_email', now()),
	(32, 'account', '0006_emailaddress_lower', now()),
	(33, 'account', '0007_emailaddress_idx_email', now()),
	(34, 'account', '0008_emailaddress_unique_primary_email_fixup', now()),
	(35, 'account', '0009_emailaddress_unique_primary_email', now()),
	(36, 'access_reviews', '0001_initial', now()),
	(37, 'audit', '0001_initial', now()),
	(38, 'bank_statements', '0001_initial', now()),
	(39, 'bulk', '0001_initial', now()),
	(40, 'categorisation', '0001_initial', now()),
	(41, 'client', '0001_initial', now()),
	(42, 'conversation', '0001_initial', now()),
	(43, 'decisions', '0001_initial', now()),
	(44, 'delegation', '0001_initial', now()),
	(45, 'documents', '0001_initial', now()),
	(46, 'evidence', '0001_initial', now()),
	(47, 'inbound_mail', '0001_initial', now()),
	(48, 'journal_exports', '0001_initial', now()),
	(49, 'lists', '0001_initial', now()),
	(50, 'mirror', '0001_initial', now()),
	(51, 'notifications', '0001_initial', now()),
	(52, 'offboarding', '0001_initial', now()),
	(53, 'onboarding', '0001_initial', now()),
	(54, 'payout_files', '0001_initial', now()),
	(55, 'policies', '0001_initial', now()),
	(56, 'proposals', '0001_initial', now()),
	(57, 'renewals', '0001_initial', now()),
	(58, 'scim', '0001_initial', now()),
	(59, 'signing', '0001_initial', now()),
	(60, 'single_sign_on', '0001_initial', now()),
	(61, 'top_ups', '0001_initial', now()),
	(62, 'web', '0001_initial', now());
SELECT pg_catalog.setval('public.access_business_id_seq', 1, false);
SELECT pg_catalog.setval('public.access_membership_id_seq', 1, false);
SELECT pg_catalog.setval('public.access_reviews_accessreview_id_seq', 1, false);
SELECT pg_catalog.setval('public.access_reviews_reviewedperson_id_seq', 1, false);
SELECT pg_catalog.setval('public.access_serviceaccount_id_seq', 1, false);
SELECT pg_catalog.setval('public.access_user_groups_id_seq', 1, false);
SELECT pg_catalog.setval('public.access_user_id_seq', 1, false);
SELECT pg_catalog.setval('public.access_user_user_permissions_id_seq', 1, false);
SELECT pg_catalog.setval('public.account_emailaddress_id_seq', 1, false);
SELECT pg_catalog.setval('public.account_emailconfirmation_id_seq', 1, false);
SELECT pg_catalog.setval('public.audit_auditentry_id_seq', 1, false);
SELECT pg_catalog.setval('public.audit_auditseal_id_seq', 1, false);
SELECT pg_catalog.setval('public.auth_group_id_seq', 1, false);
SELECT pg_catalog.setval('public.auth_group_permissions_id_seq', 1, false);
SELECT pg_catalog.setval('public.auth_permission_id_seq', 452, true);
SELECT pg_catalog.setval('public.bank_statements_csvmapping_id_seq', 1, false);
SELECT pg_catalog.setval('public.categorisation_categoryrule_id_seq', 1, false);
SELECT pg_catalog.setval('public.categorisation_rulefiling_id_seq', 1, false);
SELECT pg_catalog.setval('public.categorisation_ruletrial_id_seq', 1, false);
SELECT pg_catalog.setval('public.client_outboundoperation_id_seq', 1, false);
SELECT pg_catalog.setval('public.conversation_dismissal_id_seq', 1, false);
SELECT pg_catalog.setval('public.decisions_alert_id_seq', 1, false);
SELECT pg_catalog.setval('public.decisions_countedapproval_id_seq', 1, false);
SELECT pg_catalog.setval('public.decisions_drawnbatch_id_seq', 1, false);
SELECT pg_catalog.setval('public.decisions_sample_id_seq', 1, false);
SELECT pg_catalog.setval('public.decisions_weeklydraw_id_seq', 1, false);
SELECT pg_catalog.setval('public.decisions_weeklysample_id_seq', 1, false);
SELECT pg_catalog.setval('public.django_content_type_id_seq', 113, true);
SELECT pg_catalog.setval('public.django_migrations_id_seq', 62, true);
SELECT pg_catalog.setval('public.documents_documentnote_id_seq', 1, false);
SELECT pg_catalog.setval('public.documents_documentreading_id_seq', 1, false);
SELECT pg_catalog.setval('public.documents_picturelook_id_seq', 1, false);
SELECT pg_catalog.setval('public.documents_readdocument_id_seq', 1, false);
SELECT pg_catalog.setval('public.documents_readpayment_id_seq', 1, false);
SELECT pg_catalog.setval('public.journal_exports_journalexportfile_id_seq', 1, false);
SELECT pg_catalog.setval('public.journal_exports_mapping_id_seq', 1, false);
SELECT pg_catalog.setval('public.lists_batchrow_id_seq', 1, false);
SELECT pg_catalog.setval('public.lists_receiptsjob_id_seq', 1, false);
SELECT pg_catalog.setval('public.lists_savedview_id_seq', 1, false);
SELECT pg_catalog.setval('public.mfa_authenticator_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_approval_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_bill_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_card_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_carddecline_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_category_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_cursor_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_customer_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_drift_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_employee_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_expense_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_fundaccount_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_inboxevent_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_keptanswer_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_request_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_spendpolicy_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_subscription_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_team_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_transaction_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_vendor_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_wallet_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_walletpermission_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_walletpolicy_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_walletrole_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_window_id_seq', 1, false);
SELECT pg_catalog.setval('public.mirror_workflow_id_seq', 1, false);
SELECT pg_catalog.setval('public.notifications_choice_id_seq', 1, false);
SELECT pg_catalog.setval('public.notifications_digest_id_seq', 1, false);
SELECT pg_catalog.setval('public.notifications_inboxwatch_id_seq', 1, false);
SELECT pg_catalog.setval('public.notifications_inboxwatchitem_id_seq', 1, false);
SELECT pg_catalog.setval('public.notifications_pushdelivery_id_seq', 1, false);
SELECT pg_catalog.setval('public.offboarding_step_id_seq', 1, false);
SELECT pg_catalog.setval('public.onboarding_newcomer_id_seq', 1, false);
SELECT pg_catalog.setval('public.payout_files_bankfiledownload_id_seq', 1, false);
SELECT pg_catalog.setval('public.payout_files_draftorigin_id_seq', 1, false);
SELECT pg_catalog.setval('public.payout_files_filecolumns_id_seq', 1, false);
SELECT pg_catalog.setval('public.payout_files_sentcode_id_seq', 1, false);
SELECT pg_catalog.setval('public.policies_replayitem_id_seq', 1, false);
SELECT pg_catalog.setval('public.proposals_foureyes_id_seq', 1, false);
SELECT pg_catalog.setval('public.proposals_proposal_id_seq', 1, false);
SELECT pg_catalog.setval('public.renewals_cancellation_id_seq', 1, false);
SELECT pg_catalog.setval('public.renewals_cancellationstep_id_seq', 1, false);
SELECT pg_catalog.setval('public.renewals_renewalterms_id_seq', 1, false);
SELECT pg_catalog.setval('public.scim_pendingsuspension_id_seq', 1, false);
SELECT pg_catalog.setval('public.scim_scimgroup_id_seq', 1, false);
SELECT pg_catalog.setval('public.scim_scimgroup_members_id_seq', 1, false);
SELECT pg_catalog.setval('public.scim_scimtoken_id_seq', 1, false);
SELECT pg_catalog.setval('public.scim_scimuser_id_seq', 1, false);
SELECT pg_catalog.setval('public.signing_signingkey_id_seq', 1, false);
SELECT pg_catalog.setval('public.single_sign_on_identityprovider_id_seq', 1, false);
SELECT pg_catalog.setval('public.single_sign_on_usedassertion_id_seq', 1, false);
SELECT pg_catalog.setval('public.socialaccount_socialaccount_id_seq', 1, false);
SELECT pg_catalog.setval('public.socialaccount_socialapp_id_seq', 1, false);
SELECT pg_catalog.setval('public.socialaccount_socialtoken_id_seq', 1, false);
SELECT pg_catalog.setval('public.top_ups_topuprun_id_seq', 1, false);
SELECT pg_catalog.setval('public.usersessions_usersession_id_seq', 1, false);
SELECT pg_catalog.setval('public.web_factorreset_id_seq', 1, false);
SELECT pg_catalog.setval('public.web_submission_id_seq', 1, false);
ALTER TABLE ONLY public.access_business
    ADD CONSTRAINT access_business_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.access_business
    ADD CONSTRAINT access_business_slug_key UNIQUE (slug);
ALTER TABLE ONLY public.access_membership
    ADD CONSTRAINT access_membership_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.access_reviews_accessreview
    ADD CONSTRAINT access_reviews_accessreview_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.access_reviews_reviewedperson
    ADD CONSTRAINT access_reviews_reviewedperson_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.access_serviceaccount
    ADD CONSTRAINT access_serviceaccount_business_id_key UNIQUE (business_id);
ALTER TABLE ONLY public.access_serviceaccount
    ADD CONSTRAINT access_serviceaccount_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.access_user
    ADD CONSTRAINT access_user_email_key UNIQUE (email);
ALTER TABLE ONLY public.access_user_groups
    ADD CONSTRAINT access_user_groups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.access_user_groups
    ADD CONSTRAINT access_user_groups_user_id_group_id_425a56a6_uniq UNIQUE (user_id, group_id);
ALTER TABLE ONLY public.access_user
    ADD CONSTRAINT access_user_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.access_user_user_permissions
    ADD CONSTRAINT access_user_user_permiss_user_id_permission_id_ef659a87_uniq UNIQUE (user_id, permission_id);
ALTER TABLE ONLY public.access_user_user_permissions
    ADD CONSTRAINT access_user_user_permissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_user_id_email_987c8728_uniq UNIQUE (user_id, email);
ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirmation_key_key UNIQUE (key);
ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirmation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.inbound_mail_receivedattachment
    ADD CONSTRAINT attachment_position_once UNIQUE (message_id, "position");
ALTER TABLE ONLY public.audit_auditentry
    ADD CONSTRAINT audit_auditentry_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_audithead
    ADD CONSTRAINT audit_audithead_pkey PRIMARY KEY (chain);
ALTER TABLE ONLY public.audit_auditseal
    ADD CONSTRAINT audit_auditseal_entry_id_key UNIQUE (entry_id);
ALTER TABLE ONLY public.audit_auditseal
    ADD CONSTRAINT audit_auditseal_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.audit_auditwaiting
    ADD CONSTRAINT audit_auditwaiting_pkey PRIMARY KEY (entry_id);
ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_name_key UNIQUE (name);
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_permission_id_0cd325b0_uniq UNIQUE (group_id, permission_id);
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_codename_01ab375a_uniq UNIQUE (content_type_id, codename);
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.bank_statements_csvmapping
    ADD CONSTRAINT bank_statements_csvmapping_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.bank_statements_statementdraft
    ADD CONSTRAINT bank_statements_statementdraft_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.categorisation_categoryrule
    ADD CONSTRAINT categorisation_categoryrule_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.categorisation_rulefiling
    ADD CONSTRAINT categorisation_rulefiling_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.categorisation_ruletrial
    ADD CONSTRAINT categorisation_ruletrial_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.client_outboundoperation
    ADD CONSTRAINT client_outboundoperation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.documents_documentreading
    ADD CONSTRAINT content_read_once_per_reader UNIQUE (business_id, content_hash, reader);
ALTER TABLE ONLY public.conversation_comment
    ADD CONSTRAINT conversation_comment_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.conversation_dismissal
    ADD CONSTRAINT conversation_dismissal_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.bank_statements_csvmapping
    ADD CONSTRAINT csv_mapping_per_header UNIQUE (business_id, header_key);
ALTER TABLE ONLY public.decisions_alert
    ADD CONSTRAINT decisions_alert_decision_id_key UNIQUE (decision_id);
ALTER TABLE ONLY public.decisions_alert
    ADD CONSTRAINT decisions_alert_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.decisions_countedapproval
    ADD CONSTRAINT decisions_countedapproval_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.decisions_decision
    ADD CONSTRAINT decisions_decision_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.decisions_decision
    ADD CONSTRAINT decisions_decision_row_id_key UNIQUE (row_id);
ALTER TABLE ONLY public.decisions_drawnbatch
    ADD CONSTRAINT decisions_drawnbatch_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.decisions_sample
    ADD CONSTRAINT decisions_sample_decision_id_key UNIQUE (decision_id);
ALTER TABLE ONLY public.decisions_sample
    ADD CONSTRAINT decisions_sample_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.decisions_weeklydraw
    ADD CONSTRAINT decisions_weeklydraw_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.decisions_weeklysample
    ADD CONSTRAINT decisions_weeklysample_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.delegation_delegation
    ADD CONSTRAINT delegation_delegation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_app_label_model_76bd3d3b_uniq UNIQUE (app_label, model);
ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_migrations
    ADD CONSTRAINT django_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.django_session
    ADD CONSTRAINT django_session_pkey PRIMARY KEY (session_key);
ALTER TABLE ONLY public.documents_documentnote
    ADD CONSTRAINT documents_documentnote_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.documents_documentreading
    ADD CONSTRAINT documents_documentreading_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.documents_pictureband
    ADD CONSTRAINT documents_pictureband_pkey PRIMARY KEY (business_id, band, look_id);
ALTER TABLE ONLY public.documents_picturelook
    ADD CONSTRAINT documents_picturelook_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.documents_readdocument
    ADD CONSTRAINT documents_readdocument_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.documents_readpayment
    ADD CONSTRAINT documents_readpayment_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payout_files_draftorigin
    ADD CONSTRAINT draft_origin_once UNIQUE (business_id, payout_id);
ALTER TABLE ONLY public.single_sign_on_usedassertion
    ADD CONSTRAINT each_assertion_once UNIQUE (provider_id, digest);
ALTER TABLE ONLY public.evidence_evidencepack
    ADD CONSTRAINT evidence_evidencepack_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payout_files_filecolumns
    ADD CONSTRAINT file_columns_per_header UNIQUE (business_id, header_key);
ALTER TABLE ONLY public.inbound_mail_receivedattachment
    ADD CONSTRAINT inbound_mail_receivedattachment_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.inbound_mail_receivedmessage
    ADD CONSTRAINT inbound_mail_receivedmessage_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notifications_inboxwatchitem
    ADD CONSTRAINT item_watched_once UNIQUE (watch_id, key);
ALTER TABLE ONLY public.journal_exports_journalexport
    ADD CONSTRAINT journal_exports_journalexport_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.journal_exports_journalexportfile
    ADD CONSTRAINT journal_exports_journalexportfile_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.journal_exports_mapping
    ADD CONSTRAINT journal_exports_mapping_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lists_batch
    ADD CONSTRAINT lists_batch_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lists_batchrow
    ADD CONSTRAINT lists_batchrow_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lists_export
    ADD CONSTRAINT lists_export_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lists_import
    ADD CONSTRAINT lists_import_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lists_receiptsjob
    ADD CONSTRAINT lists_receiptsjob_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lists_savedview
    ADD CONSTRAINT lists_savedview_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.inbound_mail_receivedmessage
    ADD CONSTRAINT message_received_once UNIQUE (business_id, message_id, content_hash);
ALTER TABLE ONLY public.mfa_authenticator
    ADD CONSTRAINT mfa_authenticator_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_approval
    ADD CONSTRAINT mirror_approval_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_bill
    ADD CONSTRAINT mirror_bill_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_card
    ADD CONSTRAINT mirror_card_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_carddecline
    ADD CONSTRAINT mirror_carddecline_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_category
    ADD CONSTRAINT mirror_category_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_cursor
    ADD CONSTRAINT mirror_cursor_business_id_key UNIQUE (business_id);
ALTER TABLE ONLY public.mirror_cursor
    ADD CONSTRAINT mirror_cursor_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_customer
    ADD CONSTRAINT mirror_customer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_drift
    ADD CONSTRAINT mirror_drift_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_employee
    ADD CONSTRAINT mirror_employee_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_expense
    ADD CONSTRAINT mirror_expense_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_fundaccount
    ADD CONSTRAINT mirror_fundaccount_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_inboxevent
    ADD CONSTRAINT mirror_inboxevent_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_keptanswer
    ADD CONSTRAINT mirror_keptanswer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_request
    ADD CONSTRAINT mirror_request_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_spendpolicy
    ADD CONSTRAINT mirror_spendpolicy_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_subscription
    ADD CONSTRAINT mirror_subscription_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_team
    ADD CONSTRAINT mirror_team_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_transaction
    ADD CONSTRAINT mirror_transaction_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_vendor
    ADD CONSTRAINT mirror_vendor_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_wallet
    ADD CONSTRAINT mirror_wallet_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_walletpermission
    ADD CONSTRAINT mirror_walletpermission_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_walletpolicy
    ADD CONSTRAINT mirror_walletpolicy_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_walletrole
    ADD CONSTRAINT mirror_walletrole_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_window
    ADD CONSTRAINT mirror_window_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mirror_workflow
    ADD CONSTRAINT mirror_workflow_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notifications_choice
    ADD CONSTRAINT notifications_choice_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notifications_digest
    ADD CONSTRAINT notifications_digest_membership_id_key UNIQUE (membership_id);
ALTER TABLE ONLY public.notifications_digest
    ADD CONSTRAINT notifications_digest_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notifications_inboxwatch
    ADD CONSTRAINT notifications_inboxwatch_membership_id_key UNIQUE (membership_id);
ALTER TABLE ONLY public.notifications_inboxwatch
    ADD CONSTRAINT notifications_inboxwatch_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notifications_inboxwatchitem
    ADD CONSTRAINT notifications_inboxwatchitem_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notifications_notice
    ADD CONSTRAINT notifications_notice_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notifications_pushdelivery
    ADD CONSTRAINT notifications_pushdelivery_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notifications_pushdevice
    ADD CONSTRAINT notifications_pushdevice_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.notifications_pushmessage
    ADD CONSTRAINT notifications_pushmessage_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.offboarding_offboarding
    ADD CONSTRAINT offboarding_offboarding_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.offboarding_step
    ADD CONSTRAINT offboarding_step_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.onboarding_newcomer
    ADD CONSTRAINT onboarding_newcomer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.onboarding_newcomer
    ADD CONSTRAINT onboarding_newcomer_remote_id_key UNIQUE (remote_id);
ALTER TABLE ONLY public.access_reviews_accessreview
    ADD CONSTRAINT one_access_review_per_quarter UNIQUE (business_id, year, quarter);
ALTER TABLE ONLY public.mirror_keptanswer
    ADD CONSTRAINT one_answer_kept UNIQUE (business_id, operation, item);
ALTER TABLE ONLY public.lists_batch
    ADD CONSTRAINT one_batch_per_form UNIQUE (business_id, key);
ALTER TABLE ONLY public.notifications_choice
    ADD CONSTRAINT one_choice_per_topic UNIQUE (membership_id, topic);
ALTER TABLE ONLY public.conversation_comment
    ADD CONSTRAINT one_comment_per_form UNIQUE (business_id, key);
ALTER TABLE ONLY public.mirror_approval
    ADD CONSTRAINT one_copy_per_approval UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_bill
    ADD CONSTRAINT one_copy_per_bill UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_card
    ADD CONSTRAINT one_copy_per_card UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_category
    ADD CONSTRAINT one_copy_per_category UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_customer
    ADD CONSTRAINT one_copy_per_customer UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_carddecline
    ADD CONSTRAINT one_copy_per_decline UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_employee
    ADD CONSTRAINT one_copy_per_employee UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_expense
    ADD CONSTRAINT one_copy_per_expense UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_fundaccount
    ADD CONSTRAINT one_copy_per_fund_account UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_request
    ADD CONSTRAINT one_copy_per_request UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_spendpolicy
    ADD CONSTRAINT one_copy_per_spend_policy UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_subscription
    ADD CONSTRAINT one_copy_per_subscription UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_team
    ADD CONSTRAINT one_copy_per_team UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_transaction
    ADD CONSTRAINT one_copy_per_transaction UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_vendor
    ADD CONSTRAINT one_copy_per_vendor UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_wallet
    ADD CONSTRAINT one_copy_per_wallet UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_walletpermission
    ADD CONSTRAINT one_copy_per_wallet_permission UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_walletpolicy
    ADD CONSTRAINT one_copy_per_wallet_policy UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_walletrole
    ADD CONSTRAINT one_copy_per_wallet_role UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.mirror_workflow
    ADD CONSTRAINT one_copy_per_workflow UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.decisions_decision
    ADD CONSTRAINT one_decision_per_form UNIQUE (business_id, key);
ALTER TABLE ONLY public.delegation_delegation
    ADD CONSTRAINT one_delegation_per_form UNIQUE (business_id, key);
ALTER TABLE ONLY public.notifications_pushdevice
    ADD CONSTRAINT one_device_per_endpoint UNIQUE (membership_id, endpoint_hash);
ALTER TABLE ONLY public.conversation_dismissal
    ADD CONSTRAINT one_dismissal_per_flag UNIQUE (business_id, kind, remote_id, flag);
ALTER TABLE ONLY public.decisions_drawnbatch
    ADD CONSTRAINT one_draw_per_batch UNIQUE (business_id, name);
ALTER TABLE ONLY public.evidence_evidencepack
    ADD CONSTRAINT one_evidence_pack_per_form UNIQUE (business_id, key);
ALTER TABLE ONLY public.categorisation_rulefiling
    ADD CONSTRAINT one_filing_per_item UNIQUE (business_id, kind, remote_id);
ALTER TABLE ONLY public.scim_scimgroup
    ADD CONSTRAINT one_group_per_name UNIQUE (business_id, display_name);
ALTER TABLE ONLY public.journal_exports_journalexport
    ADD CONSTRAINT one_journal_export_per_form UNIQUE (business_id, key);
ALTER TABLE ONLY public.journal_exports_journalexportfile
    ADD CONSTRAINT one_journal_file_per_name UNIQUE (export_id, name);
ALTER TABLE ONLY public.documents_picturelook
    ADD CONSTRAINT one_look_per_picture UNIQUE (business_id, sha256);
ALTER TABLE ONLY public.journal_exports_mapping
    ADD CONSTRAINT one_mapping_per_source UNIQUE (business_id, source, source_id);
ALTER TABLE ONLY public.scim_scimuser
    ADD CONSTRAINT one_member_per_external_id UNIQUE (business_id, external_id);
ALTER TABLE ONLY public.access_membership
    ADD CONSTRAINT one_membership_per_business UNIQUE (user_id, business_id);
ALTER TABLE ONLY public.documents_documentnote
    ADD CONSTRAINT one_note_per_item UNIQUE (business_id, key);
ALTER TABLE ONLY public.offboarding_offboarding
    ADD CONSTRAINT one_offboarding_per_form UNIQUE (business_id, key);
ALTER TABLE ONLY public.client_outboundoperation
    ADD CONSTRAINT one_operation_per_key UNIQUE (business_id, key);
ALTER TABLE ONLY public.proposals_proposal
    ADD CONSTRAINT one_proposal_per_form UNIQUE (business_id, key);
ALTER TABLE ONLY public.documents_readdocument
    ADD CONSTRAINT one_reading_per_file UNIQUE (business_id, kind, remote_id, file_id);
ALTER TABLE ONLY public.mirror_inboxevent
    ADD CONSTRAINT one_row_per_delivery UNIQUE (business_id, webhook_id);
ALTER TABLE ONLY public.access_reviews_reviewedperson
    ADD CONSTRAINT one_row_per_person_and_review UNIQUE (review_id, membership_id);
ALTER TABLE ONLY public.audit_auditseal
    ADD CONSTRAINT one_seal_per_number UNIQUE (chain, number);
ALTER TABLE ONLY public.offboarding_step
    ADD CONSTRAINT one_step_per_number UNIQUE (offboarding_id, number);
ALTER TABLE ONLY public.web_submission
    ADD CONSTRAINT one_submission_per_attempt UNIQUE (user_id, attempt);
ALTER TABLE ONLY public.renewals_renewalterms
    ADD CONSTRAINT one_terms_per_subscription UNIQUE (business_id, subscription_id);
ALTER TABLE ONLY public.top_ups_topup
    ADD CONSTRAINT one_top_up_per_form UNIQUE (business_id, key);
ALTER TABLE ONLY public.top_ups_topuprun
    ADD CONSTRAINT one_top_up_run_per_day UNIQUE (top_up_id, day);
ALTER TABLE ONLY public.decisions_countedapproval
    ADD CONSTRAINT one_weekly_count_per_item UNIQUE (business_id, object_type, object_id);
ALTER TABLE ONLY public.decisions_weeklydraw
    ADD CONSTRAINT one_weekly_draw_per_week UNIQUE (business_id, monday);
ALTER TABLE ONLY public.decisions_weeklysample
    ADD CONSTRAINT one_weekly_sample_per_item UNIQUE (draw_id, object_type, object_id);
ALTER TABLE ONLY public.mirror_window
    ADD CONSTRAINT one_window_per_wallet_and_day UNIQUE (business_id, org_wallet_ref, day);
ALTER TABLE ONLY public.documents_readpayment
    ADD CONSTRAINT payment_read_once UNIQUE (business_id, remote_id);
ALTER TABLE ONLY public.payout_files_bankfiledownload
    ADD CONSTRAINT payout_files_bankfiledownload_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payout_files_draftorigin
    ADD CONSTRAINT payout_files_draftorigin_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payout_files_filecolumns
    ADD CONSTRAINT payout_files_filecolumns_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payout_files_sentcode
    ADD CONSTRAINT payout_files_sentcode_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.policies_replay
    ADD CONSTRAINT policies_replay_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.policies_replayitem
    ADD CONSTRAINT policies_replayitem_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.proposals_foureyes
    ADD CONSTRAINT proposals_foureyes_business_id_key UNIQUE (business_id);
ALTER TABLE ONLY public.proposals_foureyes
    ADD CONSTRAINT proposals_foureyes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.proposals_proposal
    ADD CONSTRAINT proposals_proposal_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lists_receiptsjob
    ADD CONSTRAINT receipts_job_once_per_person UNIQUE (membership_id, remote_id);
ALTER TABLE ONLY public.renewals_cancellation
    ADD CONSTRAINT renewals_cancellation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.renewals_cancellationstep
    ADD CONSTRAINT renewals_cancellationstep_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.renewals_renewalterms
    ADD CONSTRAINT renewals_renewalterms_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.lists_batchrow
    ADD CONSTRAINT row_once_in_a_batch UNIQUE (batch_id, remote_id);
ALTER TABLE ONLY public.scim_pendingsuspension
    ADD CONSTRAINT scim_pendingsuspension_membership_id_key UNIQUE (membership_id);
ALTER TABLE ONLY public.scim_pendingsuspension
    ADD CONSTRAINT scim_pendingsuspension_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.scim_scimgroup_members
    ADD CONSTRAINT scim_scimgroup_members_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.scim_scimgroup_members
    ADD CONSTRAINT scim_scimgroup_members_scimgroup_id_membership_id_6fc25398_uniq UNIQUE (scimgroup_id, membership_id);
ALTER TABLE ONLY public.scim_scimgroup
    ADD CONSTRAINT scim_scimgroup_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.scim_scimtoken
    ADD CONSTRAINT scim_scimtoken_business_id_key UNIQUE (business_id);
ALTER TABLE ONLY public.scim_scimtoken
    ADD CONSTRAINT scim_scimtoken_digest_key UNIQUE (digest);
ALTER TABLE ONLY public.scim_scimtoken
    ADD CONSTRAINT scim_scimtoken_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.scim_scimuser
    ADD CONSTRAINT scim_scimuser_membership_id_key UNIQUE (membership_id);
ALTER TABLE ONLY public.scim_scimuser
    ADD CONSTRAINT scim_scimuser_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.payout_files_sentcode
    ADD CONSTRAINT sent_code_of_payout UNIQUE (business_id, payout_id);
ALTER TABLE ONLY public.signing_signingkey
    ADD CONSTRAINT signing_signingkey_business_id_key UNIQUE (business_id);
ALTER TABLE ONLY public.signing_signingkey
    ADD CONSTRAINT signing_signingkey_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.single_sign_on_identityprovider
    ADD CONSTRAINT single_sign_on_identityprovider_business_id_key UNIQUE (business_id);
ALTER TABLE ONLY public.single_sign_on_identityprovider
    ADD CONSTRAINT single_sign_on_identityprovider_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.single_sign_on_usedassertion
    ADD CONSTRAINT single_sign_on_usedassertion_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.socialaccount_socialaccount
    ADD CONSTRAINT socialaccount_socialaccount_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.socialaccount_socialaccount
    ADD CONSTRAINT socialaccount_socialaccount_provider_uid_fc810c6e_uniq UNIQUE (provider, uid);
ALTER TABLE ONLY public.socialaccount_socialapp
    ADD CONSTRAINT socialaccount_socialapp_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.socialaccount_socialtoken
    ADD CONSTRAINT socialaccount_socialtoken_app_id_account_id_fca4e0ac_uniq UNIQUE (app_id, account_id);
ALTER TABLE ONLY public.socialaccount_socialtoken
    ADD CONSTRAINT socialaccount_socialtoken_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.renewals_cancellationstep
    ADD CONSTRAINT step_done_once UNIQUE (cancellation_id, name);
ALTER TABLE ONLY public.notifications_notice
    ADD CONSTRAINT told_once UNIQUE (membership_id, key);
ALTER TABLE ONLY public.top_ups_topup
    ADD CONSTRAINT top_ups_topup_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.top_ups_topuprun
    ADD CONSTRAINT top_ups_topuprun_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.usersessions_usersession
    ADD CONSTRAINT usersessions_usersession_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.usersessions_usersession
    ADD CONSTRAINT usersessions_usersession_session_key_key UNIQUE (session_key);
ALTER TABLE ONLY public.lists_savedview
    ADD CONSTRAINT view_name_once_per_owner UNIQUE (owner_id, list_name, name);
ALTER TABLE ONLY public.web_factorreset
    ADD CONSTRAINT web_factorreset_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.web_submission
    ADD CONSTRAINT web_submission_pkey PRIMARY KEY (id);
CREATE INDEX access_business_slug_69b66953_like ON public.access_business USING btree (slug varchar_pattern_ops);
CREATE INDEX access_membership_business_id_486d1414 ON public.access_membership USING btree (business_id);
CREATE INDEX access_membership_user_id_5bf62e16 ON public.access_membership USING btree (user_id);
CREATE INDEX access_reviews_accessreview_opened_by_id_702f945a ON public.access_reviews_accessreview USING btree (opened_by_id);
CREATE INDEX access_reviews_accessreview_signed_by_id_4246f259 ON public.access_reviews_accessreview USING btree (signed_by_id);
CREATE INDEX access_reviews_reviewedperson_decided_by_id_2f9702a2 ON public.access_reviews_reviewedperson USING btree (decided_by_id);
CREATE INDEX access_reviews_reviewedperson_membership_id_01481faa ON public.access_reviews_reviewedperson USING btree (membership_id);
CREATE INDEX access_reviews_reviewedperson_review_id_984cd2c5 ON public.access_reviews_reviewedperson USING btree (review_id);
CREATE INDEX access_user_email_f0cf94cd_like ON public.access_user USING btree (email varchar_pattern_ops);
CREATE INDEX access_user_groups_group_id_921debcc ON public.access_user_groups USING btree (group_id);
CREATE INDEX access_user_groups_user_id_4f105fa4 ON public.access_user_groups USING btree (user_id);
CREATE INDEX access_user_last_business_id_a3905c52 ON public.access_user USING btree (last_business_id);
CREATE INDEX access_user_user_permissions_permission_id_76d8eb82 ON public.access_user_user_permissions USING btree (permission_id);
CREATE INDEX access_user_user_permissions_user_id_67074cbf ON public.access_user_user_permissions USING btree (user_id);
CREATE INDEX account_emailaddress_email_03be32b2 ON public.account_emailaddress USING btree (email);
CREATE INDEX account_emailaddress_email_03be32b2_like ON public.account_emailaddress USING btree (email varchar_pattern_ops);
CREATE INDEX account_emailaddress_user_id_2c513194 ON public.account_emailaddress USING btree (user_id);
CREATE INDEX account_emailconfirmation_email_address_id_5b7f8c58 ON public.account_emailconfirmation USING btree (email_address_id);
CREATE INDEX account_emailconfirmation_key_f43612bd_like ON public.account_emailconfirmation USING btree (key varchar_pattern_ops);
CREATE INDEX alert_open ON public.decisions_alert USING btree (business_id) WHERE (closed_at IS NULL);
CREATE INDEX apr_recent ON public.mirror_approval USING btree (business_id, requested_at DESC, id DESC) WHERE (tombstoned_at IS NULL);
CREATE INDEX apr_ref ON public.mirror_approval USING btree (business_id, ref);
CREATE INDEX apr_search ON public.mirror_approval USING gin (search);
CREATE INDEX apr_waiting ON public.mirror_approval USING btree (business_id, requested_at DESC, id DESC) WHERE (((status)::text = 'PENDING'::text) AND (tombstoned_at IS NULL));
CREATE INDEX apr_waiting_decide_by ON public.mirror_approval USING btree (business_id, decide_by, id) WHERE (((status)::text = 'PENDING'::text) AND (tombstoned_at IS NULL) AND (stake IS NULL));
CREATE INDEX apr_waiting_risky ON public.mirror_approval USING btree (business_id, decide_by, id, weighed_risk) WHERE (((status)::text = 'PENDING'::text) AND (tombstoned_at IS NULL) AND (stake IS NULL) AND (weighed_risk >= 30));
CREATE INDEX apr_waiting_stake ON public.mirror_approval USING btree (business_id, stake, id) WHERE (((status)::text = 'PENDING'::text) AND (tombstoned_at IS NULL) AND (stake IS NOT NULL));
CREATE INDEX attachment_by_content ON public.inbound_mail_receivedattachment USING btree (sha256);
CREATE INDEX attachment_to_read ON public.inbound_mail_receivedattachment USING btree (message_id) WHERE (read_at IS NULL);
CREATE INDEX audit_object ON public.audit_auditentry USING btree (chain, object_type, object_id, id DESC);
CREATE INDEX audit_operation ON public.audit_auditentry USING btree (chain, operation, id DESC);
CREATE INDEX audit_outcome ON public.audit_auditentry USING btree (chain, outcome, id DESC);
CREATE INDEX audit_own ON public.audit_auditentry USING btree (chain, id DESC) WHERE own_item;
CREATE INDEX audit_person ON public.audit_auditentry USING btree (chain, user_id, id DESC);
CREATE INDEX audit_recent ON public.audit_auditentry USING btree (chain, id DESC);
CREATE INDEX audit_time ON public.audit_auditentry USING btree (chain, at);
CREATE INDEX audit_waiting_chain ON public.audit_auditwaiting USING btree (chain, entry_id);
CREATE INDEX auth_group_name_a6ea08ec_like ON public.auth_group USING btree (name varchar_pattern_ops);
CREATE INDEX auth_group_permissions_group_id_b120cbf9 ON public.auth_group_permissions USING btree (group_id);
CREATE INDEX auth_group_permissions_permission_id_84c5c92e ON public.auth_group_permissions USING btree (permission_id);
CREATE INDEX auth_permission_content_type_id_2f476e4b ON public.auth_permission USING btree (content_type_id);
CREATE INDEX bank_file_of_payout ON public.payout_files_bankfiledownload USING btree (business_id, payout_id, downloaded_at DESC);
CREATE INDEX bank_statements_csvmapping_business_id_d5f4111e ON public.bank_statements_csvmapping USING btree (business_id);
CREATE INDEX bank_statements_statementdraft_business_id_efdd31b8 ON public.bank_statements_statementdraft USING btree (business_id);
CREATE INDEX bank_statements_statementdraft_membership_id_02331c0f ON public.bank_statements_statementdraft USING btree (membership_id);
CREATE INDEX batches_of_a_person ON public.lists_batch USING btree (membership_id, created_at DESC);
CREATE INDEX batches_open ON public.lists_batch USING btree (state, heartbeat_at) WHERE ((state)::text = ANY ((ARRAY['QUEUED'::character varying, 'RUNNING'::character varying])::text[]));
CREATE INDEX bill_aging ON public.mirror_bill USING btree (business_id, currency, due_on) INCLUDE (balance_minor) WHERE (((status)::text = ANY ((ARRAY['OPEN'::character varying, 'PARTIALLY_PAID'::character varying])::text[])) AND (tombstoned_at IS NULL));
CREATE INDEX bill_amount ON public.mirror_bill USING btree (business_id, total_minor, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX bill_axis ON public.mirror_bill USING btree (business_id, approval_status, status, due_on, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX bill_currency ON public.mirror_bill USING btree (business_id, currency, due_on, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX bill_due ON public.mirror_bill USING btree (business_id, due_on, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX bill_files ON public.mirror_bill USING gin (file_hashes);
CREATE INDEX bill_issued ON public.mirror_bill USING btree (business_id, issued_on, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX bill_maker ON public.mirror_bill USING btree (business_id, created_by_id, entered_at, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX bill_number ON public.mirror_bill USING btree (business_id, number_key) WHERE (tombstoned_at IS NULL);
CREATE INDEX bill_open_amount ON public.mirror_bill USING btree (business_id, total_minor, id) WHERE (((status)::text = ANY ((ARRAY['OPEN'::character varying, 'PARTIALLY_PAID'::character varying])::text[])) AND (tombstoned_at IS NULL));
CREATE INDEX bill_open_axis ON public.mirror_bill USING btree (business_id, approval_status, due_on, id) WHERE (((status)::text = ANY ((ARRAY['OPEN'::character varying, 'PARTIALLY_PAID'::character varying])::text[])) AND (tombstoned_at IS NULL));
CREATE INDEX bill_open_due ON public.mirror_bill USING btree (business_id, due_on, id) WHERE (((status)::text = ANY ((ARRAY['OPEN'::character varying, 'PARTIALLY_PAID'::character varying])::text[])) AND (tombstoned_at IS NULL));
CREATE INDEX bill_open_issued ON public.mirror_bill USING btree (business_id, issued_on, id) WHERE (((status)::text = ANY ((ARRAY['OPEN'::character varying, 'PARTIALLY_PAID'::character varying])::text[])) AND (tombstoned_at IS NULL));
CREATE INDEX bill_open_vendor ON public.mirror_bill USING btree (business_id, vendor_id, due_on, id) INCLUDE (issued_on, total_minor, balance_minor, currency, status, approval_status) WHERE (((status)::text = ANY ((ARRAY['OPEN'::character varying, 'PARTIALLY_PAID'::character varying])::text[])) AND (tombstoned_at IS NULL));
CREATE INDEX bill_purchase_order ON public.mirror_bill USING btree (business_id, upper((purchase_order)::text), due_on, id) WHERE ((NOT ((purchase_order)::text = ''::text)) AND (tombstoned_at IS NULL));
CREATE INDEX bill_search ON public.mirror_bill USING gin (search);
CREATE INDEX bill_split_teams ON public.mirror_bill USING gin (split_team_ids);
CREATE INDEX bill_status ON public.mirror_bill USING btree (business_id, status, due_on, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX bill_team ON public.mirror_bill USING btree (business_id, team_id, due_on, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX bill_term ON public.mirror_bill USING btree (business_id, (('1 day'::interval * ((due_on - issued_on))::double precision))) WHERE (tombstoned_at IS NULL);
CREATE INDEX bill_vendor ON public.mirror_bill USING btree (business_id, vendor_id, due_on, id) INCLUDE (issued_on, total_minor, balance_minor, currency, status, approval_status) WHERE (tombstoned_at IS NULL);
CREATE INDEX card_by_holder ON public.mirror_card USING btree (business_id, sort_holder, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX card_dearest ON public.mirror_card USING btree (business_id, month_minor DESC, id DESC) WHERE (tombstoned_at IS NULL);
CREATE INDEX card_newest ON public.mirror_card USING btree (business_id, created_at DESC, id DESC) WHERE (tombstoned_at IS NULL);
CREATE INDEX card_of_holder ON public.mirror_card USING btree (business_id, employee_id) WHERE (tombstoned_at IS NULL);
CREATE INDEX card_of_team ON public.mirror_card USING btree (business_id, team_id) WHERE (tombstoned_at IS NULL);
CREATE INDEX card_search ON public.mirror_card USING gin (search);
CREATE INDEX categorisation_categoryrule_switched_on_by_id_5cef0e28 ON public.categorisation_categoryrule USING btree (switched_on_by_id);
CREATE INDEX categorisation_rulefiling_rule_id_29caa318 ON public.categorisation_rulefiling USING btree (rule_id);
CREATE INDEX categorisation_ruletrial_rule_id_9ded16f4 ON public.categorisation_ruletrial USING btree (rule_id);
CREATE INDEX category_rules_in_order ON public.categorisation_categoryrule USING btree (business_id, "position", id);
CREATE INDEX client_outboundoperation_business_id_890fa60a ON public.client_outboundoperation USING btree (business_id);
CREATE INDEX client_outboundoperation_membership_id_2dc6b3b1 ON public.client_outboundoperation USING btree (membership_id);
CREATE INDEX comments_of_item ON public.conversation_comment USING btree (business_id, kind, remote_id, written_at);
CREATE INDEX conversation_comment_business_id_08366420 ON public.conversation_comment USING btree (business_id);
CREATE INDEX conversation_comment_membership_id_a9716859 ON public.conversation_comment USING btree (membership_id);
CREATE INDEX conversation_dismissal_business_id_9cc89fdd ON public.conversation_dismissal USING btree (business_id);
CREATE INDEX conversation_dismissal_membership_id_b1441cb5 ON public.conversation_dismissal USING btree (membership_id);
CREATE INDEX cus_by_name ON public.mirror_customer USING btree (business_id, status, sort_name, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX cus_email ON public.mirror_customer USING btree (business_id, email) WHERE (tombstoned_at IS NULL);
CREATE INDEX cus_newest ON public.mirror_customer USING btree (business_id, status, created_at DESC, id DESC) WHERE (tombstoned_at IS NULL);
CREATE INDEX cus_phone ON public.mirror_customer USING btree (business_id, phone) WHERE (tombstoned_at IS NULL);
CREATE INDEX cus_search ON public.mirror_customer USING gin (search);
CREATE INDEX decision_clean ON public.decisions_decision USING btree (business_id, settled_at) WHERE (looked_clean AND ((state)::text = 'DONE'::text));
CREATE INDEX decision_due ON public.decisions_decision USING btree (due_at) WHERE ((state)::text = ANY ((ARRAY['WAITING'::character varying, 'UNKNOWN'::character varying])::text[]));
CREATE INDEX decision_leased ON public.decisions_decision USING btree (lease_until) WHERE ((state)::text = 'SENDING'::text);
CREATE INDEX decision_object ON public.decisions_decision USING btree (business_id, object_type, object_id);
CREATE INDEX decision_person ON public.decisions_decision USING btree (membership_id, created_at DESC);
CREATE INDEX decision_sent_together ON public.decisions_decision USING btree (send_key) WHERE (NOT ((send_key)::text = ''::text));
CREATE INDEX decisions_alert_business_id_0776c9c7 ON public.decisions_alert USING btree (business_id);
CREATE INDEX decisions_alert_membership_id_9f897849 ON public.decisions_alert USING btree (membership_id);
CREATE INDEX decisions_countedapproval_business_id_2fd4c51f ON public.decisions_countedapproval USING btree (business_id);
CREATE INDEX decisions_countedapproval_draw_id_bd5447b5 ON public.decisions_countedapproval USING btree (draw_id);
CREATE INDEX decisions_decision_bulk_id_23a06841 ON public.decisions_decision USING btree (bulk_id);
CREATE INDEX decisions_decision_business_id_08e0bb3a ON public.decisions_decision USING btree (business_id);
CREATE INDEX decisions_decision_membership_id_78dfa5d4 ON public.decisions_decision USING btree (membership_id);
CREATE INDEX decisions_drawnbatch_business_id_b3e937b9 ON public.decisions_drawnbatch USING btree (business_id);
CREATE INDEX decisions_sample_business_id_3f988765 ON public.decisions_sample USING btree (business_id);
CREATE INDEX decisions_sample_checked_by_id_becd6509 ON public.decisions_sample USING btree (checked_by_id);
CREATE INDEX decisions_weeklydraw_business_id_48330217 ON public.decisions_weeklydraw USING btree (business_id);
CREATE INDEX decisions_weeklysample_checked_by_id_3c3fa950 ON public.decisions_weeklysample USING btree (checked_by_id);
CREATE INDEX decisions_weeklysample_decision_id_654a0148 ON public.decisions_weeklysample USING btree (decision_id);
CREATE INDEX decisions_weeklysample_draw_id_67358026 ON public.decisions_weeklysample USING btree (draw_id);
CREATE INDEX decline_newest ON public.mirror_carddecline USING btree (business_id, at DESC, id DESC) WHERE (tombstoned_at IS NULL);
CREATE INDEX decline_of_card ON public.mirror_carddecline USING btree (business_id, card_id, at DESC, id DESC) WHERE (tombstoned_at IS NULL);
CREATE INDEX delegation_delegation_business_id_cab90e48 ON public.delegation_delegation USING btree (business_id);
CREATE INDEX delegation_delegation_delegate_id_10769a83 ON public.delegation_delegation USING btree (delegate_id);
CREATE INDEX delegation_delegation_delegator_id_284b473e ON public.delegation_delegation USING btree (delegator_id);
CREATE INDEX delegations_given ON public.delegation_delegation USING btree (delegator_id, ends_at) WHERE (ended_at IS NULL);
CREATE INDEX delegations_held ON public.delegation_delegation USING btree (delegate_id, ends_at) WHERE (ended_at IS NULL);
CREATE INDEX delegations_of_business ON public.delegation_delegation USING btree (business_id, begins_at DESC);
CREATE INDEX deliveries_due ON public.notifications_pushdelivery USING btree (due_at);
CREATE INDEX devices_of_browser ON public.notifications_pushdevice USING btree (browser_hash);
CREATE INDEX devices_of_endpoint ON public.notifications_pushdevice USING btree (endpoint_hash);
CREATE INDEX digests_wanted ON public.notifications_digest USING btree (hour) WHERE wanted;
CREATE INDEX django_session_expire_date_a5c62663 ON public.django_session USING btree (expire_date);
CREATE INDEX django_session_session_key_c0390e0f_like ON public.django_session USING btree (session_key varchar_pattern_ops);
CREATE INDEX documents_documentnote_business_id_f0b0c342 ON public.documents_documentnote USING btree (business_id);
CREATE INDEX documents_documentreading_business_id_3c3a8533 ON public.documents_documentreading USING btree (business_id);
CREATE INDEX documents_pictureband_look_id_1d3835a1 ON public.documents_pictureband USING btree (look_id);
CREATE INDEX documents_picturelook_business_id_fbdab52c ON public.documents_picturelook USING btree (business_id);
CREATE INDEX documents_readdocument_business_id_c71baaf7 ON public.documents_readdocument USING btree (business_id);
CREATE INDEX documents_readdocument_reading_id_f6cbadd4 ON public.documents_readdocument USING btree (reading_id);
CREATE INDEX documents_readpayment_business_id_89c8c989 ON public.documents_readpayment USING btree (business_id);
CREATE INDEX draft_origin_copied ON public.payout_files_draftorigin USING btree (business_id, copied_from, created_at DESC);
CREATE INDEX draft_origin_table ON public.payout_files_draftorigin USING btree (business_id, table_hash, created_at DESC);
CREATE INDEX emp_by_exact_name ON public.mirror_employee USING btree (business_id, name, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX emp_by_name ON public.mirror_employee USING btree (business_id, sort_name, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX emp_search ON public.mirror_employee USING gin (search);
CREATE INDEX emp_team ON public.mirror_employee USING btree (business_id, team_id);
CREATE INDEX evidence_evidencepack_membership_id_0988a713 ON public.evidence_evidencepack USING btree (membership_id);
CREATE INDEX evidence_open ON public.evidence_evidencepack USING btree (created_at) WHERE ((state)::text = ANY ((ARRAY['QUEUED'::character varying, 'RUNNING'::character varying])::text[]));
CREATE INDEX evidence_recent ON public.evidence_evidencepack USING btree (business_id, created_at DESC);
CREATE INDEX exp_amount ON public.mirror_expense USING btree (business_id, amount_minor, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX exp_approved_at ON public.mirror_expense USING btree (business_id, merchant, currency, amount_minor) WHERE (((status)::text = 'APPROVED'::text) AND (tombstoned_at IS NULL));
CREATE INDEX exp_employee ON public.mirror_expense USING btree (business_id, employee_id, transaction_date DESC, id DESC);
CREATE INDEX exp_matching ON public.mirror_expense USING btree (business_id, decide_by, id) WHERE (((status)::text = 'PENDING'::text) AND (tombstoned_at IS NULL) AND ((read_hash)::text = (payload_hash)::text) AND ((receipt_reading)::text = 'SAME'::text));
CREATE INDEX exp_recent ON public.mirror_expense USING btree (business_id, transaction_date DESC, id DESC) WHERE (tombstoned_at IS NULL);
CREATE INDEX exp_search ON public.mirror_expense USING gin (search);
CREATE INDEX exp_split ON public.mirror_expense USING btree (business_id) WHERE (part_count > 0);
CREATE INDEX exp_status ON public.mirror_expense USING btree (business_id, status, transaction_date DESC, id DESC);
CREATE INDEX exp_subcategory ON public.mirror_expense USING btree (business_id, subcategory_id, transaction_date DESC, id DESC) WHERE (tombstoned_at IS NULL);
CREATE INDEX exp_team ON public.mirror_expense USING btree (business_id, team_id, transaction_date DESC, id DESC);
CREATE INDEX exp_to_read ON public.mirror_expense USING btree (decide_by, id) WHERE (((status)::text = 'PENDING'::text) AND (tombstoned_at IS NULL) AND has_receipt AND (NOT ((read_hash)::text = (payload_hash)::text)));
CREATE INDEX exp_uncategorised ON public.mirror_expense USING btree (business_id, transaction_date DESC, id DESC) WHERE (((subcategory_id)::text = ''::text) AND (tombstoned_at IS NULL));
CREATE INDEX exp_waiting ON public.mirror_expense USING btree (business_id, transaction_date DESC, id DESC) WHERE (((status)::text = 'PENDING'::text) AND (tombstoned_at IS NULL));
CREATE INDEX exp_waiting_amount ON public.mirror_expense USING btree (business_id, amount_minor, id) WHERE (((status)::text = 'PENDING'::text) AND (tombstoned_at IS NULL));
CREATE INDEX exp_waiting_decide_by ON public.mirror_expense USING btree (business_id, decide_by, id) WHERE (((status)::text = 'PENDING'::text) AND (tombstoned_at IS NULL) AND (stake IS NULL));
CREATE INDEX exp_waiting_risky ON public.mirror_expense USING btree (business_id, decide_by, id, weighed_risk) WHERE (((status)::text = 'PENDING'::text) AND (tombstoned_at IS NULL) AND (stake IS NULL) AND (weighed_risk >= 30));
CREATE INDEX exp_waiting_stake ON public.mirror_expense USING btree (business_id, stake, id) WHERE (((status)::text = 'PENDING'::text) AND (tombstoned_at IS NULL) AND (stake IS NOT NULL));
CREATE INDEX exp_waiting_team ON public.mirror_expense USING btree (business_id, team_id, transaction_date DESC, id DESC) WHERE (((status)::text = 'PENDING'::text) AND (tombstoned_at IS NULL));
CREATE INDEX exp_waiting_weighed ON public.mirror_expense USING btree (business_id, weighed_risk, id) WHERE (((status)::text = 'PENDING'::text) AND (tombstoned_at IS NULL));
CREATE INDEX exports_of_a_person ON public.lists_export USING btree (membership_id, created_at DESC);
CREATE INDEX exports_unfinished ON public.lists_export USING btree (state, heartbeat_at) WHERE ((state)::text = ANY ((ARRAY['QUEUED'::character varying, 'RUNNING'::character varying])::text[]));
CREATE INDEX flow_by_name ON public.mirror_workflow USING btree (business_id, sort_name, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX flow_by_priority ON public.mirror_workflow USING btree (business_id, action_type, priority, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX flow_newest ON public.mirror_workflow USING btree (business_id, changed_at DESC, id DESC) WHERE (tombstoned_at IS NULL);
CREATE INDEX flow_priority ON public.mirror_workflow USING btree (business_id, priority, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX flow_search ON public.mirror_workflow USING gin (search);
CREATE INDEX imports_open ON public.lists_import USING btree (state, heartbeat_at) WHERE ((state)::text = ANY ((ARRAY['QUEUED'::character varying, 'RUNNING'::character varying, 'UNDOING'::character varying])::text[]));
CREATE INDEX inbound_mail_receivedattachment_message_id_609f943b ON public.inbound_mail_receivedattachment USING btree (message_id);
CREATE INDEX inbound_mail_receivedmessage_business_id_018514d9 ON public.inbound_mail_receivedmessage USING btree (business_id);
CREATE INDEX inbox_failed ON public.mirror_inboxevent USING btree (business_id, received_at) WHERE ((state)::text = 'FAILED'::text);
CREATE INDEX inbox_to_apply ON public.mirror_inboxevent USING btree (id) WHERE ((state)::text = 'RECEIVED'::text);
CREATE INDEX journal_export_recent ON public.journal_exports_journalexport USING btree (business_id, created_at DESC);
CREATE INDEX journal_exports_journalexport_carried_by_id_22f0356c ON public.journal_exports_journalexport USING btree (carried_by_id);
CREATE INDEX journal_exports_journalexport_created_by_id_f2b4a8f5 ON public.journal_exports_journalexport USING btree (created_by_id);
CREATE INDEX journal_exports_journalexportfile_export_id_dac7bb47 ON public.journal_exports_journalexportfile USING btree (export_id);
CREATE INDEX journal_exports_waiting ON public.journal_exports_journalexport USING btree (heartbeat_at) WHERE (waits_since IS NOT NULL);
CREATE INDEX lists_batch_business_id_fc771988 ON public.lists_batch USING btree (business_id);
CREATE INDEX lists_batch_membership_id_c9b39594 ON public.lists_batch USING btree (membership_id);
CREATE INDEX lists_batch_retry_of_id_85807f88 ON public.lists_batch USING btree (retry_of_id);
CREATE INDEX lists_batchrow_batch_id_63acb801 ON public.lists_batchrow USING btree (batch_id);
CREATE INDEX lists_export_business_id_d19f4292 ON public.lists_export USING btree (business_id);
CREATE INDEX lists_export_membership_id_53c2168b ON public.lists_export USING btree (membership_id);
CREATE INDEX lists_import_business_id_73bae492 ON public.lists_import USING btree (business_id);
CREATE INDEX lists_import_membership_id_e0b72f8a ON public.lists_import USING btree (membership_id);
CREATE INDEX lists_receiptsjob_business_id_ed514e15 ON public.lists_receiptsjob USING btree (business_id);
CREATE INDEX lists_receiptsjob_membership_id_923a23bf ON public.lists_receiptsjob USING btree (membership_id);
CREATE INDEX lists_savedview_business_id_5ff3c444 ON public.lists_savedview USING btree (business_id);
CREATE INDEX lists_savedview_owner_id_77dd892f ON public.lists_savedview USING btree (owner_id);
CREATE INDEX message_newest ON public.inbound_mail_receivedmessage USING btree (business_id, received_at DESC);
CREATE INDEX message_waiting ON public.inbound_mail_receivedmessage USING btree (business_id, received_at DESC) WHERE is_open;
CREATE INDEX messages_by_age ON public.notifications_pushmessage USING btree (composed_at);
CREATE INDEX messages_of_person ON public.notifications_pushmessage USING btree (membership_id, composed_at);
CREATE INDEX mfa_authenticator_user_id_0c3a50c0 ON public.mfa_authenticator USING btree (user_id);
CREATE INDEX mirror_drift_business_id_11a11129 ON public.mirror_drift USING btree (business_id);
CREATE INDEX mirror_inboxevent_business_id_995d85c7 ON public.mirror_inboxevent USING btree (business_id);
CREATE INDEX mirror_keptanswer_business_id_66a79170 ON public.mirror_keptanswer USING btree (business_id);
CREATE INDEX mirror_window_business_id_5a43e2e4 ON public.mirror_window USING btree (business_id);
CREATE INDEX newcomers_newest ON public.onboarding_newcomer USING btree (membership_id, created_at DESC, id DESC);
CREATE INDEX notices_of_person ON public.notifications_notice USING btree (membership_id, told_at DESC, id DESC) WHERE shown;
CREATE INDEX notices_to_mail ON public.notifications_notice USING btree (told_at) WHERE (mail_wanted AND (mailed_at IS NULL));
CREATE INDEX notices_to_push ON public.notifications_notice USING btree (told_at) WHERE (push_wanted AND (pushed_at IS NULL));
CREATE INDEX notices_unread ON public.notifications_notice USING btree (membership_id) WHERE ((read_at IS NULL) AND shown);
CREATE INDEX notifications_choice_membership_id_3208875a ON public.notifications_choice USING btree (membership_id);
CREATE INDEX notifications_inboxwatchitem_watch_id_234acddb ON public.notifications_inboxwatchitem USING btree (watch_id);
CREATE INDEX notifications_notice_business_id_2d0c7167 ON public.notifications_notice USING btree (business_id);
CREATE INDEX notifications_notice_membership_id_280ad738 ON public.notifications_notice USING btree (membership_id);
CREATE INDEX notifications_pushdelivery_device_id_2b267666 ON public.notifications_pushdelivery USING btree (device_id);
CREATE INDEX notifications_pushdelivery_message_id_d3c87904 ON public.notifications_pushdelivery USING btree (message_id);
CREATE INDEX notifications_pushdevice_membership_id_01336deb ON public.notifications_pushdevice USING btree (membership_id);
CREATE INDEX notifications_pushdevice_session_id_04b43f1a ON public.notifications_pushdevice USING btree (session_id);
CREATE INDEX notifications_pushmessage_membership_id_ae99574b ON public.notifications_pushmessage USING btree (membership_id);
CREATE INDEX offboarding_offboarding_business_id_13f98237 ON public.offboarding_offboarding USING btree (business_id);
CREATE INDEX offboarding_offboarding_started_by_id_3236ec7c ON public.offboarding_offboarding USING btree (started_by_id);
CREATE INDEX offboarding_step_by_id_af9e4c95 ON public.offboarding_step USING btree (by_id);
CREATE INDEX offboarding_step_offboarding_id_3281b56a ON public.offboarding_step USING btree (offboarding_id);
CREATE INDEX offboardings_open ON public.offboarding_offboarding USING btree (heartbeat_at) WHERE (finished_at IS NULL);
CREATE INDEX onboarding_newcomer_business_id_7fbe414f ON public.onboarding_newcomer USING btree (business_id);
CREATE INDEX onboarding_newcomer_membership_id_c5fc7fea ON public.onboarding_newcomer USING btree (membership_id);
CREATE INDEX onboarding_newcomer_remote_id_b388d1d9_like ON public.onboarding_newcomer USING btree (remote_id varchar_pattern_ops);
CREATE UNIQUE INDEX one_group_per_external_id ON public.scim_scimgroup USING btree (business_id, external_id) WHERE (NOT ((external_id)::text = ''::text));
CREATE UNIQUE INDEX one_live_cancellation ON public.renewals_cancellation USING btree (business_id, subscription_id) WHERE (NOT ((state)::text = 'WITHDRAWN'::text));
CREATE UNIQUE INDEX one_open_decision_per_item ON public.decisions_decision USING btree (business_id, object_type, object_id) WHERE ((NOT is_vote) AND ((state)::text = ANY ((ARRAY['WAITING'::character varying, 'SENDING'::character varying, 'UNKNOWN'::character varying])::text[])));
CREATE UNIQUE INDEX one_open_drift_per_window ON public.mirror_drift USING btree (business_id, org_wallet_ref, day) WHERE (closed_at IS NULL);
CREATE UNIQUE INDEX one_open_offboarding ON public.offboarding_offboarding USING btree (business_id, employee_id) WHERE (finished_at IS NULL);
CREATE UNIQUE INDEX one_open_proposal_per_target ON public.proposals_proposal USING btree (business_id, wallet_id, employee_id, target_type, target_id) WHERE ((state)::text = ANY ((ARRAY['WAITING'::character varying, 'CONFIRMED'::character varying])::text[]));
CREATE UNIQUE INDEX one_open_reset_per_member ON public.web_factorreset USING btree (membership_id) WHERE (settled_at IS NULL);
CREATE UNIQUE INDEX one_open_vote_per_person ON public.decisions_decision USING btree (business_id, object_type, object_id, membership_id) WHERE (is_vote AND ((state)::text = ANY ((ARRAY['WAITING'::character varying, 'SENDING'::character varying, 'UNKNOWN'::character varying])::text[])));
CREATE UNIQUE INDEX one_person_per_employee ON public.access_membership USING btree (business_id, employee_id) WHERE (NOT ((employee_id)::text = ''::text));
CREATE UNIQUE INDEX one_row_per_employee_outside ON public.access_reviews_reviewedperson USING btree (review_id, employee_id) WHERE (membership_id IS NULL);
CREATE UNIQUE INDEX one_row_per_journal_export ON public.journal_exports_journalexport USING btree (business_id, remote_id) WHERE (NOT ((remote_id)::text = ''::text));
CREATE UNIQUE INDEX one_top_up_per_person_and_currency ON public.top_ups_topup USING btree (business_id, employee_id, currency) WHERE (NOT ((state)::text = 'ENDED'::text));
CREATE INDEX outbound_form ON public.client_outboundoperation USING btree (business_id, form_key) WHERE (NOT ((form_key)::text = ''::text));
CREATE INDEX outbound_open ON public.client_outboundoperation USING btree (state, sent_at) WHERE (NOT ((state)::text = 'CONFIRMED'::text));
CREATE INDEX payout_amount ON public.mirror_request USING btree (business_id, amount_minor, id) WHERE (((kind)::text = 'payout'::text) AND (tombstoned_at IS NULL));
CREATE INDEX payout_currency ON public.mirror_request USING btree (business_id, currency, requested_at DESC, id DESC) WHERE (((kind)::text = 'payout'::text) AND (tombstoned_at IS NULL));
CREATE INDEX payout_files_bankfiledownload_business_id_c414c03d ON public.payout_files_bankfiledownload USING btree (business_id);
CREATE INDEX payout_files_draftorigin_business_id_7ca6d0eb ON public.payout_files_draftorigin USING btree (business_id);
CREATE INDEX payout_files_filecolumns_business_id_86cb2a36 ON public.payout_files_filecolumns USING btree (business_id);
CREATE INDEX payout_files_sentcode_business_id_18e0997e ON public.payout_files_sentcode USING btree (business_id);
CREATE INDEX payout_kind ON public.mirror_request USING btree (business_id, payout_kind, requested_at DESC, id DESC) WHERE (((kind)::text = 'payout'::text) AND (tombstoned_at IS NULL));
CREATE INDEX payout_newest ON public.mirror_request USING btree (business_id, requested_at DESC, id DESC) INCLUDE (amount_minor, currency, status, payout_kind) WHERE (((kind)::text = 'payout'::text) AND (tombstoned_at IS NULL));
CREATE INDEX payout_status ON public.mirror_request USING btree (business_id, status, requested_at DESC, id DESC) WHERE (((kind)::text = 'payout'::text) AND (tombstoned_at IS NULL));
CREATE INDEX policies_replay_business_id_037712e1 ON public.policies_replay USING btree (business_id);
CREATE INDEX policies_replay_membership_id_92c11168 ON public.policies_replay USING btree (membership_id);
CREATE INDEX policies_replayitem_replay_id_2caa4e09 ON public.policies_replayitem USING btree (replay_id);
CREATE INDEX policy_of_employee ON public.mirror_walletpolicy USING btree (business_id, employee_id) WHERE (tombstoned_at IS NULL);
CREATE INDEX policy_of_wallet ON public.mirror_walletpolicy USING btree (business_id, wallet_id) WHERE (tombstoned_at IS NULL);
CREATE INDEX proposal_due ON public.proposals_proposal USING btree (effective_at) WHERE ((state)::text = 'CONFIRMED'::text);
CREATE INDEX proposal_recent ON public.proposals_proposal USING btree (business_id, id DESC);
CREATE INDEX proposals_proposal_business_id_a50bce46 ON public.proposals_proposal USING btree (business_id);
CREATE INDEX proposals_proposal_decided_by_id_fde1ce06 ON public.proposals_proposal USING btree (decided_by_id);
CREATE INDEX proposals_proposal_proposed_by_id_258611db ON public.proposals_proposal USING btree (proposed_by_id);
CREATE INDEX receipts_jobs_of_a_person ON public.lists_receiptsjob USING btree (membership_id, created_at DESC);
CREATE INDEX renewals_cancellationstep_cancellation_id_955b8fcb ON public.renewals_cancellationstep USING btree (cancellation_id);
CREATE INDEX renewals_cancellationstep_done_by_id_d9b25223 ON public.renewals_cancellationstep USING btree (done_by_id);
CREATE INDEX renewals_to_act_on ON public.renewals_renewalterms USING btree (business_id, act_by);
CREATE INDEX replay_items_by_change ON public.policies_replayitem USING btree (replay_id, change, happened_at DESC);
CREATE INDEX replays_newest ON public.policies_replay USING btree (business_id, created_at DESC);
CREATE INDEX replays_of_a_draft ON public.policies_replay USING btree (business_id, digest, created_at DESC);
CREATE INDEX replays_unfinished ON public.policies_replay USING btree (state, heartbeat_at) WHERE ((state)::text = ANY ((ARRAY['QUEUED'::character varying, 'RUNNING'::character varying])::text[]));
CREATE INDEX req_decided ON public.mirror_request USING btree (business_id, requested_at DESC, id DESC) WHERE ((tombstoned_at IS NULL) AND (NOT voted) AND (NOT ((status)::text = ANY ((ARRAY['PENDING'::character varying, 'REQUESTED'::character varying])::text[]))));
CREATE INDEX req_ref ON public.mirror_request USING btree (business_id, kind, ref);
CREATE INDEX req_search ON public.mirror_request USING gin (search);
CREATE INDEX req_waiting ON public.mirror_request USING btree (business_id, requested_at DESC, id DESC) WHERE (((status)::text = ANY ((ARRAY['PENDING'::character varying, 'REQUESTED'::character varying])::text[])) AND (tombstoned_at IS NULL) AND (NOT voted));
CREATE INDEX rows_of_a_batch ON public.lists_batchrow USING btree (batch_id, state, number);
CREATE INDEX rule_filings_closed ON public.categorisation_rulefiling USING btree (business_id, item_day) WHERE ((state)::text = 'CLOSED'::text);
CREATE INDEX rule_filings_newest ON public.categorisation_rulefiling USING btree (rule_id, created_at DESC);
CREATE INDEX rule_filings_waiting ON public.categorisation_rulefiling USING btree (business_id, created_at) WHERE ((state)::text = 'WAITING'::text);
CREATE INDEX rule_trials_newest ON public.categorisation_ruletrial USING btree (rule_id, created_at DESC);
CREATE INDEX sample_to_check ON public.decisions_sample USING btree (business_id, drawn_at) WHERE (checked_at IS NULL);
CREATE INDEX scim_pendingsuspension_business_id_426bc6de ON public.scim_pendingsuspension USING btree (business_id);
CREATE INDEX scim_pendingsuspension_due_at_ce9f697f ON public.scim_pendingsuspension USING btree (due_at);
CREATE INDEX scim_scimgroup_business_id_7c6ac693 ON public.scim_scimgroup USING btree (business_id);
CREATE INDEX scim_scimgroup_members_membership_id_caecfa76 ON public.scim_scimgroup_members USING btree (membership_id);
CREATE INDEX scim_scimgroup_members_scimgroup_id_3abb214e ON public.scim_scimgroup_members USING btree (scimgroup_id);
CREATE INDEX scim_scimtoken_digest_c7eee1a5_like ON public.scim_scimtoken USING btree (digest varchar_pattern_ops);
CREATE INDEX scim_scimtoken_set_up_by_id_15723593 ON public.scim_scimtoken USING btree (set_up_by_id);
CREATE INDEX scim_scimuser_business_id_8fe91359 ON public.scim_scimuser USING btree (business_id);
CREATE INDEX single_sign_on_identityprovider_changed_by_id_61310be0 ON public.single_sign_on_identityprovider USING btree (changed_by_id);
CREATE INDEX single_sign_on_usedassertion_provider_id_9a0e1198 ON public.single_sign_on_usedassertion USING btree (provider_id);
CREATE INDEX socialaccount_socialaccount_user_id_8146e70c ON public.socialaccount_socialaccount USING btree (user_id);
CREATE INDEX socialaccount_socialtoken_account_id_951f210e ON public.socialaccount_socialtoken USING btree (account_id);
CREATE INDEX socialaccount_socialtoken_app_id_636a42d7 ON public.socialaccount_socialtoken USING btree (app_id);
CREATE INDEX spend_by_name ON public.mirror_spendpolicy USING btree (business_id, status, sort_name, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX spend_newest ON public.mirror_spendpolicy USING btree (business_id, status, changed_at DESC, id DESC) WHERE (tombstoned_at IS NULL);
CREATE INDEX spend_search ON public.mirror_spendpolicy USING gin (search);
CREATE INDEX steps_by_state ON public.offboarding_step USING btree (offboarding_id, state, number);
CREATE INDEX sub_amount ON public.mirror_subscription USING btree (business_id, amount_minor, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX sub_by_name ON public.mirror_subscription USING btree (business_id, sort_name, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX sub_next ON public.mirror_subscription USING btree (business_id, next_charge_at, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX sub_search ON public.mirror_subscription USING gin (search);
CREATE INDEX submission_key ON public.web_submission USING btree (user_id, key, received_at DESC);
CREATE INDEX top_up_due ON public.top_ups_topup USING btree (next_on) WHERE ((state)::text = 'ACTIVE'::text);
CREATE INDEX top_ups_topup_by_id_3f7dda61 ON public.top_ups_topup USING btree (by_id);
CREATE INDEX top_ups_topuprun_by_id_d9ce967b ON public.top_ups_topuprun USING btree (by_id);
CREATE INDEX top_ups_topuprun_top_up_id_031f0efd ON public.top_ups_topuprun USING btree (top_up_id);
CREATE INDEX trx_amount ON public.mirror_transaction USING btree (business_id, amount_minor, id, occurred_at) WHERE (tombstoned_at IS NULL);
CREATE INDEX trx_booked ON public.mirror_transaction USING btree (business_id, booked_month, occurred_at DESC, id DESC) WHERE (tombstoned_at IS NULL);
CREATE INDEX trx_currency ON public.mirror_transaction USING btree (business_id, currency, occurred_at DESC, id DESC) WHERE (tombstoned_at IS NULL);
CREATE INDEX trx_employee ON public.mirror_transaction USING btree (business_id, employee_id, occurred_at DESC, id DESC);
CREATE INDEX trx_recent ON public.mirror_transaction USING btree (business_id, occurred_at DESC, id DESC) WHERE (tombstoned_at IS NULL);
CREATE INDEX trx_search ON public.mirror_transaction USING gin (search);
CREATE INDEX trx_status ON public.mirror_transaction USING btree (business_id, status, occurred_at DESC, id DESC) WHERE ((tombstoned_at IS NULL) AND (NOT ((status)::text = 'POSTED'::text)));
CREATE INDEX trx_subcategory ON public.mirror_transaction USING btree (business_id, subcategory_id) WHERE (NOT ((subcategory_id)::text = ''::text));
CREATE INDEX trx_team ON public.mirror_transaction USING btree (business_id, team_id, occurred_at DESC, id DESC);
CREATE INDEX trx_type ON public.mirror_transaction USING btree (business_id, type, occurred_at DESC, id DESC) WHERE ((tombstoned_at IS NULL) AND (NOT ((type)::text = 'EXPENSE'::text)));
CREATE INDEX trx_uncategorised ON public.mirror_transaction USING btree (business_id, occurred_at DESC, id DESC) WHERE ((tombstoned_at IS NULL) AND ((category_name)::text = ''::text) AND ((type)::text = ANY ((ARRAY['EXPENSE'::character varying, 'TOPUP'::character varying])::text[])));
CREATE UNIQUE INDEX unique_authenticator_type ON public.mfa_authenticator USING btree (user_id, type) WHERE ((type)::text = ANY ((ARRAY['totp'::character varying, 'recovery_codes'::character varying])::text[]));
CREATE UNIQUE INDEX unique_primary_email ON public.account_emailaddress USING btree (user_id, "primary") WHERE "primary";
CREATE UNIQUE INDEX unique_verified_email ON public.account_emailaddress USING btree (email) WHERE verified;
CREATE INDEX usersessions_usersession_session_key_fd35de43_like ON public.usersessions_usersession USING btree (session_key varchar_pattern_ops);
CREATE INDEX usersessions_usersession_user_id_af5e0a6d ON public.usersessions_usersession USING btree (user_id);
CREATE INDEX ven_all_by_name ON public.mirror_vendor USING btree (business_id, sort_name, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX ven_all_newest ON public.mirror_vendor USING btree (business_id, created_at DESC, id DESC) WHERE (tombstoned_at IS NULL);
CREATE INDEX ven_by_name ON public.mirror_vendor USING btree (business_id, status, sort_name, id) WHERE (tombstoned_at IS NULL);
CREATE INDEX ven_newest ON public.mirror_vendor USING btree (business_id, status, created_at DESC, id DESC) WHERE (tombstoned_at IS NULL);
CREATE INDEX ven_quarantined ON public.mirror_vendor USING btree (business_id, sort_name, id) WHERE ((tombstoned_at IS NULL) AND quarantined);
CREATE INDEX ven_search ON public.mirror_vendor USING gin (search);
CREATE INDEX views_of_a_list ON public.lists_savedview USING btree (business_id, list_name);
CREATE INDEX web_factorreset_asked_by_id_637ac228 ON public.web_factorreset USING btree (asked_by_id);
CREATE INDEX web_factorreset_confirmed_by_id_8be222ff ON public.web_factorreset USING btree (confirmed_by_id);
CREATE INDEX web_factorreset_membership_id_0eaa8618 ON public.web_factorreset USING btree (membership_id);
CREATE INDEX web_submission_business_id_c0ff2dcc ON public.web_submission USING btree (business_id);
CREATE INDEX web_submission_received_at_26bc1351 ON public.web_submission USING btree (received_at);
CREATE INDEX web_submission_user_id_0f71ad2c ON public.web_submission USING btree (user_id);
CREATE STATISTICS public.bill_axes (mcv) ON status, approval_status FROM public.mirror_bill;
CREATE TRIGGER access_review_row_signed BEFORE INSERT OR DELETE OR UPDATE ON public.access_reviews_reviewedperson FOR EACH ROW EXECUTE FUNCTION public.access_review_refuses();
CREATE TRIGGER access_review_signed BEFORE DELETE OR UPDATE ON public.access_reviews_accessreview FOR EACH ROW EXECUTE FUNCTION public.access_review_refuses();
CREATE TRIGGER audit_entry_rows BEFORE DELETE OR UPDATE ON public.audit_auditentry FOR EACH ROW EXECUTE FUNCTION public.audit_refuses();
CREATE TRIGGER audit_entry_waits AFTER INSERT ON public.audit_auditentry FOR EACH ROW EXECUTE FUNCTION public.audit_waits();
CREATE TRIGGER audit_entry_whole BEFORE TRUNCATE ON public.audit_auditentry FOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuses();
CREATE TRIGGER audit_head_rows BEFORE DELETE OR UPDATE ON public.audit_audithead FOR EACH ROW EXECUTE FUNCTION public.audit_head_refuses();
CREATE TRIGGER audit_head_whole BEFORE TRUNCATE ON public.audit_audithead FOR EACH STATEMENT EXECUTE FUNCTION public.audit_head_refuses();
CREATE TRIGGER audit_seal_rows BEFORE DELETE OR UPDATE ON public.audit_auditseal FOR EACH ROW EXECUTE FUNCTION public.audit_refuses();
CREATE TRIGGER audit_seal_whole BEFORE TRUNCATE ON public.audit_auditseal FOR EACH STATEMENT EXECUTE FUNCTION public.audit_refuses();
CREATE TRIGGER client_outbox_moves BEFORE UPDATE OF state, has_left ON public.client_outboundoperation FOR EACH ROW EXECUTE FUNCTION public.client_outbox_moves();
CREATE TRIGGER decisions_moves BEFORE UPDATE OF state, unknown_since, has_left ON public.decisions_decision FOR EACH ROW EXECUTE FUNCTION public.decisions_moves();
ALTER TABLE ONLY public.access_membership
    ADD CONSTRAINT access_membership_business_id_486d1414_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.access_membership
    ADD CONSTRAINT access_membership_user_id_5bf62e16_fk_access_user_id FOREIGN KEY (user_id) REFERENCES public.access_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.access_reviews_accessreview
    ADD CONSTRAINT access_reviews_acces_business_id_7502e434_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.access_reviews_accessreview
    ADD CONSTRAINT access_reviews_acces_opened_by_id_702f945a_fk_access_me FOREIGN KEY (opened_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.access_reviews_accessreview
    ADD CONSTRAINT access_reviews_acces_signed_by_id_4246f259_fk_access_me FOREIGN KEY (signed_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.access_reviews_reviewedperson
    ADD CONSTRAINT access_reviews_revie_decided_by_id_2f9702a2_fk_access_me FOREIGN KEY (decided_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.access_reviews_reviewedperson
    ADD CONSTRAINT access_reviews_revie_membership_id_01481faa_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.access_reviews_reviewedperson
    ADD CONSTRAINT access_reviews_revie_review_id_984cd2c5_fk_access_re FOREIGN KEY (review_id) REFERENCES public.access_reviews_accessreview(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.access_serviceaccount
    ADD CONSTRAINT access_serviceaccoun_business_id_37602e20_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.access_user_groups
    ADD CONSTRAINT access_user_groups_group_id_921debcc_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.access_user_groups
    ADD CONSTRAINT access_user_groups_user_id_4f105fa4_fk_access_user_id FOREIGN KEY (user_id) REFERENCES public.access_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.access_user
    ADD CONSTRAINT access_user_last_business_id_a3905c52_fk_access_business_id FOREIGN KEY (last_business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.access_user_user_permissions
    ADD CONSTRAINT access_user_user_per_permission_id_76d8eb82_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.access_user_user_permissions
    ADD CONSTRAINT access_user_user_permissions_user_id_67074cbf_fk_access_user_id FOREIGN KEY (user_id) REFERENCES public.access_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_user_id_2c513194_fk_access_user_id FOREIGN KEY (user_id) REFERENCES public.access_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirm_email_address_id_5b7f8c58_fk_account_e FOREIGN KEY (email_address_id) REFERENCES public.account_emailaddress(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.audit_auditseal
    ADD CONSTRAINT audit_auditseal_entry_id_3d75adf3_fk_audit_auditentry_id FOREIGN KEY (entry_id) REFERENCES public.audit_auditentry(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissio_permission_id_84c5c92e_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_b120cbf9_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_2f476e4b_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bank_statements_csvmapping
    ADD CONSTRAINT bank_statements_csvm_business_id_d5f4111e_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bank_statements_statementdraft
    ADD CONSTRAINT bank_statements_stat_business_id_efdd31b8_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.bank_statements_statementdraft
    ADD CONSTRAINT bank_statements_stat_membership_id_02331c0f_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.categorisation_categoryrule
    ADD CONSTRAINT categorisation_categ_business_id_5c28cd77_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.categorisation_categoryrule
    ADD CONSTRAINT categorisation_categ_switched_on_by_id_5cef0e28_fk_access_me FOREIGN KEY (switched_on_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.categorisation_rulefiling
    ADD CONSTRAINT categorisation_rulef_business_id_33685cae_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.categorisation_rulefiling
    ADD CONSTRAINT categorisation_rulef_rule_id_29caa318_fk_categoris FOREIGN KEY (rule_id) REFERENCES public.categorisation_categoryrule(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.categorisation_ruletrial
    ADD CONSTRAINT categorisation_rulet_rule_id_9ded16f4_fk_categoris FOREIGN KEY (rule_id) REFERENCES public.categorisation_categoryrule(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.client_outboundoperation
    ADD CONSTRAINT client_outboundopera_business_id_890fa60a_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.client_outboundoperation
    ADD CONSTRAINT client_outboundopera_membership_id_2dc6b3b1_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.conversation_comment
    ADD CONSTRAINT conversation_comment_business_id_08366420_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.conversation_comment
    ADD CONSTRAINT conversation_comment_membership_id_a9716859_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.conversation_dismissal
    ADD CONSTRAINT conversation_dismiss_business_id_9cc89fdd_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.conversation_dismissal
    ADD CONSTRAINT conversation_dismiss_membership_id_b1441cb5_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_alert
    ADD CONSTRAINT decisions_alert_business_id_0776c9c7_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_alert
    ADD CONSTRAINT decisions_alert_decision_id_8f381fa3_fk_decisions_decision_id FOREIGN KEY (decision_id) REFERENCES public.decisions_decision(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_alert
    ADD CONSTRAINT decisions_alert_membership_id_9f897849_fk_access_membership_id FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_countedapproval
    ADD CONSTRAINT decisions_countedapp_business_id_2fd4c51f_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_countedapproval
    ADD CONSTRAINT decisions_countedapp_draw_id_bd5447b5_fk_decisions FOREIGN KEY (draw_id) REFERENCES public.decisions_weeklydraw(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_decision
    ADD CONSTRAINT decisions_decision_bulk_id_23a06841_fk_lists_batch_id FOREIGN KEY (bulk_id) REFERENCES public.lists_batch(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_decision
    ADD CONSTRAINT decisions_decision_business_id_08e0bb3a_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_decision
    ADD CONSTRAINT decisions_decision_membership_id_78dfa5d4_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_decision
    ADD CONSTRAINT decisions_decision_row_id_58d6e710_fk_lists_batchrow_id FOREIGN KEY (row_id) REFERENCES public.lists_batchrow(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_drawnbatch
    ADD CONSTRAINT decisions_drawnbatch_business_id_b3e937b9_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_sample
    ADD CONSTRAINT decisions_sample_business_id_3f988765_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_sample
    ADD CONSTRAINT decisions_sample_checked_by_id_becd6509_fk_access_membership_id FOREIGN KEY (checked_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_sample
    ADD CONSTRAINT decisions_sample_decision_id_69076ce2_fk_decisions_decision_id FOREIGN KEY (decision_id) REFERENCES public.decisions_decision(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_weeklydraw
    ADD CONSTRAINT decisions_weeklydraw_business_id_48330217_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_weeklysample
    ADD CONSTRAINT decisions_weeklysamp_checked_by_id_3c3fa950_fk_access_me FOREIGN KEY (checked_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_weeklysample
    ADD CONSTRAINT decisions_weeklysamp_decision_id_654a0148_fk_decisions FOREIGN KEY (decision_id) REFERENCES public.decisions_decision(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.decisions_weeklysample
    ADD CONSTRAINT decisions_weeklysamp_draw_id_67358026_fk_decisions FOREIGN KEY (draw_id) REFERENCES public.decisions_weeklydraw(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.delegation_delegation
    ADD CONSTRAINT delegation_delegatio_business_id_cab90e48_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.delegation_delegation
    ADD CONSTRAINT delegation_delegatio_delegate_id_10769a83_fk_access_me FOREIGN KEY (delegate_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.delegation_delegation
    ADD CONSTRAINT delegation_delegatio_delegator_id_284b473e_fk_access_me FOREIGN KEY (delegator_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.documents_documentnote
    ADD CONSTRAINT documents_documentno_business_id_f0b0c342_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.documents_documentreading
    ADD CONSTRAINT documents_documentre_business_id_3c3a8533_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.documents_pictureband
    ADD CONSTRAINT documents_pictureban_business_id_89dc10d6_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.documents_pictureband
    ADD CONSTRAINT documents_pictureban_look_id_1d3835a1_fk_documents FOREIGN KEY (look_id) REFERENCES public.documents_picturelook(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.documents_picturelook
    ADD CONSTRAINT documents_pictureloo_business_id_fbdab52c_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.documents_readdocument
    ADD CONSTRAINT documents_readdocume_business_id_c71baaf7_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.documents_readdocument
    ADD CONSTRAINT documents_readdocume_reading_id_f6cbadd4_fk_documents FOREIGN KEY (reading_id) REFERENCES public.documents_documentreading(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.documents_readpayment
    ADD CONSTRAINT documents_readpaymen_business_id_89c8c989_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.evidence_evidencepack
    ADD CONSTRAINT evidence_evidencepac_business_id_7b8fdc05_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.evidence_evidencepack
    ADD CONSTRAINT evidence_evidencepac_membership_id_0988a713_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.inbound_mail_receivedmessage
    ADD CONSTRAINT inbound_mail_receive_business_id_018514d9_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.inbound_mail_receivedattachment
    ADD CONSTRAINT inbound_mail_receive_message_id_609f943b_fk_inbound_m FOREIGN KEY (message_id) REFERENCES public.inbound_mail_receivedmessage(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.journal_exports_journalexport
    ADD CONSTRAINT journal_exports_jour_business_id_59c3a9cc_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.journal_exports_journalexport
    ADD CONSTRAINT journal_exports_jour_carried_by_id_22f0356c_fk_access_me FOREIGN KEY (carried_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.journal_exports_journalexport
    ADD CONSTRAINT journal_exports_jour_created_by_id_f2b4a8f5_fk_access_me FOREIGN KEY (created_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.journal_exports_journalexportfile
    ADD CONSTRAINT journal_exports_jour_export_id_dac7bb47_fk_journal_e FOREIGN KEY (export_id) REFERENCES public.journal_exports_journalexport(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.journal_exports_mapping
    ADD CONSTRAINT journal_exports_mapp_business_id_16d1ed94_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lists_batch
    ADD CONSTRAINT lists_batch_business_id_fc771988_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lists_batch
    ADD CONSTRAINT lists_batch_membership_id_c9b39594_fk_access_membership_id FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lists_batch
    ADD CONSTRAINT lists_batch_retry_of_id_85807f88_fk_lists_batch_id FOREIGN KEY (retry_of_id) REFERENCES public.lists_batch(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lists_batchrow
    ADD CONSTRAINT lists_batchrow_batch_id_63acb801_fk_lists_batch_id FOREIGN KEY (batch_id) REFERENCES public.lists_batch(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lists_export
    ADD CONSTRAINT lists_export_business_id_d19f4292_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lists_export
    ADD CONSTRAINT lists_export_membership_id_53c2168b_fk_access_membership_id FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lists_import
    ADD CONSTRAINT lists_import_business_id_73bae492_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lists_import
    ADD CONSTRAINT lists_import_membership_id_e0b72f8a_fk_access_membership_id FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lists_receiptsjob
    ADD CONSTRAINT lists_receiptsjob_business_id_ed514e15_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lists_receiptsjob
    ADD CONSTRAINT lists_receiptsjob_membership_id_923a23bf_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lists_savedview
    ADD CONSTRAINT lists_savedview_business_id_5ff3c444_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.lists_savedview
    ADD CONSTRAINT lists_savedview_owner_id_77dd892f_fk_access_membership_id FOREIGN KEY (owner_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mfa_authenticator
    ADD CONSTRAINT mfa_authenticator_user_id_0c3a50c0_fk_access_user_id FOREIGN KEY (user_id) REFERENCES public.access_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_approval
    ADD CONSTRAINT mirror_approval_business_id_d57c85ab_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_bill
    ADD CONSTRAINT mirror_bill_business_id_c69b3e0d_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_card
    ADD CONSTRAINT mirror_card_business_id_43bf65b7_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_carddecline
    ADD CONSTRAINT mirror_carddecline_business_id_c622cfb3_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_category
    ADD CONSTRAINT mirror_category_business_id_2955185f_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_cursor
    ADD CONSTRAINT mirror_cursor_business_id_94158356_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_customer
    ADD CONSTRAINT mirror_customer_business_id_396e9cc8_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_drift
    ADD CONSTRAINT mirror_drift_business_id_11a11129_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_employee
    ADD CONSTRAINT mirror_employee_business_id_bb5ccd93_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_expense
    ADD CONSTRAINT mirror_expense_business_id_fad4db27_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_fundaccount
    ADD CONSTRAINT mirror_fundaccount_business_id_fa8a9eea_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_inboxevent
    ADD CONSTRAINT mirror_inboxevent_business_id_995d85c7_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_keptanswer
    ADD CONSTRAINT mirror_keptanswer_business_id_66a79170_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_request
    ADD CONSTRAINT mirror_request_business_id_4ee8bab5_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_spendpolicy
    ADD CONSTRAINT mirror_spendpolicy_business_id_9bfe6416_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_subscription
    ADD CONSTRAINT mirror_subscription_business_id_e8c28c9b_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_team
    ADD CONSTRAINT mirror_team_business_id_f74a58a3_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_transaction
    ADD CONSTRAINT mirror_transaction_business_id_6928a61d_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_vendor
    ADD CONSTRAINT mirror_vendor_business_id_f2356cef_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_wallet
    ADD CONSTRAINT mirror_wallet_business_id_16d8aae8_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_walletpermission
    ADD CONSTRAINT mirror_walletpermiss_business_id_46fe77fd_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_walletpolicy
    ADD CONSTRAINT mirror_walletpolicy_business_id_d8e1adcb_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_walletrole
    ADD CONSTRAINT mirror_walletrole_business_id_231d392e_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_window
    ADD CONSTRAINT mirror_window_business_id_5a43e2e4_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.mirror_workflow
    ADD CONSTRAINT mirror_workflow_business_id_e8e42736_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.notifications_choice
    ADD CONSTRAINT notifications_choice_membership_id_3208875a_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.notifications_digest
    ADD CONSTRAINT notifications_digest_membership_id_bb444c9d_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.notifications_inboxwatch
    ADD CONSTRAINT notifications_inboxw_membership_id_6eeafc8a_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.notifications_inboxwatchitem
    ADD CONSTRAINT notifications_inboxw_watch_id_234acddb_fk_notificat FOREIGN KEY (watch_id) REFERENCES public.notifications_inboxwatch(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.notifications_notice
    ADD CONSTRAINT notifications_notice_business_id_2d0c7167_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.notifications_notice
    ADD CONSTRAINT notifications_notice_membership_id_280ad738_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.notifications_pushdelivery
    ADD CONSTRAINT notifications_pushde_device_id_2b267666_fk_notificat FOREIGN KEY (device_id) REFERENCES public.notifications_pushdevice(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.notifications_pushdevice
    ADD CONSTRAINT notifications_pushde_membership_id_01336deb_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.notifications_pushdelivery
    ADD CONSTRAINT notifications_pushde_message_id_d3c87904_fk_notificat FOREIGN KEY (message_id) REFERENCES public.notifications_pushmessage(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.notifications_pushdevice
    ADD CONSTRAINT notifications_pushde_session_id_04b43f1a_fk_usersessi FOREIGN KEY (session_id) REFERENCES public.usersessions_usersession(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.notifications_pushmessage
    ADD CONSTRAINT notifications_pushme_membership_id_ae99574b_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.offboarding_offboarding
    ADD CONSTRAINT offboarding_offboard_business_id_13f98237_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.offboarding_offboarding
    ADD CONSTRAINT offboarding_offboard_started_by_id_3236ec7c_fk_access_me FOREIGN KEY (started_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.offboarding_step
    ADD CONSTRAINT offboarding_step_by_id_af9e4c95_fk_access_membership_id FOREIGN KEY (by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.offboarding_step
    ADD CONSTRAINT offboarding_step_offboarding_id_3281b56a_fk_offboardi FOREIGN KEY (offboarding_id) REFERENCES public.offboarding_offboarding(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.onboarding_newcomer
    ADD CONSTRAINT onboarding_newcomer_business_id_7fbe414f_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.onboarding_newcomer
    ADD CONSTRAINT onboarding_newcomer_membership_id_c5fc7fea_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.payout_files_bankfiledownload
    ADD CONSTRAINT payout_files_bankfil_business_id_c414c03d_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.payout_files_draftorigin
    ADD CONSTRAINT payout_files_draftor_business_id_7ca6d0eb_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.payout_files_filecolumns
    ADD CONSTRAINT payout_files_filecol_business_id_86cb2a36_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.payout_files_sentcode
    ADD CONSTRAINT payout_files_sentcod_business_id_18e0997e_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.policies_replay
    ADD CONSTRAINT policies_replay_business_id_037712e1_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.policies_replay
    ADD CONSTRAINT policies_replay_membership_id_92c11168_fk_access_membership_id FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.policies_replayitem
    ADD CONSTRAINT policies_replayitem_replay_id_2caa4e09_fk_policies_replay_id FOREIGN KEY (replay_id) REFERENCES public.policies_replay(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.proposals_foureyes
    ADD CONSTRAINT proposals_foureyes_business_id_aeaa6237_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.proposals_proposal
    ADD CONSTRAINT proposals_proposal_business_id_a50bce46_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.proposals_proposal
    ADD CONSTRAINT proposals_proposal_decided_by_id_fde1ce06_fk_access_me FOREIGN KEY (decided_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.proposals_proposal
    ADD CONSTRAINT proposals_proposal_proposed_by_id_258611db_fk_access_me FOREIGN KEY (proposed_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.renewals_cancellation
    ADD CONSTRAINT renewals_cancellatio_business_id_ac24c345_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.renewals_cancellationstep
    ADD CONSTRAINT renewals_cancellatio_cancellation_id_955b8fcb_fk_renewals_ FOREIGN KEY (cancellation_id) REFERENCES public.renewals_cancellation(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.renewals_cancellationstep
    ADD CONSTRAINT renewals_cancellatio_done_by_id_d9b25223_fk_access_me FOREIGN KEY (done_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.renewals_renewalterms
    ADD CONSTRAINT renewals_renewalterm_business_id_25b7f2f1_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.scim_pendingsuspension
    ADD CONSTRAINT scim_pendingsuspensi_business_id_426bc6de_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.scim_pendingsuspension
    ADD CONSTRAINT scim_pendingsuspensi_membership_id_c6c6dcd7_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.scim_scimgroup
    ADD CONSTRAINT scim_scimgroup_business_id_7c6ac693_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.scim_scimgroup_members
    ADD CONSTRAINT scim_scimgroup_membe_membership_id_caecfa76_fk_access_me FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.scim_scimgroup_members
    ADD CONSTRAINT scim_scimgroup_membe_scimgroup_id_3abb214e_fk_scim_scim FOREIGN KEY (scimgroup_id) REFERENCES public.scim_scimgroup(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.scim_scimtoken
    ADD CONSTRAINT scim_scimtoken_business_id_d4a72a92_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.scim_scimtoken
    ADD CONSTRAINT scim_scimtoken_set_up_by_id_15723593_fk_access_membership_id FOREIGN KEY (set_up_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.scim_scimuser
    ADD CONSTRAINT scim_scimuser_business_id_8fe91359_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.scim_scimuser
    ADD CONSTRAINT scim_scimuser_membership_id_aed4ad9a_fk_access_membership_id FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.signing_signingkey
    ADD CONSTRAINT signing_signingkey_business_id_1363bd72_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.single_sign_on_identityprovider
    ADD CONSTRAINT single_sign_on_ident_business_id_74dd3a03_fk_access_bu FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.single_sign_on_identityprovider
    ADD CONSTRAINT single_sign_on_ident_changed_by_id_61310be0_fk_access_me FOREIGN KEY (changed_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.single_sign_on_usedassertion
    ADD CONSTRAINT single_sign_on_useda_provider_id_9a0e1198_fk_single_si FOREIGN KEY (provider_id) REFERENCES public.single_sign_on_identityprovider(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.socialaccount_socialtoken
    ADD CONSTRAINT socialaccount_social_account_id_951f210e_fk_socialacc FOREIGN KEY (account_id) REFERENCES public.socialaccount_socialaccount(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.socialaccount_socialtoken
    ADD CONSTRAINT socialaccount_social_app_id_636a42d7_fk_socialacc FOREIGN KEY (app_id) REFERENCES public.socialaccount_socialapp(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.socialaccount_socialaccount
    ADD CONSTRAINT socialaccount_socialaccount_user_id_8146e70c_fk_access_user_id FOREIGN KEY (user_id) REFERENCES public.access_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.top_ups_topup
    ADD CONSTRAINT top_ups_topup_business_id_e4d99d70_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.top_ups_topup
    ADD CONSTRAINT top_ups_topup_by_id_3f7dda61_fk_access_membership_id FOREIGN KEY (by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.top_ups_topuprun
    ADD CONSTRAINT top_ups_topuprun_by_id_d9ce967b_fk_access_membership_id FOREIGN KEY (by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.top_ups_topuprun
    ADD CONSTRAINT top_ups_topuprun_top_up_id_031f0efd_fk_top_ups_topup_id FOREIGN KEY (top_up_id) REFERENCES public.top_ups_topup(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.usersessions_usersession
    ADD CONSTRAINT usersessions_usersession_user_id_af5e0a6d_fk_access_user_id FOREIGN KEY (user_id) REFERENCES public.access_user(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.web_factorreset
    ADD CONSTRAINT web_factorreset_asked_by_id_637ac228_fk_access_membership_id FOREIGN KEY (asked_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.web_factorreset
    ADD CONSTRAINT web_factorreset_confirmed_by_id_8be222ff_fk_access_me FOREIGN KEY (confirmed_by_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.web_factorreset
    ADD CONSTRAINT web_factorreset_membership_id_0eaa8618_fk_access_membership_id FOREIGN KEY (membership_id) REFERENCES public.access_membership(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.web_submission
    ADD CONSTRAINT web_submission_business_id_c0ff2dcc_fk_access_business_id FOREIGN KEY (business_id) REFERENCES public.access_business(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.web_submission
    ADD CONSTRAINT web_submission_user_id_0f71ad2c_fk_access_user_id FOREIGN KEY (user_id) REFERENCES public.access_user(id) DEFERRABLE INITIALLY DEFERRED;
REVOKE ALL ON FUNCTION public.audit_advance_head(p_chain bigint, p_number bigint, p_hash character varying) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_advance_head(p_chain bigint, p_number bigint, p_hash character varying) TO dashboard_app;
REVOKE ALL ON FUNCTION public.audit_lock_head(p_chain bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_lock_head(p_chain bigint) TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.access_business TO dashboard_app;
GRANT ALL ON SEQUENCE public.access_business_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.access_membership TO dashboard_app;
GRANT ALL ON SEQUENCE public.access_membership_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.access_reviews_accessreview TO dashboard_app;
GRANT ALL ON SEQUENCE public.access_reviews_accessreview_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.access_reviews_reviewedperson TO dashboard_app;
GRANT ALL ON SEQUENCE public.access_reviews_reviewedperson_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.access_serviceaccount TO dashboard_app;
GRANT ALL ON SEQUENCE public.access_serviceaccount_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.access_user TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.access_user_groups TO dashboard_app;
GRANT ALL ON SEQUENCE public.access_user_groups_id_seq TO dashboard_app;
GRANT ALL ON SEQUENCE public.access_user_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.access_user_user_permissions TO dashboard_app;
GRANT ALL ON SEQUENCE public.access_user_user_permissions_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.account_emailaddress TO dashboard_app;
GRANT ALL ON SEQUENCE public.account_emailaddress_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.account_emailconfirmation TO dashboard_app;
GRANT ALL ON SEQUENCE public.account_emailconfirmation_id_seq TO dashboard_app;
GRANT SELECT,INSERT ON TABLE public.audit_auditentry TO dashboard_app;
GRANT ALL ON SEQUENCE public.audit_auditentry_id_seq TO dashboard_app;
GRANT SELECT ON TABLE public.audit_audithead TO dashboard_app;
GRANT SELECT,INSERT ON TABLE public.audit_auditseal TO dashboard_app;
GRANT ALL ON SEQUENCE public.audit_auditseal_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.audit_auditwaiting TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.auth_group TO dashboard_app;
GRANT ALL ON SEQUENCE public.auth_group_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.auth_group_permissions TO dashboard_app;
GRANT ALL ON SEQUENCE public.auth_group_permissions_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.auth_permission TO dashboard_app;
GRANT ALL ON SEQUENCE public.auth_permission_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.bank_statements_csvmapping TO dashboard_app;
GRANT ALL ON SEQUENCE public.bank_statements_csvmapping_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.bank_statements_statementdraft TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.categorisation_categoryrule TO dashboard_app;
GRANT ALL ON SEQUENCE public.categorisation_categoryrule_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.categorisation_rulefiling TO dashboard_app;
GRANT ALL ON SEQUENCE public.categorisation_rulefiling_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.categorisation_ruletrial TO dashboard_app;
GRANT ALL ON SEQUENCE public.categorisation_ruletrial_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.client_outboundoperation TO dashboard_app;
GRANT ALL ON SEQUENCE public.client_outboundoperation_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conversation_comment TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.conversation_dismissal TO dashboard_app;
GRANT ALL ON SEQUENCE public.conversation_dismissal_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.decisions_alert TO dashboard_app;
GRANT ALL ON SEQUENCE public.decisions_alert_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.decisions_countedapproval TO dashboard_app;
GRANT ALL ON SEQUENCE public.decisions_countedapproval_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.decisions_decision TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.decisions_drawnbatch TO dashboard_app;
GRANT ALL ON SEQUENCE public.decisions_drawnbatch_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.decisions_sample TO dashboard_app;
GRANT ALL ON SEQUENCE public.decisions_sample_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.decisions_weeklydraw TO dashboard_app;
GRANT ALL ON SEQUENCE public.decisions_weeklydraw_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.decisions_weeklysample TO dashboard_app;
GRANT ALL ON SEQUENCE public.decisions_weeklysample_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.delegation_delegation TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.django_content_type TO dashboard_app;
GRANT ALL ON SEQUENCE public.django_content_type_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.django_migrations TO dashboard_app;
GRANT ALL ON SEQUENCE public.django_migrations_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.django_session TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.documents_documentnote TO dashboard_app;
GRANT ALL ON SEQUENCE public.documents_documentnote_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.documents_documentreading TO dashboard_app;
GRANT ALL ON SEQUENCE public.documents_documentreading_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.documents_pictureband TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.documents_picturelook TO dashboard_app;
GRANT ALL ON SEQUENCE public.documents_picturelook_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.documents_readdocument TO dashboard_app;
GRANT ALL ON SEQUENCE public.documents_readdocument_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.documents_readpayment TO dashboard_app;
GRANT ALL ON SEQUENCE public.documents_readpayment_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.evidence_evidencepack TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.inbound_mail_receivedattachment TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.inbound_mail_receivedmessage TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.journal_exports_journalexport TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.journal_exports_journalexportfile TO dashboard_app;
GRANT ALL ON SEQUENCE public.journal_exports_journalexportfile_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.journal_exports_mapping TO dashboard_app;
GRANT ALL ON SEQUENCE public.journal_exports_mapping_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.lists_batch TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.lists_batchrow TO dashboard_app;
GRANT ALL ON SEQUENCE public.lists_batchrow_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.lists_export TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.lists_import TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.lists_receiptsjob TO dashboard_app;
GRANT ALL ON SEQUENCE public.lists_receiptsjob_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.lists_savedview TO dashboard_app;
GRANT ALL ON SEQUENCE public.lists_savedview_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mfa_authenticator TO dashboard_app;
GRANT ALL ON SEQUENCE public.mfa_authenticator_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_approval TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_approval_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_bill TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_bill_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_card TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_card_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_carddecline TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_carddecline_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_category TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_category_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_cursor TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_cursor_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_customer TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_customer_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_drift TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_drift_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_employee TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_employee_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_expense TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_expense_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_fundaccount TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_fundaccount_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_inboxevent TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_inboxevent_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_keptanswer TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_keptanswer_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_request TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_request_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_spendpolicy TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_spendpolicy_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_subscription TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_subscription_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_team TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_team_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_transaction TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_transaction_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_vendor TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_vendor_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_wallet TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_wallet_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_walletpermission TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_walletpermission_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_walletpolicy TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_walletpolicy_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_walletrole TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_walletrole_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_window TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_window_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mirror_workflow TO dashboard_app;
GRANT ALL ON SEQUENCE public.mirror_workflow_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.notifications_choice TO dashboard_app;
GRANT ALL ON SEQUENCE public.notifications_choice_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.notifications_digest TO dashboard_app;
GRANT ALL ON SEQUENCE public.notifications_digest_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.notifications_inboxwatch TO dashboard_app;
GRANT ALL ON SEQUENCE public.notifications_inboxwatch_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.notifications_inboxwatchitem TO dashboard_app;
GRANT ALL ON SEQUENCE public.notifications_inboxwatchitem_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.notifications_notice TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.notifications_pushdelivery TO dashboard_app;
GRANT ALL ON SEQUENCE public.notifications_pushdelivery_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.notifications_pushdevice TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.notifications_pushmessage TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.offboarding_offboarding TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.offboarding_step TO dashboard_app;
GRANT ALL ON SEQUENCE public.offboarding_step_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.onboarding_newcomer TO dashboard_app;
GRANT ALL ON SEQUENCE public.onboarding_newcomer_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.payout_files_bankfiledownload TO dashboard_app;
GRANT ALL ON SEQUENCE public.payout_files_bankfiledownload_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.payout_files_draftorigin TO dashboard_app;
GRANT ALL ON SEQUENCE public.payout_files_draftorigin_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.payout_files_filecolumns TO dashboard_app;
GRANT ALL ON SEQUENCE public.payout_files_filecolumns_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.payout_files_sentcode TO dashboard_app;
GRANT ALL ON SEQUENCE public.payout_files_sentcode_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.policies_replay TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.policies_replayitem TO dashboard_app;
GRANT ALL ON SEQUENCE public.policies_replayitem_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.proposals_foureyes TO dashboard_app;
GRANT ALL ON SEQUENCE public.proposals_foureyes_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.proposals_proposal TO dashboard_app;
GRANT ALL ON SEQUENCE public.proposals_proposal_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.renewals_cancellation TO dashboard_app;
GRANT ALL ON SEQUENCE public.renewals_cancellation_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.renewals_cancellationstep TO dashboard_app;
GRANT ALL ON SEQUENCE public.renewals_cancellationstep_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.renewals_renewalterms TO dashboard_app;
GRANT ALL ON SEQUENCE public.renewals_renewalterms_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.scim_pendingsuspension TO dashboard_app;
GRANT ALL ON SEQUENCE public.scim_pendingsuspension_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.scim_scimgroup TO dashboard_app;
GRANT ALL ON SEQUENCE public.scim_scimgroup_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.scim_scimgroup_members TO dashboard_app;
GRANT ALL ON SEQUENCE public.scim_scimgroup_members_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.scim_scimtoken TO dashboard_app;
GRANT ALL ON SEQUENCE public.scim_scimtoken_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.scim_scimuser TO dashboard_app;
GRANT ALL ON SEQUENCE public.scim_scimuser_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.signing_signingkey TO dashboard_app;
GRANT ALL ON SEQUENCE public.signing_signingkey_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.single_sign_on_identityprovider TO dashboard_app;
GRANT ALL ON SEQUENCE public.single_sign_on_identityprovider_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.single_sign_on_usedassertion TO dashboard_app;
GRANT ALL ON SEQUENCE public.single_sign_on_usedassertion_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.socialaccount_socialaccount TO dashboard_app;
GRANT ALL ON SEQUENCE public.socialaccount_socialaccount_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.socialaccount_socialapp TO dashboard_app;
GRANT ALL ON SEQUENCE public.socialaccount_socialapp_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.socialaccount_socialtoken TO dashboard_app;
GRANT ALL ON SEQUENCE public.socialaccount_socialtoken_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.top_ups_topup TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.top_ups_topuprun TO dashboard_app;
GRANT ALL ON SEQUENCE public.top_ups_topuprun_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.usersessions_usersession TO dashboard_app;
GRANT ALL ON SEQUENCE public.usersessions_usersession_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.web_factorreset TO dashboard_app;
GRANT ALL ON SEQUENCE public.web_factorreset_id_seq TO dashboard_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.web_submission TO dashboard_app;
GRANT ALL ON SEQUENCE public.web_submission_id_seq TO dashboard_app;
ALTER DEFAULT PRIVILEGES FOR ROLE dashboard_owner IN SCHEMA public GRANT ALL ON SEQUENCES TO dashboard_app;
ALTER DEFAULT PRIVILEGES FOR ROLE dashboard_owner IN SCHEMA public GRANT SELECT,INSERT,DELETE,UPDATE ON TABLES TO dashboard_app;
