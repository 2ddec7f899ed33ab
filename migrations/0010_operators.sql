-- Those who host Sanad look across accounts, and everybody looks into the log of changes: each question that they may ask
-- has an index that answers a page of it without reading the rest.

create index audit_of_kind on audit_log (account_id, kind, id);
create index audit_of_action on audit_log (account_id, action, id);

create index accounts_newest on accounts (created_at, id);
create index accounts_name on accounts using gin (name gin_trgm_ops);

-- A provider that everybody shares is known by its name.
create unique index providers_shared_name on providers (name) where account_id is null;
create index wallets_of_provider on wallets (provider_id);
