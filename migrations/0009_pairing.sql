-- How a phone was last set up: the session of the set-up page (/pair), which a one-time code opens on the phone itself, and
-- how far it came. One row for each phone, replaced by the next code that is opened.
create table phone_setups (
  account_id    uuid not null,
  device_id     uuid not null,
  token_hash    bytea unique,
  opened_at     timestamptz(3),
  until         timestamptz(3),
  opened_by     text not null default '',
  chosen        text not null default '' check (chosen in ('', 'agent', 'smsgate', 'sms-to-url', 'sms-forwarder')),
  chosen_at     timestamptz(3),
  accesses      smallint not null default 0,
  app           text not null default '' check (app in ('', 'agent', 'smsgate', 'sms-to-url', 'sms-forwarder', 'text')),
  registered_at timestamptz(3),
  configured_at timestamptz(3),
  primary key (account_id, device_id),
  foreign key (account_id, device_id) references devices (account_id, id) on delete cascade,
  check ((token_hash is null) = (opened_at is null) and (opened_at is null) = (until is null)));

comment on table phone_setups is 'How a phone was last set up: by the page that its one-time code opens, or by an owner in the dashboard.';
comment on column phone_setups.token_hash is
  'SHA-256 of the token in the set-up page''s cookie. It may set up this phone and nothing else. Null: the page was not opened.';
comment on column phone_setups.until is 'When the session of the page ends.';
comment on column phone_setups.opened_by is 'The user who created the code, as in the audit log.';
comment on column phone_setups.chosen is 'The app that was chosen on the page. Empty: none yet.';
comment on column phone_setups.accesses is 'How many addresses and codes the session has created; it may create ten.';
comment on column phone_setups.app is 'The app that access was last created for, by the page or in the dashboard. Empty: none yet, or not known.';
comment on column phone_setups.registered_at is 'When SMS Gateway first called in this set-up. Null: not yet, or another app.';
comment on column phone_setups.configured_at is 'When SMS Gateway took its settings. Null: not yet, or another app.';
