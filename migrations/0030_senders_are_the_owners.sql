-- Whose messages count as money is the owner's decision, and a signature cannot be left out.
--
-- A manager could publish a template for their own number, make that number the sender of a wallet, and verify a payment with
-- one message. Such a change of a manager is now stored as an approval and done when an owner confirms it. Alerts of a sender
-- that is younger than a day carry a doubt.
--
-- The address of a forwarding app worked with every adapter, also with those that do not sign. It now belongs to one app. A phone
-- that signs with a secret of its own is no longer heard unsigned beside it.

create table approvals (
  account_id uuid not null references accounts (id),
  id uuid not null,
  kind text not null check (kind in ('wallet.create', 'wallet.update', 'provider.update', 'template.publish')),
  object_id text not null,
  object_name text not null,
  reasons text[] not null check (cardinality(reasons) between 1 and 10),
  change json not null,
  before json,
  after json not null,
  asked_by uuid not null,
  asked_name text not null,
  asked_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  state text not null default 'open' check (state in ('open', 'confirmed', 'declined', 'withdrawn', 'stale')),
  decided_name text not null default '',
  decided_at timestamptz(3),
  primary key (account_id, id),
  check ((state = 'open') = (decided_at is null))
);
create index approvals_open on approvals (account_id) where state = 'open';
create index approvals_old on approvals (asked_at);

comment on table approvals is
  'A change of a manager that needs an owner: it is done when an owner confirms it. Kept for 90 days; the audit log stays.';
comment on column approvals.kind is 'What is to be done.';
comment on column approvals.asked_at is 'When it was asked for.';
comment on column approvals.decided_at is 'When it was ended. Null: it is open.';
comment on column approvals.object_id is 'The wallet, provider or template. Empty: the change creates it.';
comment on column approvals.object_name is 'Its name when the change was asked for.';
comment on column approvals.reasons is 'What needs an owner: sender, app, low_trust_limit, review_above, review_broken_chains, '
  'review_later_messages.';
comment on column approvals.change is 'The body of the call, as the manager sent it. It is read and checked again when an owner confirms.';
comment on column approvals.before is
  'The object when the change was asked for. If it differs when an owner confirms, the approval is stale. Null: it is created.';
comment on column approvals.after is 'What the object becomes.';
comment on column approvals.asked_by is 'The user. Confirming is refused if they may no longer ask.';
comment on column approvals.asked_name is 'Their name and address as in audit_log.actor.';
comment on column approvals.expires_at is 'From then on it can no longer be confirmed.';
comment on column approvals.state is
  'open: waits for an owner, until expires_at. confirmed: done. declined: by an owner. withdrawn: by who asked. stale: the object '
  'had changed when an owner confirmed.';
comment on column approvals.decided_name is 'Who ended it, as in audit_log.actor. Empty: nobody yet.';

alter table owner_notices
  drop constraint owner_notices_kind_check,
  add constraint owner_notices_kind_check check (kind in (
    'phone_paired', 'app_let_in', 'signing_key_set', 'webhook_created', 'webhook_moved', 'webhook_rotated', 'key_created',
    'key_rotated', 'template_published', 'approval_asked', 'secrets_lost', 'webhook_failing', 'webhook_disabled',
    'webhook_gone', 'member_request', 'booked_short')),
  drop constraint owner_notices_object_kind_check,
  add constraint owner_notices_object_kind_check check (object_kind in (
    'phone', 'webhook', 'key', 'template', 'approval', 'account', 'member', 'intent'));

alter table wallets
  add column sender_at timestamptz(3),
  add column senders_had text[] not null default '{}';
update wallets set senders_had = array[sender_name] where sender_name <> '';
comment on column wallets.sender_at is
  'Since when messages of its sender count for it. Null: from the start, or the operator''s templates name the sender. A sender of '
  'less than a day is a doubt.';

comment on column wallets.senders_had is
  'Every sender that it ever had. An entry that begins to receive messages of one of them starts from its limits.';

alter table alerts
  add column sender_new boolean not null default false,
  add column denied_by uuid;
comment on column alerts.sender_new is
  'Its sender had counted for the wallet for less than a day, or not yet. Shown as a doubt.';
comment on column alerts.denied_by is
  'An unsigned alert with the same reference that says that the payment was reversed, failed or is pending. It does not stop this '
  'signed one. Shown as a doubt.';

alter table devices
  add column ingest_adapter text not null default ''
    check (ingest_adapter in ('', 'sms-to-url', 'smsgate', 'sms-forwarder', 'text')),
  add column refused_app text not null default '',
  add column refused_app_at timestamptz(3);
comment on column devices.ingest_adapter is
  'The only forwarding app that may use the address. Empty: the first one that does, signed if the phone can sign.';
comment on column devices.refused_app is 'Another app that last used the address and was refused. Empty: none.';
comment on column devices.refused_app_at is 'When it last tried. Null: never since access was given.';

-- A phone with a secret of the native protocol signs. The address of an app without a key beside it is an unsigned way around that
-- signature: it ends. (An owner who uses the app gives it access again, which ends the secret.)
update devices
   set ingest_token_hash = null
 where secret_sealed is not null and signing_key_sealed is null and ingest_token_hash is not null;

-- A phone that must sign keeps the app that it is set up for, or the last one that did sign: an unsigned message under its
-- address may be a forgery. A phone that does not sign keeps the app that it used last.
update devices d
   set ingest_adapter = coalesce(
         case when d.signing_key_sealed is null then
           (select a.adapter from alerts a where a.device_id = d.id and a.adapter in ('sms-to-url', 'smsgate', 'sms-forwarder', 'text')
             order by a.id desc limit 1) end,
         (select s.app from phone_setups s
           where s.account_id = d.account_id and s.device_id = d.id and s.app in ('sms-to-url', 'smsgate', 'sms-forwarder', 'text')),
         (select a.adapter from alerts a
           where a.device_id = d.id and a.adapter in ('sms-to-url', 'smsgate') and a.trusted order by a.id desc limit 1),
         '')
 where d.ingest_token_hash is not null;
