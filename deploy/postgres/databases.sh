#!/bin/sh
# Once: two roles and a database for each program, as docs/deploy.md has them. Again it changes passwords, and nothing else.
set -eu
on() { psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 "postgresql://postgres@postgres-1,postgres-2/$1?target_session_attrs=read-write"; }
until echo 'SELECT 1' | on postgres >/dev/null 2>&1; do sleep 1; done

for program in service dashboard; do
    case $program in
        service) app=$SERVICE_DATABASE_PASSWORD owner=$SERVICE_DATABASE_OWNER_PASSWORD ;;
        dashboard) app=$DATABASE_PASSWORD owner=$DATABASE_OWNER_PASSWORD ;;
    esac
    on postgres <<SQL
SELECT format('CREATE ROLE %I LOGIN', name) FROM unnest(ARRAY['${program}_owner', '${program}_app']) name
    WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE ${program}_owner PASSWORD '$owner';
ALTER ROLE ${program}_app PASSWORD '$app';
SELECT 'CREATE DATABASE $program OWNER ${program}_owner'
    WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = '$program') \gexec
SQL
    on $program <<SQL
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO ${program}_owner;
GRANT USAGE ON SCHEMA public TO ${program}_app;
ALTER DEFAULT PRIVILEGES FOR ROLE ${program}_owner IN SCHEMA public
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${program}_app;
ALTER DEFAULT PRIVILEGES FOR ROLE ${program}_owner IN SCHEMA public
    GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO ${program}_app;
SQL
done
