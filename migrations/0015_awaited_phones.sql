-- A phone that was added and that nobody has heard of yet is awaited: what first proves to be it, by its code or by the
-- address of a forwarding app, switches it on. Once; and a person who has moved its switch before has decided.
alter table devices add awaited boolean not null default false;
update devices set awaited = true where secret_version = 0 and not switched_on and last_seen_at is null;
