-- Intents: what a merchant expects to be paid, the timeline of each, how they are searched, and how many there are.

create function search_window(account uuid, characters text) returns int4
  language sql immutable strict parallel safe as $$
  select (hashtextextended(characters, uuid_hash_extended(account, 0)) & 262143)::int4 $$;
comment on function search_window is
  'For search_windows: one window of an account as one of 262,144 numbers. It may never return another number, because intents '
  'hold what it returned.';

-- Eight at a time: a step of the loop costs more than what is done in it. The schema is named because pg_restore and psql run
-- with an empty search_path; a SET search_path on the function would do as well, but costs time for every intent.
create function search_windows(account uuid, searched text) returns int4[]
  language plpgsql immutable strict parallel safe as $$
declare
  windows int4[] := '{}';
  field   text;
  last    int4;
begin
  foreach field in array string_to_array(searched, U&'\001F') loop
    last := length(field) - 3;
    for n in 1 .. last by 8 loop
      windows := windows || (array[
        public.search_window(account, substr(field, n, 4)),
        public.search_window(account, substr(field, n + 1, 4)),
        public.search_window(account, substr(field, n + 2, 4)),
        public.search_window(account, substr(field, n + 3, 4)),
        public.search_window(account, substr(field, n + 4, 4)),
        public.search_window(account, substr(field, n + 5, 4)),
        public.search_window(account, substr(field, n + 6, 4)),
        public.search_window(account, substr(field, n + 7, 4))])[:last - n + 1];
    end loop;
    continue when field !~ '[0-9]{8}';
    last := length(field) - 7;
    for n in 1 .. last by 8 loop
      windows := windows || (array[
        public.search_window(account, substr(field, n, 8)),
        public.search_window(account, substr(field, n + 1, 8)),
        public.search_window(account, substr(field, n + 2, 8)),
        public.search_window(account, substr(field, n + 3, 8)),
        public.search_window(account, substr(field, n + 4, 8)),
        public.search_window(account, substr(field, n + 5, 8)),
        public.search_window(account, substr(field, n + 6, 8)),
        public.search_window(account, substr(field, n + 7, 8))])[:last - n + 1];
    end loop;
  end loop;
  return windows;
end $$;
comment on function search_windows is
  'What a text can be found by (docs/decisions/0013): every four characters in a row are a window, hashed together with the '
  'account. A few windows of a term name hardly more rows than the term is in; the text itself is compared at the end. There are '
  'only ten thousand windows of four digits, so in runs of digits eight characters are a window too. U+001F divides fields: '
  'no window lies across two.';

create table intents (
  account_id        uuid not null,
  id                uuid not null,
  wallet_id         uuid not null,
  identity          uuid not null,
  code              text not null unique check (code ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  status            text not null default 'PENDING'
                    check (status in ('PENDING', 'VERIFIED', 'WRONG_AMOUNT', 'EXPIRED', 'CANCELLED')),
  base              bigint not null check (base between 1 and 99999999999999),
  payable           bigint not null check (payable between 1 and 99999999999999),
  paid              bigint,
  currency          text not null,
  external_order_id text not null default '' check (char_length(external_order_id) <= 128),
  notes             text not null default '' check (char_length(notes) <= 500),
  items             json not null default '[]',
  reference         text not null default '' check (char_length(reference) <= 128),
  reference_key     text,
  reference_keys    text[] not null default '{}' check (cardinality(reference_keys) <= 20),
  reference_at      timestamptz(3),
  alert_id          uuid,
  manual            boolean not null default false,
  created_by        text not null,
  created_at        timestamptz(3) not null,
  expires_at        timestamptz(3) not null,
  verified_at       timestamptz(3),
  search_order      text not null,
  search_reference  text not null default '',
  search_windows    int4[] generated always as (
                      search_windows(account_id, search_order || U&'\001F' || search_reference)) stored,
  primary key (account_id, id),
  constraint intents_wallet_identity_fkey foreign key (account_id, wallet_id, identity)
    references wallets (account_id, id, identity) on update cascade,
  check ((status = 'VERIFIED') = (verified_at is not null)),
  check ((status = 'WRONG_AMOUNT') = (paid is not null)),
  check ((reference = '') = (reference_key is null)));

-- The planner has to know the windows that occur everywhere, and no more: knowing a thousand made planning the slowest part of
-- a search.
alter table intents alter column search_windows set statistics 10;

create unique index intents_reference_held on intents (identity, reference_key) where status = 'PENDING';
create index intents_open        on intents (wallet_id, id) where status = 'PENDING';
create index intents_due         on intents (expires_at) where status = 'PENDING';
create index intents_status      on intents (account_id, status, id);
create index intents_wallet      on intents (account_id, wallet_id, id);
create index intents_payable     on intents (account_id, payable, id);
create index intents_verified    on intents (account_id, verified_at, id) where verified_at is not null;
create index intents_order       on intents (account_id, external_order_id, id) where external_order_id <> '';
create index intents_ref         on intents (account_id, reference, id) where reference <> '';
-- The list of entries that are not yet in the index is kept short: every search reads it whole.
create index intents_search      on intents using gin (search_windows) with (fastupdate = on, gin_pending_list_limit = 512);

create trigger intents_identity before insert on intents
  for each row when (new.identity is null) execute function identity_of_wallet();

comment on table intents is
  'A payment intent: a wallet and an exact amount that a merchant expects. The primary key serves retrieval, the list and its '
  'date filters, because ids are times.';
comment on column intents.identity is 'The real wallet (wallets.identity). Follows when entries of one wallet are merged.';
comment on column intents.code is 'Ten characters that people can read to each other.';
comment on column intents.status is
  'PENDING until it is resolved once. VERIFIED: paid. WRONG_AMOUNT: money with its reference came, but another amount. '
  'EXPIRED is written a little after expires_at; readers compare the time themselves.';
comment on column intents.currency is 'ISO 4217; the wallet''s when the intent was created.';
comment on column intents.base is 'What the merchant asked for, in minor units.';
comment on column intents.payable is 'What must arrive, to the unit.';
comment on column intents.paid is 'WRONG_AMOUNT: what arrived instead. Null otherwise.';
comment on column intents.external_order_id is 'The merchant''s own order number. Need not be unique.';
comment on column intents.items is 'The order lines, as answers show them.';
comment on column intents.reference is 'The wallet''s reference as it was attached last. Empty: none yet.';
comment on column intents.reference_key is 'The reference as it is compared: upper case, western digits, no spaces. Null: none.';
comment on column intents.reference_keys is
  'Keys of all references ever attached, 20 at most: nobody finds a stranger''s payment by counting up.';
comment on column intents.reference_at is 'When the reference was attached last.';
comment on column intents.alert_id is 'The alert that made it VERIFIED or WRONG_AMOUNT. Null: none did.';
comment on column intents.manual is 'A user booked the money to it.';
comment on column intents.created_by is '"key" and the client id, or the member as in audit_log.actor.';
comment on column intents.expires_at is 'The end of its window: nothing verifies it afterwards.';
comment on column intents.search_order is
  'Code and order number in lower case, divided by U+001F. Folded by Sanad: the same on every PostgreSQL and locale.';
comment on column intents.search_reference is 'The reference in lower case.';
comment on column intents.search_windows is 'What a search finds it by; see the function of the same name.';
comment on index intents_reference_held is 'One PENDING intent at most holds a reference of a real wallet.';

create table intent_moves (
  account_id uuid not null,
  intent_id  uuid not null,
  id         uuid not null,
  at         timestamptz(3) not null,
  kind       text not null check (kind in ('reference', 'expired', 'cancelled', 'verified', 'wrong_amount', 'booked')),
  by         text not null,
  alert_id   uuid,
  facts      json not null default '{}',
  primary key (account_id, intent_id, id),
  foreign key (account_id, intent_id) references intents (account_id, id));

comment on table intent_moves is
  'The timeline of an intent after its creation, which the intent itself tells. Only ever added to.';
comment on column intent_moves.kind is
  'reference: one was attached. booked: a user gave it money. The others: what its status became.';
comment on column intent_moves.by is
  'As intents.created_by; or "alert" or "reference", whichever came second and matched; or "clock": its window closed.';
comment on column intent_moves.alert_id is 'The alert that resolved it. Null for other entries.';
comment on column intent_moves.facts is 'What the entry says besides: the reference, doubts about the alert.';

create table idempotency_keys (
  account_id  uuid not null,
  key         text not null check (char_length(key) <= 128),
  fingerprint bytea not null,
  intent_id   uuid not null,
  answer      text not null,
  created_at  timestamptz(3) not null,
  primary key (account_id, key));
create index idempotency_keys_old on idempotency_keys (created_at);

comment on table idempotency_keys is
  'A create request with an idempotency key, written with its intent in one statement: the same key gets the same answer. '
  'Deleted when old.';
comment on column idempotency_keys.key is 'Chosen by the merchant.';
comment on column idempotency_keys.fingerprint is 'Hash of the request: the same key with another request is refused.';
comment on column idempotency_keys.answer is 'The answer, byte for byte.';

-- Counts. An intent whose window has closed never changes again. So an hour (of creation, UTC) is counted once and for all when
-- the last window in it has closed; lists and charts count only the intents since (docs/decisions/0002).

create table intent_tallies (
  account_id uuid not null references accounts,
  wallet_id  uuid not null references wallets,
  status     text not null,
  until      timestamptz(3) not null,
  total      bigint not null,
  primary key (account_id, wallet_id, status, until));

comment on table intent_tallies is
  'How many intents of a wallet and final status were created before an hour: running totals, for counts of lists.';
comment on column intent_tallies.until is 'A full hour; intents created before it are in the total.';
comment on column intent_tallies.total is 'From the beginning of the account until then.';

create table intent_hours (
  account_id uuid not null references accounts,
  hour       timestamptz(3) not null,
  wallet_id  uuid not null references wallets,
  status     text not null,
  count      integer not null,
  sum        bigint not null,
  primary key (account_id, hour, wallet_id, status));

comment on table intent_hours is
  'Intents created in an hour, by wallet and final status: a chart of three months reads hours and not intents.';
comment on column intent_hours.hour is 'The beginning of the hour.';
comment on column intent_hours.sum is 'Of their payable amounts, in minor units.';

create table intent_waits (
  account_id uuid not null references accounts,
  hour       timestamptz(3) not null,
  waits      json not null,
  primary key (account_id, hour));

comment on table intent_waits is 'How long it took from creation to VERIFIED, for the intents of an hour; test wallets left out.';
comment on column intent_waits.waits is 'Counts by bucket: bucket n is 1.1^n seconds and a tenth more.';

create table tally_progress (
  one          boolean primary key default true check (one),
  sealed_until timestamptz(3) not null);

comment on table tally_progress is 'How far counting has come. One row; whoever counts locks it.';
comment on column tally_progress.one is 'Always true: there cannot be a second row.';
comment on column tally_progress.sealed_until is 'Hours before this one are counted.';

insert into tally_progress (sealed_until) values ('1970-01-01T00:00:00Z');
