-- Checkouts: pages on which buyers pay, the intents that they made, and their events.

create table payment_links (
  account_id        uuid not null references accounts,
  id                uuid not null,
  token_hash        bytea not null unique check (length(token_hash) = 32),
  active            boolean not null default true,
  amount            bigint check (amount between 1 and 99999999999999),
  least             bigint check (least between 1 and 99999999999999),
  most              bigint check (most between 1 and 99999999999999),
  currency          text not null,
  external_order_id text not null default '' check (char_length(external_order_id) <= 128),
  description       text not null default '' check (char_length(description) <= 500),
  wallets           uuid[] not null default '{}' check (cardinality(wallets) <= 50),
  return_url        text not null default '' check (char_length(return_url) <= 2000),
  metadata          json not null default '{}',
  locale            text not null default '' check (locale in ('', 'ar', 'en')),
  allow_remaining   boolean not null default false,
  once              boolean not null default false,
  life_s            int not null check (life_s between 300 and 604800),
  created_by        text not null,
  created_at        timestamptz(3) not null,
  primary key (account_id, id),
  check ((amount is null) = (least is not null) and (least is null) = (most is null) and least <= most));
comment on table payment_links is
  'A link that can be shared: whoever opens it and goes on to pay gets a checkout of their own.';
comment on column payment_links.token_hash is 'As of a checkout: SHA-256 of the token in the link.';
comment on column payment_links.active is 'Switched off, it makes no more checkouts. Those that it has made go on.';
comment on column payment_links.amount is 'In minor units. Null: the buyer says how much, between least and most.';
comment on column payment_links.once is 'It is paid once: there is one open checkout at a time, and none after one was paid.';
comment on column payment_links.life_s is 'For how many seconds each checkout can be paid.';

create table checkouts (
  account_id        uuid not null references accounts,
  id                uuid not null,
  token_hash        bytea not null unique check (length(token_hash) = 32),
  status            text not null default 'OPEN' check (status in ('OPEN', 'COMPLETE', 'EXPIRED', 'CANCELLED')),
  amount            bigint not null check (amount between 1 and 99999999999999),
  currency          text not null,
  external_order_id text not null default '' check (char_length(external_order_id) <= 128),
  description       text not null default '' check (char_length(description) <= 500),
  items             json not null default '[]',
  wallets           uuid[] not null default '{}' check (cardinality(wallets) <= 50),
  return_url        text not null default '' check (char_length(return_url) <= 2000),
  cancel_url        text not null default '' check (char_length(cancel_url) <= 2000),
  metadata          json not null default '{}',
  customer_name     text not null default '' check (char_length(customer_name) <= 100),
  customer_phone    text not null default '' check (char_length(customer_phone) <= 32),
  locale            text not null default '' check (locale in ('', 'ar', 'en')),
  allow_remaining   boolean not null default false,
  references_tried  int not null default 0 check (references_tried between 0 and 20),
  created_by        text not null,
  created_at        timestamptz(3) not null,
  expires_at        timestamptz(3) not null,
  ended_at          timestamptz(3),
  search            text not null,
  link_id           uuid,
  primary key (account_id, id),
  foreign key (account_id, link_id) references payment_links,
  check ((status = 'OPEN') = (ended_at is null)));
comment on table checkouts is
  'A page on which a buyer pays one order. Its intents are ordinary intents; whether it is paid is computed from them when it is '
  'read, and stored a little later together with its event.';
comment on column checkouts.token_hash is
  'SHA-256 of the token in the link. The token itself is derived from the id with a key and stored nowhere.';
comment on column checkouts.status is
  'As stored. OPEN may already be over: readers compare the time and the intents themselves. The others are final.';
comment on column checkouts.amount is 'What is to be paid in all, in minor units.';
comment on column checkouts.items is 'The order lines, as answers show them.';
comment on column checkouts.wallets is 'The wallets that the buyer may choose from. Empty: all that are offered at that moment.';
comment on column checkouts.metadata is 'Texts of the merchant by their names; echoed in answers and events.';
comment on column checkouts.locale is 'The language of the page. Empty: the browser''s.';
comment on column checkouts.allow_remaining is 'After too small a payment the buyer may pay the rest.';
comment on column checkouts.references_tried is
  'How many references were sent on the page, over all intents: nobody finds a stranger''s payment by trying.';
comment on column checkouts.created_by is '"key" and the client id.';
comment on column checkouts.expires_at is
  'From then on the page makes no new intent. An intent that is open may still be paid until its own window ends.';
comment on column checkouts.ended_at is 'When it was paid, cancelled, or could no longer be paid.';
comment on column checkouts.search is 'Order number, description and customer in lower case, divided by U+001F.';

comment on column checkouts.link_id is 'The payment link that made it. Null: the merchant''s server did.';

create index checkouts_link on checkouts (account_id, link_id, id) where link_id is not null;
create index checkouts_due on checkouts (expires_at) where status = 'OPEN';
create index checkouts_order on checkouts (account_id, external_order_id, id) where external_order_id <> '';
create index checkouts_status on checkouts (account_id, status, id);

create table checkout_intents (
  account_id  uuid not null,
  checkout_id uuid not null,
  position    int not null check (position between 1 and 40),
  intent_id   uuid not null,
  open        boolean not null,
  primary key (account_id, checkout_id, position),
  unique (account_id, intent_id),
  foreign key (account_id, checkout_id) references checkouts,
  foreign key (account_id, intent_id) references intents);
comment on table checkout_intents is 'The intents that a checkout has made, in their order.';
comment on column checkout_intents.open is
  'It may still be paid, as far as the checkout knows. Cleared in the transaction that has seen the end of the intent.';
create unique index checkout_intents_one_open on checkout_intents (account_id, checkout_id) where open;
comment on index checkout_intents_one_open is 'A checkout has one open intent at a time: its buyer cannot pay twice.';

create table checkout_keys (
  account_id  uuid not null,
  key         text not null check (char_length(key) <= 128),
  fingerprint bytea not null,
  checkout_id uuid not null,
  created_at  timestamptz(3) not null,
  primary key (account_id, key));
comment on table checkout_keys is
  'The idempotency keys of checkouts, each written with its checkout in one statement. The answer is not stored, because it '
  'contains the link: it is built again from the checkout. Deleted when old.';
comment on column checkout_keys.fingerprint is 'Hash of the request: the same key with another request is refused.';
create index checkout_keys_old on checkout_keys (created_at);

create table checkout_pages (
  account_id uuid primary key references accounts,
  shop_name  text not null default '' check (char_length(shop_name) <= 100),
  color      text not null default '' check (color ~ '^(#[0-9A-F]{6})?$'),
  whatsapp   text not null default '' check (whatsapp ~ '^([0-9]{8,15})?$'),
  phone      text not null default '' check (phone ~ '^([+]?[0-9]{3,19})?$'));
comment on table checkout_pages is 'What buyers see of an account on its checkout pages. No row: nothing was set.';
comment on column checkout_pages.shop_name is 'Empty: the name of the account.';

-- An event can be about a checkout now: it has no alert, and one that nobody paid has no wallet.
alter table events
  alter column alert_id drop not null,
  alter column wallet_id drop not null,
  drop constraint events_kind_check,
  add constraint events_kind_check check (kind in (
    'payment.verified', 'payment.unmatched', 'payment.received', 'checkout.completed', 'checkout.expired')),
  add constraint events_alert_check check (alert_id is not null or kind like 'checkout.%');
comment on column events.kind is
  'payment.verified: an intent is paid. payment.unmatched: money came that no intent asked for. payment.received: money came to '
  'the test wallet. checkout.completed, checkout.expired: a checkout ended.';
alter table webhook_endpoints
  drop constraint webhook_endpoints_kinds_check,
  add constraint webhook_endpoints_kinds_check check (kinds <@ array[
    'payment.verified', 'payment.unmatched', 'payment.received', 'checkout.completed', 'checkout.expired']);
