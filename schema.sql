-- What the migrations add up to. Written by `npm run dumps`; a test fails when it is stale.
--
-- Money is bigint, in minor units. Time is Sanad's own clock. A row of a merchant carries its account_id, and foreign keys
-- carry the account too. Ids of intents, alerts, events, timeline entries, notices, replays and audit entries are UUIDs of
-- version 7: their order is the order of creation. What ends in _hash is a hash; what ends in _sealed is encrypted with a
-- key derived from the master key. An empty text or array: nothing was given. Null: not known yet, or does not apply.

create extension pg_trgm;

-- True, or error SN001: an amount of a real wallet that a new intent should ask for is held by another intent.
CREATE OR REPLACE FUNCTION public.all_amounts_given(given bigint, asked bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  if given <> asked then
    raise exception 'another intent holds a unique amount: % of % were given', given, asked using errcode = 'SN001';
  end if;
  return true;
end $function$;

-- What arrived, for a booking by a node that does not know these columns yet. Such a node runs for minutes during an
-- upgrade.
CREATE OR REPLACE FUNCTION public.arrival_of_booking()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  amount bigint := (select a.amount from public.alerts a where a.account_id = new.account_id and a.id = new.alert_id);
begin
  if amount <> new.payable then
    new.arrived := amount;
    new.forgiven := greatest(least(new.base, new.payable) - amount, 0);
    new.excess := greatest(amount - greatest(new.base, new.payable), 0);
  end if;
  return new;
end $function$;

-- Refuses every change of the audit log, except that the job of retention deletes what is older than a year, the
-- erasure of an account what is of that account, and that what names a buyer is masked.
CREATE OR REPLACE FUNCTION public.audit_log_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  allowed text := coalesce(current_setting('sanad.forgets', true), '');
  forgets boolean := tg_op = 'DELETE' and allowed = 'audit';
  masks   boolean := tg_op = 'UPDATE' and allowed = 'payers';
  erases  text := case tg_op when 'DELETE' then coalesce(current_setting('sanad.erases', true), '') else '' end;
begin
  if tg_level = 'STATEMENT' then
    if forgets or masks or erases <> '' then
      return null;
    end if;
    raise exception 'the audit log is append-only';
  end if;
  if masks
     and (to_jsonb(old) - 'before' - 'after') = (to_jsonb(new) - 'before' - 'after')
     and public.only_masked(old.before::text, new.before::text)
     and public.only_masked(old.after::text, new.after::text) then
    return new;
  end if;
  if tg_op = 'UPDATE' then
    raise exception 'the audit log is append-only';
  end if;
  if old.account_id::text = erases
     and exists (select from public.account_erasures e where e.id = old.account_id and e.state in ('erasing', 'checking')) then
    return old;
  end if;
  if forgets and old.at < public.database_time() - interval '365 days' then
    return old;
  end if;
  raise exception 'the audit log is append-only';
end $function$;

-- Counts an intent whose status or wallet has changed (intent_counts).
CREATE OR REPLACE FUNCTION public.count_changed_intent()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into public.intent_counts as c (account_id, hour, wallet_id, status, writer, n)
  values (old.account_id, date_trunc('hour', old.created_at, 'UTC'), old.wallet_id, old.status, pg_backend_pid(), -1),
         (new.account_id, date_trunc('hour', new.created_at, 'UTC'), new.wallet_id, new.status, pg_backend_pid(), 1)
  on conflict (account_id, hour, wallet_id, status, writer) do update set n = c.n + excluded.n;
  return null;
end $function$;

-- Counts the intents of one statement (intent_counts).
CREATE OR REPLACE FUNCTION public.count_new_intents()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into public.intent_counts as c (account_id, hour, wallet_id, status, writer, n)
  select m.account_id, date_trunc('hour', m.created_at, 'UTC'), m.wallet_id, m.status, pg_backend_pid(), count(*)
    from made as m
   group by 1, 2, 3, 4
  on conflict (account_id, hour, wallet_id, status, writer) do update set n = c.n + excluded.n;
  return null;
end $function$;

-- The time of the statement by the database's clock. Tests that move the clock of a node set sanad.test_clock = moved:
-- then only the time that the node passes counts.
CREATE OR REPLACE FUNCTION public.database_time()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select case when current_setting('sanad.test_clock', true) = 'moved' then 'infinity'::timestamptz
              else statement_timestamp() end $function$;

-- Leaves the row as it is: by the database's clock its window has not closed.
CREATE OR REPLACE FUNCTION public.end_is_not_due()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  return null;
end $function$;

-- An intent or alert that is written without an identity gets that of its wallet.
CREATE OR REPLACE FUNCTION public.identity_of_wallet()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select w.identity into new.identity from public.wallets w where w.account_id = new.account_id and w.id = new.wallet_id;
  return new;
end $function$;

-- Whether a text differs from an earlier one by stars and quotation marks alone.
CREATE OR REPLACE FUNCTION public.only_masked(old text, new text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when old is null or new is null then old is null and new is null
    else char_length(old) = char_length(new) and not exists (
      select from unnest(string_to_array(old, null), string_to_array(new, null)) as c (o, n)
       where c.o <> c.n and c.n not in ('*', '"')) end
$function$;

-- A wallet that is written without an identity is a real wallet of its own: its identity is its id.
CREATE OR REPLACE FUNCTION public.own_identity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.identity := new.id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_frozen()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed record;
  account uuid;
begin
  if tg_op = 'DELETE' then
    changed := old;
  else
    changed := new;
  end if;
  case tg_argv[0]
    when 'account_id' then account := changed.account_id;
    when 'id' then account := changed.id;
    when 'device_id' then select d.account_id into account from public.devices d where d.id = changed.device_id;
    when 'wallet_id' then select w.account_id into account from public.wallets w where w.id = changed.wallet_id;
    when 'user_id' then
      select f.account_id into account
        from public.account_freezes f join public.members m on m.account_id = f.account_id and m.user_id = changed.user_id
       where f.state = 'frozen'
         and not exists (select from public.account_moves v where v.account_id = f.account_id and v.state <> 'copying') limit 1;
    else
      select f.account_id into account
        from public.account_freezes f join public.members m on m.account_id = f.account_id and m.user_id = changed.id
       where f.state = 'frozen'
         and not exists (select from public.account_moves v where v.account_id = f.account_id and v.state <> 'copying') limit 1;
  end case;
  if exists (select from public.account_freezes f where f.account_id = account and f.state = 'frozen') then
    if tg_op <> 'DELETE' or not exists (
         select from public.account_moves v where v.account_id = account and v.state = 'switched') then
      raise exception 'account % is frozen', account using errcode = 'SN002';
    end if;
  end if;
  return changed;
end $function$;

-- For search_windows: one window of an account as one of 262,144 numbers. It may never return another number, because
-- intents hold what it returned.
CREATE OR REPLACE FUNCTION public.search_window(account uuid, characters text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select (hashtextextended(characters, uuid_hash_extended(account, 0)) & 262143)::int4 $function$;

-- What a text can be found by (docs/decisions/0013): every four characters in a row are a window, hashed together with
-- the account. A few windows of a term name hardly more rows than the term is in; the text itself is compared at the
-- end. There are only ten thousand windows of four digits, so in runs of digits eight characters are a window too.
-- U+001F divides fields: no window lies across two.
CREATE OR REPLACE FUNCTION public.search_windows(account uuid, searched text)
 RETURNS integer[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
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
end $function$;

-- Accounts that are to be erased, and that were. Holds no name and nothing else of the account.
create table account_erasures (
  -- The id that the account has, or had.
  id uuid not null,
  -- asked: once; nothing happens. waiting: asked twice; it can be cancelled until due_at. erasing: it cannot. checking:
  -- nothing is left, but a node may still write what it had begun. done: the rest of the row stays for ever.
  state text not null,
  -- When it was first asked for. The second time must follow within an hour.
  asked_at timestamp(3) with time zone not null,
  -- When it was asked for the second time. Null: not yet.
  confirmed_at timestamp(3) with time zone,
  -- When there is something to do.
  due_at timestamp(3) with time zone not null,
  -- When the row of the account itself was deleted. Null: not yet.
  erased_at timestamp(3) with time zone,
  -- Which table is next, of the order in which they are emptied.
  position integer not null default 0,
  -- How far alerts were parted from their intents, which refer to each other.
  last_id uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  -- How many rows of each table were deleted.
  row_counts json not null default '{}'::json,
  constraint account_erasures_position_check CHECK (("position" >= 0)),
  constraint account_erasures_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'waiting'::text, 'erasing'::text, 'checking'::text, 'done'::text]))),
  constraint account_erasures_pkey PRIMARY KEY (id));
CREATE INDEX account_erasures_due ON public.account_erasures USING btree (due_at) WHERE (state <> ALL (ARRAY['asked'::text, 'done'::text]));

-- Accounts of which nothing is written now, because an operator froze them.
create table account_freezes (
  account_id uuid not null,
  -- stopping: no call is answered and no webhook is begun; those under way end. frozen: the triggers refuse to write.
  state text not null,
  began_at timestamp(3) with time zone not null,
  -- Since when the triggers refuse. Null: not yet.
  frozen_at timestamp(3) with time zone,
  constraint account_freezes_state_check CHECK ((state = ANY (ARRAY['stopping'::text, 'frozen'::text]))),
  constraint account_freezes_pkey PRIMARY KEY (account_id));

-- Accounts that are moved to another cell, or have come from one and are not in use yet.
create table account_moves (
  account_id uuid not null,
  -- The same in both cells: a copy that was made by another move is none of this one.
  move_id uuid not null,
  -- The name of the cell to which the account is moved, as in SANAD_CELLS.
  cell text not null,
  -- The https origin of that cell, to which calls are forwarded; http of a loopback address only.
  origin text not null,
  -- copying: it can be turned back. switched: the account is used in the other cell, its rows here stay frozen, and
  -- calls are forwarded. ending: nothing is forwarded any more, and the rows are erased. arriving: this is the other
  -- cell, and the account is not used yet.
  state text not null,
  began_at timestamp(3) with time zone not null,
  -- Since when the account is used in the other cell. Null: it is not.
  switched_at timestamp(3) with time zone,
  constraint account_moves_cell_check CHECK (((cell <> ''::text) AND (char_length(cell) <= 63))),
  constraint account_moves_check CHECK (((state = ANY (ARRAY['switched'::text, 'ending'::text])) = (switched_at IS NOT NULL))),
  constraint account_moves_origin_check CHECK (((origin ~ '^https?://[^/]+$'::text) AND (char_length(origin) <= 300))),
  constraint account_moves_state_check CHECK ((state = ANY (ARRAY['copying'::text, 'switched'::text, 'ending'::text, 'arriving'::text]))),
  constraint account_moves_pkey PRIMARY KEY (account_id));

-- A merchant. Almost every other row belongs to one account.
create table accounts (
  id uuid not null,
  name text not null,
  -- SUSPENDED: its API is refused, what its phones report is stored as held, its webhooks wait.
  status text not null default 'ACTIVE'::text,
  -- IANA name, for days on screens. Empty: the zone of the service.
  time_zone text not null default ''::text,
  -- Intents it may create in a calendar month, test wallet left out. Null: no limit.
  monthly_intent_quota integer,
  -- Since when it is suspended. Null while it is active.
  suspended_at timestamp(3) with time zone,
  -- Set when a suspension ends: alerts that were held since then are still to be matched. Null once that is done.
  release_since timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  -- ISO 3166-1, two letters. Its wallet companies are listed first.
  country text not null default 'YE'::text,
  -- Since when members need a second factor. Null: they need none.
  factor_rule_since timestamp(3) with time zone,
  -- How many days a member has to set up a second factor, from the beginning of the rule or from joining, whichever is
  -- later.
  factor_grace_days integer not null default 7,
  constraint accounts_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint accounts_factor_grace_days_check CHECK (((factor_grace_days >= 1) AND (factor_grace_days <= 30))),
  constraint accounts_monthly_intent_quota_check CHECK ((monthly_intent_quota >= 0)),
  constraint accounts_name_check CHECK (((name <> ''::text) AND (char_length(name) <= 200))),
  constraint accounts_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'SUSPENDED'::text]))),
  constraint accounts_time_zone_check CHECK ((char_length(time_zone) <= 64)),
  constraint accounts_pkey PRIMARY KEY (id));
CREATE INDEX accounts_name ON public.accounts USING gin (name gin_trgm_ops);
CREATE INDEX accounts_newest ON public.accounts USING btree (created_at, id);
CREATE INDEX accounts_to_release ON public.accounts USING btree (id) WHERE (release_since IS NOT NULL);

-- How a provider words its messages: reads amount, reference and so on from a text. A version never changes; a new one
-- replaces it.
create table alert_templates (
  id uuid not null,
  provider_id uuid not null,
  -- The account that wrote it for itself. Null: shared by all, comes with Sanad or from the operator.
  account_id uuid,
  -- The same in all versions of a template.
  lineage uuid not null,
  version integer not null default 1,
  name text not null default ''::text,
  -- Only active ones read alerts.
  status text not null,
  -- Senders whose messages it reads.
  sender_names text[] not null default '{}'::text[],
  -- Whether its messages say that money came (credit) or left (debit).
  direction text not null default 'credit'::text,
  currency text not null default 'YER'::text,
  -- The wording with its places, such as {amount:money} (alerts/templates/template-sentence.ts).
  sentence text not null,
  -- Messages that it must read, with what it must read in them: checked before it is published.
  samples json not null default '[]'::json,
  -- Messages that it must not read, each with the reason.
  counter_samples json not null default '[]'::json,
  -- Unread alerts from before it was published were read again with it.
  reread boolean not null default false,
  -- When that was done the first time; once more later, for alerts that a node stored which did not know it yet.
  reread_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint alert_templates_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint alert_templates_direction_check CHECK ((direction = ANY (ARRAY['credit'::text, 'debit'::text]))),
  constraint alert_templates_name_check CHECK ((char_length(name) <= 100)),
  constraint alert_templates_sentence_check CHECK (((sentence <> ''::text) AND (char_length(sentence) <= 2000))),
  constraint alert_templates_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'retired'::text]))),
  constraint alert_templates_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint alert_templates_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint alert_templates_pkey PRIMARY KEY (id));
CREATE INDEX alert_templates_active ON public.alert_templates USING btree (provider_id) WHERE (status = 'active'::text);
CREATE INDEX alert_templates_of_provider ON public.alert_templates USING btree (provider_id, account_id, status);
CREATE INDEX alert_templates_unread ON public.alert_templates USING btree (created_at) WHERE ((status = 'active'::text) AND (NOT reread));
-- One version of a template is active at a time.
CREATE UNIQUE INDEX alert_templates_one_active ON public.alert_templates USING btree (lineage) WHERE (status = 'active'::text);
-- A version number is used once in a template.
CREATE UNIQUE INDEX alert_templates_version ON public.alert_templates USING btree (lineage, version);

-- Every message that an authenticated phone reported, understood or not. The account is held by the foreign key of the
-- phone: a second one on accounts alone would make all alerts of an account share a lock on its row.
create table alerts (
  account_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  -- The phone's own name for the message, the same when it is sent again. A keyed hash if hidden.
  client_id text not null,
  -- How it came: native for Sanad's agent, else the name of the forwarding app.
  adapter text not null,
  -- It was signed by the phone. An unsigned credit above the wallet's low_trust_limit waits for a user.
  trusted boolean not null,
  -- The phone had been paired less than a day before. Shown as a doubt.
  phone_new boolean not null default false,
  -- An SMS, or a notification that an app showed.
  kind text not null,
  -- As the phone shows it. A keyed hash for a stranger.
  sender text not null,
  -- Android package of the app that showed a notification. Empty for SMS.
  package text not null default ''::text,
  -- Of a notification.
  title text not null default ''::text,
  -- The message as it came. With its numbers masked if it is a hidden code, empty for a stranger.
  raw_text text not null,
  -- The slot of the SIM it came to. Empty: not known.
  sim_slot text not null default ''::text,
  -- When it was sent, as the phone says. Null: it does not say.
  sent_at timestamp(3) with time zone,
  -- When the phone got it, as the phone says. Null: it does not say.
  phone_received_at timestamp(3) with time zone,
  -- When Sanad got it, by its own clock.
  received_at timestamp(3) with time zone not null,
  -- Hash of account, sender and text with its white space folded: finds repetitions. A keyed hash if hidden.
  fingerprint bytea not null,
  -- Empty: an ordinary alert. code: a one-time code. stranger: from a sender that no wallet and no provider names.
  -- Hidden rows hold no readable content.
  hidden text not null default ''::text,
  -- The message of a hidden alert, encrypted. Null: not hidden, or deleted.
  sealed_text bytea,
  -- When the content of a code, or the whole row of a stranger, is deleted. Null: never, or done.
  forget_at timestamp(3) with time zone,
  -- Stored by a version that did not hide messages, and not looked at since. Always false for new rows.
  check_hidden boolean not null default false,
  -- The wallet that it is about. Null: none was found.
  wallet_id uuid,
  -- The real wallet (wallets.identity). Follows when entries of one wallet are merged.
  identity uuid,
  -- The template that read it. Null: none could.
  template_id uuid,
  -- Version of the code that prepared the text for templates.
  normaliser_version smallint not null,
  -- credit: money came. debit: money left; that never verifies.
  direction text,
  -- In minor units. Null: not read.
  amount bigint,
  currency text,
  -- The wallet's own number of the payment. Null: the message has none.
  reference text,
  -- The reference as it is compared: upper case, western digits, no spaces.
  reference_key text,
  -- Name or number of the payer, as the message has it.
  payer text,
  -- The wallet's balance that the message shows, in minor units. Null: it shows none.
  balance bigint,
  -- Whether its balance follows from the one before: fits, break, or unknown (nothing to compare with). Null: it shows
  -- no balance.
  chain text,
  -- The amount that no message explains, in minor units.
  chain_missing bigint,
  -- Since when that is missing.
  chain_since timestamp(3) with time zone,
  -- held: its phone is off or its account suspended. unread: not understood. hidden: see hidden. debit: money that
  -- left. duplicate: the same payment as another. waiting: a credit that no intent asked for yet. review: a credit that
  -- a user must decide. matched: verified an intent. wrong_amount: ended one that asked for another amount, and may
  -- still verify one other. booked: a user gave it to an intent. dismissed: a user set it aside.
  state text not null,
  -- Why it is in this state, as a code (alerts/alert.ts).
  reason text not null default ''::text,
  -- The intent that it resolved.
  intent_id uuid,
  -- The alert that it repeats.
  duplicate_of uuid,
  -- Another alert that may or may not be the same payment: an earlier one with the same text; for an alert with a
  -- reference, one without that is spent. Shown as a doubt.
  similar_to uuid,
  -- Two entries of one wallet were merged, and this payment had verified an intent in each: this is the later one. Kept
  -- out of alerts_reference.
  spent_twice boolean not null default false,
  -- payment.unmatched is still to be sent, unless an intent takes the money before.
  unmatched_owed boolean not null default false,
  -- The state it goes back to when it is taken back. Null unless dismissed.
  dismissed_from text,
  dismissed_at timestamp(3) with time zone,
  -- Who set it aside, as in audit_log.actor.
  dismissed_by text not null default ''::text,
  -- The reason that user gave.
  dismissed_why text not null default ''::text,
  -- Its sender had counted for the wallet for less than a day, or not yet. Shown as a doubt.
  sender_new boolean not null default false,
  -- An unsigned alert with the same reference that says that the payment was reversed, failed or is pending. It does
  -- not stop this signed one. Shown as a doubt.
  denied_by uuid,
  -- The state before a user took it as a sale (counter_sales). While intent_id is null it goes back to this state when
  -- the sale is undone. Null: it was not taken as a sale.
  taken_from text,
  -- When its text, title and payer were erased; since then client_id and fingerprint are keyed hashes. Null: they were
  -- not.
  erased_at timestamp(3) with time zone,
  constraint alerts_amount_check CHECK ((amount >= 0)),
  constraint alerts_chain_check CHECK ((chain = ANY (ARRAY['fits'::text, 'break'::text, 'unknown'::text]))),
  constraint alerts_check CHECK (
CASE state
    WHEN 'matched'::text THEN (intent_id IS NOT NULL)
    WHEN 'booked'::text THEN ((intent_id IS NOT NULL) OR (taken_from IS NOT NULL))
    WHEN 'wrong_amount'::text THEN (intent_id IS NOT NULL)
    WHEN 'dismissed'::text THEN true
    ELSE (intent_id IS NULL)
END),
  constraint alerts_check1 CHECK (((reference IS NULL) = (reference_key IS NULL))),
  constraint alerts_client_id_check CHECK ((char_length(client_id) <= 128)),
  constraint alerts_direction_check CHECK ((direction = ANY (ARRAY['credit'::text, 'debit'::text]))),
  constraint alerts_dismissed_by_check CHECK ((char_length(dismissed_by) <= 300)),
  constraint alerts_dismissed_check CHECK (((state = 'dismissed'::text) = (dismissed_from IS NOT NULL))),
  constraint alerts_dismissed_why_check CHECK ((char_length(dismissed_why) <= 300)),
  constraint alerts_hidden_check CHECK ((hidden = ANY (ARRAY[''::text, 'code'::text, 'stranger'::text]))),
  constraint alerts_hidden_state_check CHECK (
CASE hidden
    WHEN ''::text THEN ((state <> 'hidden'::text) AND (sealed_text IS NULL) AND (forget_at IS NULL))
    ELSE ((state = ANY (ARRAY['hidden'::text, 'duplicate'::text])) AND (amount IS NULL) AND (reference IS NULL) AND (payer IS NULL))
END),
  constraint alerts_hidden_text_check CHECK (((hidden = ''::text) OR ((title = ''::text) AND (raw_text !~ '[0-9٠-٩۰-۹]'::text) AND ((hidden = 'code'::text) OR (raw_text = ''::text))))),
  constraint alerts_identity_check CHECK (((wallet_id IS NULL) = (identity IS NULL))),
  constraint alerts_kind_check CHECK ((kind = ANY (ARRAY['sms'::text, 'notification'::text]))),
  constraint alerts_package_check CHECK ((char_length(package) <= 200)),
  constraint alerts_raw_text_check CHECK ((char_length(raw_text) <= 65536)),
  constraint alerts_sender_check CHECK ((char_length(sender) <= 128)),
  constraint alerts_sim_slot_check CHECK ((sim_slot = ANY (ARRAY[''::text, 'SIM1'::text, 'SIM2'::text]))),
  constraint alerts_state_check CHECK ((state = ANY (ARRAY['held'::text, 'unread'::text, 'hidden'::text, 'debit'::text, 'duplicate'::text, 'waiting'::text, 'review'::text, 'matched'::text, 'wrong_amount'::text, 'booked'::text, 'dismissed'::text]))),
  constraint alerts_taken_check CHECK (((taken_from IS NULL) OR ((state = 'booked'::text) AND (taken_from = ANY (ARRAY['waiting'::text, 'review'::text]))))),
  constraint alerts_title_check CHECK ((char_length(title) <= 500)),
  constraint alerts_account_id_device_id_fkey FOREIGN KEY (account_id, device_id) REFERENCES devices(account_id, id),
  constraint alerts_account_id_intent_id_fkey FOREIGN KEY (account_id, intent_id) REFERENCES intents(account_id, id) DEFERRABLE,
  constraint alerts_template_id_fkey FOREIGN KEY (template_id) REFERENCES alert_templates(id),
  constraint alerts_wallet_identity_fkey FOREIGN KEY (account_id, wallet_id, identity) REFERENCES wallets(account_id, id, identity) ON UPDATE CASCADE,
  constraint alerts_pkey PRIMARY KEY (account_id, id));
CREATE INDEX alerts_breaks ON public.alerts USING btree (wallet_id, id) WHERE (chain = 'break'::text);
CREATE INDEX alerts_credits ON public.alerts USING btree (account_id, id) WHERE (((direction || ''::text) = 'credit'::text) AND (state <> 'duplicate'::text));
CREATE INDEX alerts_duplicates ON public.alerts USING btree (duplicate_of) WHERE (duplicate_of IS NOT NULL);
CREATE INDEX alerts_fingerprint ON public.alerts USING btree (fingerprint, received_at);
CREATE INDEX alerts_of_device ON public.alerts USING btree (device_id, id);
CREATE INDEX alerts_of_strangers ON public.alerts USING btree (device_id) WHERE (hidden = 'stranger'::text);
CREATE INDEX alerts_of_wallet ON public.alerts USING btree (account_id, wallet_id, id);
CREATE INDEX alerts_owed ON public.alerts USING btree (received_at) WHERE unmatched_owed;
CREATE INDEX alerts_queue ON public.alerts USING btree (account_id, id) WHERE (state = ANY (ARRAY['waiting'::text, 'review'::text, 'held'::text, 'unread'::text, 'wrong_amount'::text]));
CREATE INDEX alerts_queue_state ON public.alerts USING btree (account_id, state, id) WHERE (state = ANY (ARRAY['waiting'::text, 'review'::text, 'held'::text, 'unread'::text, 'wrong_amount'::text, 'dismissed'::text]));
CREATE INDEX alerts_queue_wallet ON public.alerts USING btree (account_id, wallet_id, id) WHERE (state = ANY (ARRAY['waiting'::text, 'review'::text, 'held'::text, 'unread'::text, 'wrong_amount'::text]));
CREATE INDEX alerts_same_reference ON public.alerts USING btree (identity, reference_key) WHERE (reference_key IS NOT NULL);
CREATE INDEX alerts_sealed ON public.alerts USING btree (account_id, sender, id) WHERE (sealed_text IS NOT NULL);
CREATE INDEX alerts_spent_amount ON public.alerts USING btree (identity, amount, id) WHERE ((state = ANY (ARRAY['matched'::text, 'booked'::text])) AND (reference_key IS NULL));
CREATE INDEX alerts_spent_reference ON public.alerts USING btree (identity, amount, id) WHERE ((state = ANY (ARRAY['matched'::text, 'booked'::text])) AND (reference_key IS NOT NULL));
CREATE INDEX alerts_to_check ON public.alerts USING btree (id) WHERE (check_hidden AND (amount IS NULL));
CREATE INDEX alerts_to_forget ON public.alerts USING btree (forget_at) WHERE (forget_at IS NOT NULL);
CREATE INDEX alerts_unclaimed ON public.alerts USING btree (identity, amount, id) WHERE (state = ANY (ARRAY['waiting'::text, 'review'::text, 'held'::text, 'wrong_amount'::text]));
CREATE INDEX alerts_unread ON public.alerts USING btree (account_id, sender, id) WHERE (state = 'unread'::text);
-- An intent is resolved by one alert at most.
CREATE UNIQUE INDEX alerts_intent ON public.alerts USING btree (intent_id) WHERE (intent_id IS NOT NULL);
-- A report that a phone sends again is not stored again.
CREATE UNIQUE INDEX alerts_once ON public.alerts USING btree (device_id, client_id);
-- One alert at most counts for a reference of a real wallet. A repetition is a duplicate; another amount goes to
-- review.
CREATE UNIQUE INDEX alerts_reference ON public.alerts USING btree (identity, reference_key) WHERE ((reference_key IS NOT NULL) AND (state = ANY (ARRAY['waiting'::text, 'matched'::text, 'wrong_amount'::text, 'booked'::text])) AND (NOT spent_twice));
CREATE TRIGGER alerts_identity BEFORE INSERT OR UPDATE OF wallet_id ON public.alerts FOR EACH ROW WHEN (((new.identity IS NULL) AND (new.wallet_id IS NOT NULL))) EXECUTE FUNCTION identity_of_wallet();

-- The calls of an account to the merchant and checkout APIs, for its developers. Written in batches after the answers,
-- so a killed node loses the last second. Contains no secret. Deleted after a week.
create table api_calls (
  account_id uuid not null,
  -- Begins with the time: the order of the log.
  id uuid not null,
  at timestamp(3) with time zone not null,
  -- The API key that made the call. With status 401: the key that the caller named without proving it.
  client_id text not null,
  method text not null,
  -- With its query, without the values of parameters that may be secret.
  path text not null,
  -- HTTP status of the answer.
  status smallint not null,
  -- The code of the first error. Empty: none.
  code text not null,
  -- Milliseconds from the request to the end of the answer.
  took_ms integer not null,
  -- The id that the answer carries, and the log of the service.
  request_id text not null,
  -- Only of a failed call, its beginning, without values that may be secret; never of a token request.
  request_body text not null,
  -- The answer to a failed call, its beginning.
  error_body text not null,
  -- Calls before this one that were left out, because the account made too many.
  skipped integer not null default 0,
  -- The X-Service-Hint of the answer. Empty: none.
  hint text not null default ''::text,
  -- The X-Service-Ignored of the answer: names of what was sent and had no effect. Empty: none.
  ignored text not null default ''::text,
  constraint api_calls_error_body_check CHECK ((char_length(error_body) <= 2000)),
  constraint api_calls_hint_check CHECK ((char_length(hint) <= 300)),
  constraint api_calls_ignored_check CHECK ((char_length(ignored) <= 640)),
  constraint api_calls_method_check CHECK ((char_length(method) <= 20)),
  constraint api_calls_path_check CHECK ((char_length(path) <= 500)),
  constraint api_calls_request_body_check CHECK ((char_length(request_body) <= 2000)),
  constraint api_calls_pkey PRIMARY KEY (account_id, id));
CREATE INDEX api_calls_failed ON public.api_calls USING btree (account_id, id) WHERE (status >= 400);

-- What a merchant's server signs in with: client id and secret.
create table api_keys (
  client_id text not null,
  account_id uuid not null,
  name text not null,
  -- SHA-256. The secret is 32 random bytes, so no slow hash is needed.
  secret_hash bytea not null,
  -- Counts rotations. A token names the generation that bought it.
  generation integer not null default 1,
  -- The secret before the last rotation, good until previous_until.
  previous_secret_hash bytea,
  -- Until when the secret before is valid too. Null: it is not.
  previous_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  -- Null: in use.
  revoked_at timestamp(3) with time zone,
  -- Written some seconds later. Null: never used.
  last_used_at timestamp(3) with time zone,
  -- A test key sees and uses the test wallet only.
  is_test boolean not null default false,
  -- Calls that change something are refused.
  read_only boolean not null default false,
  -- The wallets that it sees and uses; of a test key the test wallet; null: all of the account, also later ones.
  wallets uuid[],
  -- The ranges (CIDR) from which it may be used; null: from everywhere.
  addresses text[],
  -- The address of its last use; empty: not known.
  last_address text not null default ''::text,
  -- The day of used_count, in the time zone of the account.
  used_day date,
  -- How many calls it made on used_day, up to a minute late.
  used_count integer not null default 0,
  constraint api_keys_addresses_check CHECK (((cardinality(addresses) >= 1) AND (cardinality(addresses) <= 20))),
  constraint api_keys_client_id_check CHECK ((client_id ~ '^[0-9a-f]{32}$'::text)),
  constraint api_keys_last_address_check CHECK ((char_length(last_address) <= 64)),
  constraint api_keys_name_check CHECK (((name <> ''::text) AND (char_length(name) <= 100))),
  constraint api_keys_test_wallets CHECK (((NOT is_test) OR (wallets IS NOT NULL))),
  constraint api_keys_used_count_check CHECK ((used_count >= 0)),
  constraint api_keys_wallets_check CHECK (((cardinality(wallets) >= 1) AND (cardinality(wallets) <= 50))),
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint api_keys_pkey PRIMARY KEY (client_id));
CREATE INDEX api_keys_of_account ON public.api_keys USING btree (account_id);

-- A change of a manager that needs an owner: it is done when an owner confirms it. Kept for 90 days; the audit log
-- stays.
create table approvals (
  account_id uuid not null,
  id uuid not null,
  -- What is to be done.
  kind text not null,
  -- The wallet, provider or template. Empty: the change creates it.
  object_id text not null,
  -- Its name when the change was asked for.
  object_name text not null,
  -- What needs an owner: sender, app, low_trust_limit, review_above, review_broken_chains, review_later_messages.
  reasons text[] not null,
  -- The body of the call, as the manager sent it. It is read and checked again when an owner confirms.
  change json not null,
  -- The object when the change was asked for. If it differs when an owner confirms, the approval is stale. Null: it is
  -- created.
  before json,
  -- What the object becomes.
  after json not null,
  -- The user. Confirming is refused if they may no longer ask.
  asked_by uuid not null,
  -- Their name and address as in audit_log.actor.
  asked_name text not null,
  -- When it was asked for.
  asked_at timestamp(3) with time zone not null,
  -- From then on it can no longer be confirmed.
  expires_at timestamp(3) with time zone not null,
  -- open: waits for an owner, until expires_at. confirmed: done. declined: by an owner. withdrawn: by who asked. stale:
  -- the object had changed when an owner confirmed.
  state text not null default 'open'::text,
  -- Who ended it, as in audit_log.actor. Empty: nobody yet.
  decided_name text not null default ''::text,
  -- When it was ended. Null: it is open.
  decided_at timestamp(3) with time zone,
  constraint approvals_check CHECK (((state = 'open'::text) = (decided_at IS NULL))),
  constraint approvals_kind_check CHECK ((kind = ANY (ARRAY['wallet.create'::text, 'wallet.update'::text, 'provider.update'::text, 'template.publish'::text]))),
  constraint approvals_reasons_check CHECK (((cardinality(reasons) >= 1) AND (cardinality(reasons) <= 10))),
  constraint approvals_state_check CHECK ((state = ANY (ARRAY['open'::text, 'confirmed'::text, 'declined'::text, 'withdrawn'::text, 'stale'::text]))),
  constraint approvals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint approvals_pkey PRIMARY KEY (account_id, id));
CREATE INDEX approvals_old ON public.approvals USING btree (asked_at);
CREATE INDEX approvals_open ON public.approvals USING btree (account_id) WHERE (state = 'open'::text);

-- Every change that a user or an operator made, written in the transaction of the change. A trigger refuses changes to
-- it.
create table audit_log (
  id uuid not null,
  -- Null: it concerns no single account, as an operator's change of a shared provider.
  account_id uuid,
  at timestamp(3) with time zone not null,
  -- Null: a command of the operator.
  user_id uuid,
  -- The user's name and address as they were then, or "the operator".
  actor text not null,
  -- session: in the dashboard. token: the dashboard's API with a token. command: the command line. counter: at a
  -- counter, with a PIN.
  via text not null,
  -- The thing and what was done to it, such as wallet.update.
  action text not null,
  -- The kind of thing, such as wallet; object_id names it.
  kind text not null,
  -- The id of what was changed.
  object_id text not null,
  -- What users see of the thing, before the change. Never a secret. Null: it was created.
  before json,
  -- The same after the change. Null: it was removed, or there is nothing to show.
  after json,
  -- IP address. Empty for a command.
  address text not null default ''::text,
  -- User-Agent header of the browser or program.
  agent text not null default ''::text,
  constraint audit_log_action_check CHECK ((char_length(action) <= 64)),
  constraint audit_log_actor_check CHECK ((char_length(actor) <= 300)),
  constraint audit_log_address_check CHECK ((char_length(address) <= 64)),
  constraint audit_log_agent_check CHECK ((char_length(agent) <= 300)),
  constraint audit_log_kind_check CHECK ((char_length(kind) <= 32)),
  constraint audit_log_object_id_check CHECK ((char_length(object_id) <= 128)),
  constraint audit_log_via_check CHECK ((via = ANY (ARRAY['session'::text, 'token'::text, 'command'::text, 'counter'::text]))),
  constraint audit_log_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint audit_log_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint audit_log_pkey PRIMARY KEY (id));
CREATE INDEX audit_of_account ON public.audit_log USING btree (account_id, id);
CREATE INDEX audit_of_action ON public.audit_log USING btree (account_id, action, id);
CREATE INDEX audit_of_kind ON public.audit_log USING btree (account_id, kind, id);
CREATE INDEX audit_of_object ON public.audit_log USING btree (account_id, kind, object_id, id);
CREATE INDEX audit_of_user ON public.audit_log USING btree (account_id, user_id, id);
CREATE TRIGGER audit_log_entry_stays BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_stays();
CREATE TRIGGER audit_log_stays BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stays();

-- Backups of this database that were written completely by sanad backup. Only the newest are kept. The file may be gone
-- by now.
create table backups (
  -- The id that the file itself holds.
  id uuid not null,
  -- The moment of the rows in the file, by the clock of the machine that wrote it.
  made_at timestamp(3) with time zone not null,
  -- When the file was complete on the disk.
  finished_at timestamp(3) with time zone not null,
  -- The user of the system and the machine that ran the command, as user@host.
  made_by text not null,
  -- The path of the file on that machine.
  file text not null,
  -- The size of the file.
  file_bytes bigint not null,
  -- How many rows of all tables are in the file.
  row_count bigint not null,
  -- Whether the file can be read only with a private key.
  encrypted boolean not null,
  -- When sanad backup verify last restored this file into a throw-away database. Null: never, or not on this service.
  verified_at timestamp(3) with time zone,
  -- Whether everything was as it should be then.
  verified_ok boolean,
  constraint backups_file_bytes_check CHECK ((file_bytes > 0)),
  constraint backups_file_check CHECK (((length(file) >= 1) AND (length(file) <= 4200))),
  constraint backups_made_by_check CHECK (((length(made_by) >= 1) AND (length(made_by) <= 300))),
  constraint backups_row_count_check CHECK ((row_count >= 0)),
  constraint backups_verified CHECK (((verified_at IS NULL) = (verified_ok IS NULL))),
  constraint backups_pkey PRIMARY KEY (id));
CREATE INDEX backups_newest ON public.backups USING btree (finished_at DESC, id DESC);

-- The intents that a checkout has made, in their order.
create table checkout_intents (
  account_id uuid not null,
  checkout_id uuid not null,
  -- The place among the intents of the checkout, from 1.
  position integer not null,
  intent_id uuid not null,
  -- It may still be paid, as far as the checkout knows. Cleared in the transaction that has seen the end of the intent.
  open boolean not null,
  constraint checkout_intents_position_check CHECK ((("position" >= 1) AND ("position" <= 40))),
  constraint checkout_intents_account_id_checkout_id_fkey FOREIGN KEY (account_id, checkout_id) REFERENCES checkouts(account_id, id),
  constraint checkout_intents_account_id_intent_id_fkey FOREIGN KEY (account_id, intent_id) REFERENCES intents(account_id, id),
  constraint checkout_intents_pkey PRIMARY KEY (account_id, checkout_id, "position"),
  constraint checkout_intents_account_id_intent_id_key UNIQUE (account_id, intent_id));
-- A checkout has one open intent at a time: its buyer cannot pay twice.
CREATE UNIQUE INDEX checkout_intents_one_open ON public.checkout_intents USING btree (account_id, checkout_id) WHERE open;

-- The idempotency keys of checkouts, each written with its checkout in one statement. The answer is not stored, because
-- it contains the link: it is built again from the checkout. Deleted when old.
create table checkout_keys (
  account_id uuid not null,
  -- The idempotency key that the merchant sent.
  key text not null,
  -- Hash of the request: the same key with another request is refused.
  fingerprint bytea not null,
  checkout_id uuid not null,
  created_at timestamp(3) with time zone not null,
  constraint checkout_keys_key_check CHECK ((char_length(key) <= 128)),
  constraint checkout_keys_pkey PRIMARY KEY (account_id, key));
CREATE INDEX checkout_keys_old ON public.checkout_keys USING btree (created_at);

-- What buyers see of an account on its checkout pages. No row: nothing was set.
create table checkout_pages (
  account_id uuid not null,
  -- Empty: the name of the account.
  shop_name text not null default ''::text,
  -- #RRGGBB, or empty.
  color text not null default ''::text,
  -- Where buyers can write to the shop: digits with the country code, or empty.
  whatsapp text not null default ''::text,
  -- Where buyers can call the shop: digits with the country code, or empty.
  phone text not null default ''::text,
  -- The picture as it is sent to browsers, without metadata. Null: none.
  logo bytea,
  -- SHA-256 of the picture: its address.
  logo_hash bytea,
  logo_type text,
  logo_width integer,
  logo_height integer,
  -- Origins (https://shop.example.com) whose pages may show the checkout pages in a frame. Empty: none.
  frame_origins text[] not null default '{}'::text[],
  constraint checkout_pages_color_check CHECK ((color ~ '^(#[0-9A-F]{6})?$'::text)),
  constraint checkout_pages_frames_few CHECK ((cardinality(frame_origins) <= 10)),
  constraint checkout_pages_logo_check CHECK (((length(logo) >= 1) AND (length(logo) <= 10240))),
  constraint checkout_pages_logo_hash_check CHECK ((length(logo_hash) = 32)),
  constraint checkout_pages_logo_height_check CHECK (((logo_height >= 1) AND (logo_height <= 512))),
  constraint checkout_pages_logo_type_check CHECK ((logo_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text]))),
  constraint checkout_pages_logo_whole CHECK ((num_nulls(logo, logo_hash, logo_type, logo_width, logo_height) = ANY (ARRAY[0, 5]))),
  constraint checkout_pages_logo_width_check CHECK (((logo_width >= 1) AND (logo_width <= 512))),
  constraint checkout_pages_phone_check CHECK ((phone ~ '^([+]?[0-9]{3,19})?$'::text)),
  constraint checkout_pages_shop_name_check CHECK ((char_length(shop_name) <= 100)),
  constraint checkout_pages_whatsapp_check CHECK ((whatsapp ~ '^([0-9]{8,15})?$'::text)),
  constraint checkout_pages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint checkout_pages_pkey PRIMARY KEY (account_id));
CREATE INDEX checkout_pages_logo ON public.checkout_pages USING btree (logo_hash) WHERE (logo_hash IS NOT NULL);

-- A page on which a buyer pays one order. Its intents are ordinary intents; whether it is paid is computed from them
-- when it is read, and stored a little later together with its event.
create table checkouts (
  account_id uuid not null,
  id uuid not null,
  -- SHA-256 of the token in the link. The token itself is derived from the id with a key and stored nowhere.
  token_hash bytea not null,
  -- As stored. OPEN may already be over: readers compare the time and the intents themselves. The others are final.
  status text not null default 'OPEN'::text,
  -- What is to be paid in all, in minor units.
  amount bigint not null,
  currency text not null,
  external_order_id text not null default ''::text,
  description text not null default ''::text,
  -- The order lines, as answers show them.
  items json not null default '[]'::json,
  -- The wallets that the buyer may choose from. Empty: all that are offered at that moment.
  wallets uuid[] not null default '{}'::uuid[],
  -- Where a buyer is sent who has paid. Empty: nowhere.
  return_url text not null default ''::text,
  -- Where a buyer is sent who cancels. Empty: nowhere.
  cancel_url text not null default ''::text,
  -- Texts of the merchant by their names; echoed in answers and events.
  metadata json not null default '{}'::json,
  customer_name text not null default ''::text,
  customer_phone text not null default ''::text,
  -- The language of the page. Empty: the browser's.
  locale text not null default ''::text,
  -- After too small a payment the buyer may pay the rest.
  allow_remaining boolean not null default false,
  -- How many references were sent on the page, over all intents: nobody finds a stranger's payment by trying.
  references_tried integer not null default 0,
  -- "key" and the client id.
  created_by text not null,
  created_at timestamp(3) with time zone not null,
  -- From then on the page makes no new intent. An intent that is open may still be paid until its own window ends.
  expires_at timestamp(3) with time zone not null,
  -- When it was paid, cancelled, or could no longer be paid.
  ended_at timestamp(3) with time zone,
  -- Order number, description and customer in lower case, divided by U+001F.
  search text not null,
  -- The payment link that made it. Null: the merchant's server did.
  link_id uuid,
  constraint checkouts_amount_check CHECK (((amount >= 1) AND (amount <= '99999999999999'::bigint))),
  constraint checkouts_cancel_url_check CHECK ((char_length(cancel_url) <= 2000)),
  constraint checkouts_check CHECK (((status = 'OPEN'::text) = (ended_at IS NULL))),
  constraint checkouts_customer_name_check CHECK ((char_length(customer_name) <= 100)),
  constraint checkouts_customer_phone_check CHECK ((char_length(customer_phone) <= 32)),
  constraint checkouts_description_check CHECK ((char_length(description) <= 500)),
  constraint checkouts_external_order_id_check CHECK ((char_length(external_order_id) <= 128)),
  constraint checkouts_locale_check CHECK ((locale = ANY (ARRAY[''::text, 'ar'::text, 'en'::text]))),
  constraint checkouts_references_tried_check CHECK (((references_tried >= 0) AND (references_tried <= 20))),
  constraint checkouts_return_url_check CHECK ((char_length(return_url) <= 2000)),
  constraint checkouts_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'COMPLETE'::text, 'EXPIRED'::text, 'CANCELLED'::text]))),
  constraint checkouts_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint checkouts_wallets_check CHECK ((cardinality(wallets) <= 50)),
  constraint checkouts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint checkouts_account_id_link_id_fkey FOREIGN KEY (account_id, link_id) REFERENCES payment_links(account_id, id),
  constraint checkouts_pkey PRIMARY KEY (account_id, id),
  constraint checkouts_token_hash_key UNIQUE (token_hash));
CREATE INDEX checkouts_due ON public.checkouts USING btree (expires_at) WHERE (status = 'OPEN'::text);
CREATE INDEX checkouts_link ON public.checkouts USING btree (account_id, link_id, id) WHERE (link_id IS NOT NULL);
CREATE INDEX checkouts_order ON public.checkouts USING btree (account_id, external_order_id, id) WHERE (external_order_id <> ''::text);
CREATE INDEX checkouts_status ON public.checkouts USING btree (account_id, status, id);
CREATE TRIGGER checkouts_end_when_due BEFORE UPDATE OF status ON public.checkouts FOR EACH ROW WHEN (((new.status = 'EXPIRED'::text) AND (old.status = 'OPEN'::text) AND (new.ended_at > database_time()))) EXECUTE FUNCTION end_is_not_due();

-- Who will pay an intent, as somebody says. It ranks the unmatched queue; a payer who differs keeps money from being
-- matched by its amount. It proves nothing by itself.
create table claimed_payers (
  account_id uuid not null,
  intent_id uuid not null,
  -- As it was claimed. Empty: not claimed.
  name text not null default ''::text,
  -- As it was claimed. Empty: not claimed.
  phone text not null default ''::text,
  -- member: of the account, in the dashboard. checkout: the customer that the merchant's server sent. buyer: on the
  -- page.
  source text not null,
  claimed_at timestamp(3) with time zone not null,
  constraint claimed_payers_check CHECK (((name <> ''::text) OR (phone <> ''::text))),
  constraint claimed_payers_name_check CHECK ((char_length(name) <= 100)),
  constraint claimed_payers_phone_check CHECK ((char_length(phone) <= 32)),
  constraint claimed_payers_source_check CHECK ((source = ANY (ARRAY['member'::text, 'checkout'::text, 'buyer'::text]))),
  constraint claimed_payers_account_id_intent_id_fkey FOREIGN KEY (account_id, intent_id) REFERENCES intents(account_id, id),
  constraint claimed_payers_pkey PRIMARY KEY (account_id, intent_id));

-- Money that a user took as a sale at the counter. Deleted when the sale is undone.
create table counter_sales (
  account_id uuid not null,
  -- The money. It is spent as soon as this row exists.
  alert_id uuid not null,
  -- The intent of the sale, made and booked when due_at has passed. Null: not yet.
  intent_id uuid,
  -- The reason of the alert before: it gets it back when the sale is undone.
  from_reason text not null,
  -- A spent alert that may be the same payment, which the user said it is not. Null: there was none.
  same_payment uuid,
  -- Who took it, as in audit_log.actor.
  by text not null,
  -- When it was taken.
  taken_at timestamp(3) with time zone not null,
  -- Until then the sale can be undone.
  due_at timestamp(3) with time zone not null,
  -- The order number that the intent gets. Empty: none.
  external_order_id text not null,
  -- The note that the intent gets. Empty: none.
  note text not null,
  constraint counter_sales_by_check CHECK ((char_length(by) <= 300)),
  constraint counter_sales_check CHECK ((due_at > taken_at)),
  constraint counter_sales_external_order_id_check CHECK ((char_length(external_order_id) <= 128)),
  constraint counter_sales_note_check CHECK ((char_length(note) <= 300)),
  constraint counter_sales_account_id_alert_id_fkey FOREIGN KEY (account_id, alert_id) REFERENCES alerts(account_id, id),
  constraint counter_sales_account_id_intent_id_fkey FOREIGN KEY (account_id, intent_id) REFERENCES intents(account_id, id),
  constraint counter_sales_pkey PRIMARY KEY (account_id, alert_id));
CREATE INDEX counter_sales_due ON public.counter_sales USING btree (due_at) WHERE (intent_id IS NULL);
-- An intent is made for one sale at most.
CREATE UNIQUE INDEX counter_sales_intent ON public.counter_sales USING btree (intent_id) WHERE (intent_id IS NOT NULL);

-- Browsers that are counters of a shop: cashiers sign in there with a PIN.
create table counters (
  account_id uuid not null,
  id uuid not null,
  -- Given by the owner, such as Front till.
  name text not null,
  -- SHA-256 of the cookie.
  token_hash bytea not null,
  -- The owner who made it. It ends with their right: removed, no longer an owner, disabled, or new credentials.
  made_by uuid not null,
  -- Not before valid_from of that owner.
  created_at timestamp(3) with time zone not null,
  -- Written at most once a minute. 90 days without use end the counter.
  last_seen_at timestamp(3) with time zone not null,
  -- Ended by an owner. Null: open, or over for another reason.
  ended_at timestamp(3) with time zone,
  -- IP address of its last use.
  address text not null default ''::text,
  -- User-Agent header of the browser.
  agent text not null default ''::text,
  -- After so many minutes without a touch it is locked.
  idle_minutes integer not null default 10,
  -- The cashier who entered a PIN last. Null: locked.
  cashier_id uuid,
  -- When that cashier last touched it. Null: locked.
  cashier_seen_at timestamp(3) with time zone,
  -- How many pauses wrong PINs at this counter have caused. The next one is longer.
  pauses integer not null default 0,
  -- No PIN is checked at this counter before then.
  paused_until timestamp(3) with time zone,
  -- PINs tried here that no right PIN of the same cashier followed.
  wrong_total integer not null default 0,
  -- When a wrong PIN was last tried here. After a day without one the pauses start again.
  tried_at timestamp(3) with time zone,
  -- Tries since day_since, also those that a right PIN took back.
  day_wrong integer not null default 0,
  -- When the day of day_wrong began; a day later the next try begins another. Null: not tried yet.
  day_since timestamp(3) with time zone,
  constraint counters_address_check CHECK ((char_length(address) <= 64)),
  constraint counters_agent_check CHECK ((char_length(agent) <= 300)),
  constraint counters_cashier CHECK (((cashier_id IS NULL) = (cashier_seen_at IS NULL))),
  constraint counters_day_wrong_check CHECK ((day_wrong >= 0)),
  constraint counters_idle_minutes_check CHECK (((idle_minutes >= 1) AND (idle_minutes <= 60))),
  constraint counters_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint counters_pauses_check CHECK ((pauses >= 0)),
  constraint counters_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint counters_wrong_total_check CHECK ((wrong_total >= 0)),
  constraint counters_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint counters_cashier_id_fkey FOREIGN KEY (cashier_id) REFERENCES users(id),
  constraint counters_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id),
  constraint counters_pkey PRIMARY KEY (account_id, id),
  constraint counters_token_hash_key UNIQUE (token_hash));
CREATE INDEX counters_of_account ON public.counters USING btree (account_id, created_at);

-- The queue: an event that is still to be sent to an endpoint. A finished one is deleted here and written to
-- delivery_ends. The primary key makes an event wait once for an endpoint.
create table deliveries (
  endpoint_id uuid not null,
  event_id uuid not null,
  -- 0: the event itself. 1 and more: sent again, by hand or by a replay.
  replay integer not null default 0,
  -- Begins as the event's id does (webhooks/log/delivery-id.ts), so it is found by endpoint and event and needs no
  -- index. Sanad gives each one; the default is for rows written by hand.
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  -- Attempts begun.
  attempt smallint not null default 0,
  -- A user asked for it: its result says nothing about the health of the endpoint.
  by_hand boolean not null default false,
  -- An event that must be tried first: payment.verified waits for payment.received. Null: none.
  follows uuid,
  -- Not sent before.
  due_at timestamp(3) with time zone not null,
  -- The worker that is sending it. Null: waiting.
  lease_id uuid,
  -- When it is given back if that worker died.
  lease_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint deliveries_account_id_event_id_fkey FOREIGN KEY (account_id, event_id) REFERENCES events(account_id, id),
  constraint deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id),
  constraint deliveries_pkey PRIMARY KEY (endpoint_id, event_id, replay));
alter table deliveries
  alter column account_id set statistics 10,
  alter column attempt set statistics 10,
  alter column by_hand set statistics 10,
  alter column created_at set statistics 10,
  alter column due_at set statistics 10,
  alter column endpoint_id set statistics 10,
  alter column event_id set statistics 10,
  alter column follows set statistics 10,
  alter column id set statistics 10,
  alter column lease_id set statistics 10,
  alter column lease_until set statistics 10,
  alter column replay set statistics 10;
CREATE INDEX deliveries_due ON public.deliveries USING btree (endpoint_id, due_at, event_id) WHERE (lease_id IS NULL);
-- Unfinished deliveries with a failed attempt. One that arrives at its first attempt is never in it.
CREATE INDEX deliveries_failed ON public.deliveries USING btree (endpoint_id, event_id, replay) WHERE ((attempt > 1) OR ((attempt = 1) AND (lease_id IS NULL)));
CREATE INDEX deliveries_leased ON public.deliveries USING btree (lease_until) WHERE (lease_id IS NOT NULL);

-- One call to an endpoint: what was sent, what came back. Kept a month.
create table delivery_attempts (
  -- When it had ended.
  at timestamp(3) with time zone not null,
  account_id uuid not null,
  delivery_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  -- From 1.
  attempt smallint not null,
  -- How it went, as a code: ok, status, redirect, timeout, network, tls, dns, refused and the like.
  outcome text not null,
  -- HTTP status. Null: no answer.
  status smallint,
  -- What went wrong, for a reader.
  error text not null default ''::text,
  -- Headers and address that were used; no secrets.
  request json not null,
  -- Headers and the beginning of the body that came back.
  response json not null,
  -- Milliseconds of each stage: name lookup, connecting, first byte, total.
  took json not null) partition by RANGE (at);
CREATE INDEX delivery_attempts_of_delivery ON ONLY public.delivery_attempts USING btree (account_id, delivery_id, attempt);

-- Attempts of days that have no partition of their own.
create table delivery_attempts_other (
  at timestamp(3) with time zone not null,
  account_id uuid not null,
  delivery_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  attempt smallint not null,
  outcome text not null,
  status smallint,
  error text not null default ''::text,
  request json not null,
  response json not null,
  took json not null);
alter table delivery_attempts attach partition delivery_attempts_other DEFAULT;
CREATE INDEX delivery_attempts_other_account_id_delivery_id_attempt_idx ON public.delivery_attempts_other USING btree (account_id, delivery_id, attempt);

-- How each delivery ended. Kept three months.
create table delivery_ends (
  -- When it ended.
  at timestamp(3) with time zone not null,
  account_id uuid not null,
  delivery_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  -- As in deliveries.replay.
  replay integer not null,
  -- How many attempts were made.
  attempts smallint not null,
  -- exhausted: given up after the last attempt. disabled: its endpoint was switched off or deleted.
  ending text not null,
  constraint delivery_ends_ending_check CHECK ((ending = ANY (ARRAY['delivered'::text, 'exhausted'::text, 'disabled'::text])))) partition by RANGE (at);
CREATE INDEX delivery_ends_failed ON ONLY public.delivery_ends USING btree (account_id, endpoint_id, event_id, replay) WHERE (ending <> 'delivered'::text);
CREATE INDEX delivery_ends_of_endpoint ON ONLY public.delivery_ends USING btree (account_id, endpoint_id, event_id, replay);

-- Ends of days that have no partition of their own.
create table delivery_ends_other (
  at timestamp(3) with time zone not null,
  account_id uuid not null,
  delivery_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  replay integer not null,
  attempts smallint not null,
  ending text not null,
  constraint delivery_ends_ending_check CHECK ((ending = ANY (ARRAY['delivered'::text, 'exhausted'::text, 'disabled'::text]))));
alter table delivery_ends attach partition delivery_ends_other DEFAULT;
CREATE INDEX delivery_ends_other_account_id_endpoint_id_event_id_replay_idx ON public.delivery_ends_other USING btree (account_id, endpoint_id, event_id, replay);
CREATE INDEX delivery_ends_other_account_id_endpoint_id_event_id_replay_idx1 ON public.delivery_ends_other USING btree (account_id, endpoint_id, event_id, replay) WHERE (ending <> 'delivered'::text);

-- Answers that phones were given: a request that comes again gets the same one. Kept an hour; a request with a
-- timestamp more than five minutes off is refused anyway.
create table device_requests (
  device_id uuid not null,
  -- Chosen by the phone.
  request_id uuid not null,
  -- HTTP status.
  status smallint not null,
  -- The JSON text, or "sealed:" and the sealed text where it repeats what must not be read.
  answer text not null,
  -- When it was answered. Answers are deleted after a time.
  at timestamp(3) with time zone not null,
  constraint device_requests_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id),
  constraint device_requests_pkey PRIMARY KEY (device_id, request_id));
CREATE INDEX device_requests_old ON public.device_requests USING btree (at);

-- A phone (the public API says device) that reports the messages of wallets: by Sanad's own agent, or by an SMS
-- forwarding app.
create table devices (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  -- False: its reports are stored as held and verify nothing until someone releases them.
  switched_on boolean not null default false,
  -- True from when the phone is added until it is first heard of, which switches it on. A user who moves the switch
  -- before ends this.
  awaited boolean not null default false,
  -- What the agent signs with. Null: never paired.
  secret_sealed bytea,
  -- Counts pairings; 0: never paired.
  secret_version integer not null default 0,
  -- The newest secret was used: from then on the previous one is refused.
  secret_used boolean not null default false,
  -- The secret before, good until the newest is used for the first time.
  previous_secret_sealed bytea,
  -- SHA-256 of the token in a forwarding app's address. Null: no such app.
  ingest_token_hash bytea,
  -- What a forwarding app signs with, if it can. Null: its reports are not signed.
  signing_key_sealed bytea,
  -- When what it proves itself with was last issued: pairing, token or signing key. A phone of less than a day is a
  -- doubt. Null: never.
  paired_at timestamp(3) with time zone,
  -- Keyed hash of the open one-time code: 50 bits could be guessed from a plain hash. Null: none.
  pairing_hash bytea,
  -- The code is good until then.
  pairing_until timestamp(3) with time zone,
  -- Wrong codes that were tried near this one; after five it is void.
  pairing_tries smallint not null default 0,
  -- Who made the open code; owners are told. As in audit_log.actor.
  pairing_by text not null default ''::text,
  -- Agent, version, model, Android version; as the phone said at pairing.
  about json not null default '{}'::json,
  -- Its last heartbeat: battery, permissions, queue; as the phone says.
  health json not null default '{}'::json,
  -- Last authenticated call, written every ten seconds at most. Null: never heard of.
  last_seen_at timestamp(3) with time zone,
  -- Last report, written as last_seen_at.
  last_alert_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  -- Last heartbeat: of the agent, or a ping of SMS Gateway. Null: none yet. Messages are no heartbeats.
  heartbeat_at timestamp(3) with time zone,
  -- Seconds between its heartbeats: what the agent promises, or what was measured between pings. Null: not known.
  heartbeat_s integer,
  -- When a member last began a self-test. Null: never.
  self_test_at timestamp(3) with time zone,
  -- Until when a message counts for that self-test.
  self_test_until timestamp(3) with time zone,
  -- The only forwarding app that may use the address. Empty: the first one that does, signed if the phone can sign.
  ingest_adapter text not null default ''::text,
  -- Another app that last used the address and was refused. Empty: none.
  refused_app text not null default ''::text,
  -- When it last tried. Null: never since access was given.
  refused_app_at timestamp(3) with time zone,
  constraint devices_heartbeat_s_check CHECK (((heartbeat_s >= 1) AND (heartbeat_s <= 86400))),
  constraint devices_ingest_adapter_check CHECK ((ingest_adapter = ANY (ARRAY[''::text, 'sms-to-url'::text, 'smsgate'::text, 'sms-forwarder'::text, 'text'::text]))),
  constraint devices_name_check CHECK (((name <> ''::text) AND (char_length(name) <= 100))),
  constraint devices_self_test_order CHECK ((self_test_at < self_test_until)),
  constraint devices_self_test_whole CHECK (((self_test_at IS NULL) = (self_test_until IS NULL))),
  constraint devices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint devices_pkey PRIMARY KEY (id),
  constraint devices_account_id_id_key UNIQUE (account_id, id),
  constraint devices_ingest_token_hash_key UNIQUE (ingest_token_hash));
-- An open pairing code names one phone.
CREATE UNIQUE INDEX devices_pairing ON public.devices USING btree (pairing_hash) WHERE (pairing_hash IS NOT NULL);

-- How many attempts at an endpoint succeeded in an hour, by how long they took, and how many failed. Written with the
-- attempts. Deleted after some days.
create table endpoint_hours (
  account_id uuid not null,
  endpoint_id uuid not null,
  -- The start of the hour, in UTC.
  hour timestamp(3) with time zone not null,
  -- -1: failed. 0 and more: arrived; the number of the stretch of milliseconds in
  -- webhooks/endpoints/endpoint-figures.ts.
  bucket smallint not null,
  -- How many attempts ended in this bucket.
  attempts integer not null,
  constraint endpoint_hours_pkey PRIMARY KEY (account_id, endpoint_id, hour, bucket));
CREATE INDEX endpoint_hours_old ON public.endpoint_hours USING btree (hour);

-- The outbox: what merchants are told, written in the transaction that made it true. Kept for good. It has no foreign
-- keys: account, wallet and intent are those of its alert, and a key on the wallet would make all payments into it
-- share a lock.
create table events (
  account_id uuid not null,
  id uuid not null,
  -- payment.verified: an intent is paid. payment.unmatched: money came that no intent asked for. payment.received:
  -- money came to the test wallet. payment.wrong_amount, payment.expired, payment.cancelled: an intent ended otherwise.
  -- checkout.completed, checkout.expired: a checkout ended.
  kind text not null,
  wallet_id uuid,
  -- The intent that was resolved. Null: none was, as with payment.unmatched.
  intent_id uuid,
  -- Null: an event of a checkout, or of the end of an unpaid intent: one alert can end several intents with a wrong
  -- amount.
  alert_id uuid,
  -- The exact text that is sent and signed. Emptied after a month.
  body text not null,
  created_at timestamp(3) with time zone not null,
  -- The W3C traceparent of the request that caused it. Null: not traced.
  trace text default NULLIF(current_setting('sanad.trace'::text, true), ''::text),
  constraint events_alert_check CHECK (((alert_id IS NOT NULL) OR (kind ~~ 'checkout.%'::text) OR ((intent_id IS NOT NULL) AND (kind = ANY (ARRAY['payment.wrong_amount'::text, 'payment.expired'::text, 'payment.cancelled'::text]))))),
  constraint events_kind_check CHECK ((kind = ANY (ARRAY['payment.verified'::text, 'payment.unmatched'::text, 'payment.received'::text, 'payment.wrong_amount'::text, 'payment.expired'::text, 'payment.cancelled'::text, 'checkout.completed'::text, 'checkout.expired'::text]))),
  constraint events_pkey PRIMARY KEY (account_id, id));
CREATE INDEX events_with_body ON public.events USING btree (created_at) WHERE (body <> ''::text);
-- An intent ends once, and is reported once.
CREATE UNIQUE INDEX events_end_once ON public.events USING btree (intent_id) WHERE (kind = ANY (ARRAY['payment.wrong_amount'::text, 'payment.expired'::text, 'payment.cancelled'::text]));
-- An alert is told of once in each kind.
CREATE UNIQUE INDEX events_once ON public.events USING btree (alert_id, kind);

-- Paid intents whose goods were handed over, once each.
create table handovers (
  account_id uuid not null,
  intent_id uuid not null,
  -- Who handed them over, as in audit_log.actor.
  by text not null,
  at timestamp(3) with time zone not null,
  constraint handovers_by_check CHECK ((char_length(by) <= 300)),
  constraint handovers_account_id_intent_id_fkey FOREIGN KEY (account_id, intent_id) REFERENCES intents(account_id, id),
  constraint handovers_pkey PRIMARY KEY (account_id, intent_id));

-- A create request with an idempotency key, written with its intent in one statement: the same key gets the same
-- answer. Deleted when old.
create table idempotency_keys (
  account_id uuid not null,
  -- Chosen by the merchant.
  key text not null,
  -- Hash of the request: the same key with another request is refused.
  fingerprint bytea not null,
  intent_id uuid not null,
  -- The answer, byte for byte.
  answer text not null,
  created_at timestamp(3) with time zone not null,
  constraint idempotency_keys_key_check CHECK ((char_length(key) <= 128)),
  constraint idempotency_keys_pkey PRIMARY KEY (account_id, key));
CREATE INDEX idempotency_keys_old ON public.idempotency_keys USING btree (created_at);

-- How many intents an account has, by the hour of creation, wallet and stored status: the sum of all writers. Only
-- hours that are not tallied yet are read; older rows are deleted. No foreign keys: intents have them.
create table intent_counts (
  account_id uuid not null,
  -- The beginning of the hour, UTC.
  hour timestamp(3) with time zone not null,
  wallet_id uuid not null,
  -- As stored: PENDING also when the window has closed.
  status text not null,
  -- The process id of the database session that counted, so that no session ever waits for another; 0: added up by the
  -- service.
  writer integer not null,
  -- May be negative for one writer: an intent that another one created has left this status.
  n integer not null,
  constraint intent_counts_pkey PRIMARY KEY (account_id, hour, wallet_id, status, writer));
-- Finds the rows that are to be added up.
CREATE INDEX intent_counts_of_writers ON public.intent_counts USING btree (account_id) WHERE (writer <> 0);

-- Intents created in an hour, by wallet and final status: a chart of three months reads hours and not intents.
create table intent_hours (
  account_id uuid not null,
  -- The beginning of the hour.
  hour timestamp(3) with time zone not null,
  wallet_id uuid not null,
  status text not null,
  -- How many intents of this hour have this status.
  count integer not null,
  -- Of their payable amounts, in minor units.
  sum bigint not null,
  constraint intent_hours_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint intent_hours_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id),
  constraint intent_hours_pkey PRIMARY KEY (account_id, hour, wallet_id, status));

-- The timeline of an intent after its creation, which the intent itself tells. Only ever added to.
create table intent_moves (
  account_id uuid not null,
  intent_id uuid not null,
  id uuid not null,
  at timestamp(3) with time zone not null,
  -- reference: one was attached. reference_moved: a user moved its reference to another intent. booked: a user gave it
  -- money. not_matched: its amount arrived without a reference, and facts says why that did not verify it. The others:
  -- what its status became.
  kind text not null,
  -- As intents.created_by; or "alert" or "reference", whichever came second and matched; or "amount": an alert without
  -- a reference brought its unique amount; or "clock": its window closed.
  by text not null,
  -- The alert that resolved it, or that did not verify it. Null for other entries.
  alert_id uuid,
  -- What the entry says besides: the reference, doubts about the alert.
  facts json not null default '{}'::json,
  constraint intent_moves_kind_check CHECK ((kind = ANY (ARRAY['reference'::text, 'reference_moved'::text, 'expired'::text, 'cancelled'::text, 'verified'::text, 'wrong_amount'::text, 'booked'::text, 'not_matched'::text]))),
  constraint intent_moves_account_id_intent_id_fkey FOREIGN KEY (account_id, intent_id) REFERENCES intents(account_id, id),
  constraint intent_moves_pkey PRIMARY KEY (account_id, intent_id, id));

-- How many intents of a wallet and final status were created before an hour: running totals, for counts of lists.
create table intent_tallies (
  account_id uuid not null,
  wallet_id uuid not null,
  status text not null,
  -- A full hour; intents created before it are in the total.
  until timestamp(3) with time zone not null,
  -- From the beginning of the account until then.
  total bigint not null,
  constraint intent_tallies_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint intent_tallies_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id),
  constraint intent_tallies_pkey PRIMARY KEY (account_id, wallet_id, status, until));

-- How long it took from creation to VERIFIED, for the intents of an hour; test wallets left out.
create table intent_waits (
  account_id uuid not null,
  -- The beginning of the hour.
  hour timestamp(3) with time zone not null,
  -- Counts by bucket: bucket n is 1.1^n seconds and a tenth more.
  waits json not null,
  constraint intent_waits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint intent_waits_pkey PRIMARY KEY (account_id, hour));

-- A payment intent: a wallet and an exact amount that a merchant expects. The primary key serves retrieval, the list
-- and its date filters, because ids are times.
create table intents (
  account_id uuid not null,
  id uuid not null,
  wallet_id uuid not null,
  -- The real wallet (wallets.identity). Follows when entries of one wallet are merged.
  identity uuid not null,
  -- Ten characters that people can read to each other.
  code text not null,
  -- PENDING until it is resolved once. VERIFIED: paid. WRONG_AMOUNT: money with its reference came, but another amount.
  -- EXPIRED is written a little after expires_at; readers compare the time themselves.
  status text not null default 'PENDING'::text,
  -- What the merchant asked for, in minor units: the sum of the items.
  base bigint not null,
  -- What must arrive, to the unit. It differs from base if the wallet gave the intent a unique amount.
  payable bigint not null,
  -- WRONG_AMOUNT: what arrived instead. Null otherwise.
  paid bigint,
  -- ISO 4217; the wallet's when the intent was created.
  currency text not null,
  -- The merchant's own order number. Need not be unique.
  external_order_id text not null default ''::text,
  notes text not null default ''::text,
  -- The order lines, as answers show them.
  items json not null default '[]'::json,
  -- The wallet's reference as it was attached last. Empty: none yet.
  reference text not null default ''::text,
  -- The reference as it is compared: upper case, western digits, no spaces. Null: none.
  reference_key text,
  -- Keys of all references ever attached, 20 at most: nobody finds a stranger's payment by counting up.
  reference_keys text[] not null default '{}'::text[],
  -- When the reference was attached last.
  reference_at timestamp(3) with time zone,
  -- The alert that made it VERIFIED or WRONG_AMOUNT. Null: none did.
  alert_id uuid,
  -- A user booked the money to it.
  manual boolean not null default false,
  -- "key" and the client id, or the member as in audit_log.actor.
  created_by text not null,
  created_at timestamp(3) with time zone not null,
  -- The end of its window: nothing verifies it afterwards.
  expires_at timestamp(3) with time zone not null,
  verified_at timestamp(3) with time zone,
  -- Code and order number in lower case, divided by U+001F. Folded by Sanad: the same on every PostgreSQL and locale.
  search_order text not null,
  -- The reference in lower case.
  search_reference text not null default ''::text,
  -- What a search finds it by; see the function of the same name.
  search_windows integer[] generated always as (search_windows(account_id, ((search_order || ''::text) || search_reference))) stored,
  -- VERIFIED: what arrived, if it is not what was asked. Null: exactly payable arrived (or the intent is not VERIFIED).
  arrived bigint,
  -- What was asked for the order and did not arrive. Null as arrived is.
  forgiven bigint,
  -- What arrived and was not asked for. Null as arrived is.
  excess bigint,
  constraint intents_arrival_check CHECK (((num_nulls(arrived, forgiven, excess) = 3) OR ((num_nulls(arrived, forgiven, excess) = 0) AND (status = 'VERIFIED'::text) AND (arrived >= 1) AND (forgiven >= 0) AND (excess >= 0) AND ((forgiven = 0) OR (excess = 0))))),
  constraint intents_base_check CHECK (((base >= 1) AND (base <= '99999999999999'::bigint))),
  constraint intents_check CHECK (((status = 'VERIFIED'::text) = (verified_at IS NOT NULL))),
  constraint intents_check1 CHECK (((status = 'WRONG_AMOUNT'::text) = (paid IS NOT NULL))),
  constraint intents_check2 CHECK (((reference = ''::text) = (reference_key IS NULL))),
  constraint intents_code_check CHECK ((code ~ '^[0-9A-HJKMNP-TV-Z]{10}$'::text)),
  constraint intents_external_order_id_check CHECK ((char_length(external_order_id) <= 128)),
  constraint intents_notes_check CHECK ((char_length(notes) <= 500)),
  constraint intents_payable_check CHECK (((payable >= 1) AND (payable <= '99999999999999'::bigint))),
  constraint intents_reference_check CHECK ((char_length(reference) <= 128)),
  constraint intents_reference_keys_check CHECK ((cardinality(reference_keys) <= 20)),
  constraint intents_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'VERIFIED'::text, 'WRONG_AMOUNT'::text, 'EXPIRED'::text, 'CANCELLED'::text]))),
  constraint intents_account_id_alert_id_fkey FOREIGN KEY (account_id, alert_id) REFERENCES alerts(account_id, id),
  constraint intents_wallet_identity_fkey FOREIGN KEY (account_id, wallet_id, identity) REFERENCES wallets(account_id, id, identity) ON UPDATE CASCADE,
  constraint intents_pkey PRIMARY KEY (account_id, id),
  constraint intents_code_key UNIQUE (code));
alter table intents
  alter column search_windows set statistics 10;
CREATE INDEX intents_differing ON public.intents USING btree (account_id, id) WHERE (arrived IS NOT NULL);
CREATE INDEX intents_due ON public.intents USING btree (expires_at) WHERE (status = 'PENDING'::text);
CREATE INDEX intents_open ON public.intents USING btree (wallet_id, id) WHERE (status = 'PENDING'::text);
CREATE INDEX intents_order ON public.intents USING btree (account_id, external_order_id, id) WHERE (external_order_id <> ''::text);
CREATE INDEX intents_payable ON public.intents USING btree (account_id, payable, id);
CREATE INDEX intents_ref ON public.intents USING btree (account_id, reference, id) WHERE (reference <> ''::text);
CREATE INDEX intents_search ON public.intents USING gin (search_windows) WITH (fastupdate='on', gin_pending_list_limit='512');
CREATE INDEX intents_status ON public.intents USING btree (account_id, status, id);
CREATE INDEX intents_verified ON public.intents USING btree (account_id, verified_at, id) WHERE (verified_at IS NOT NULL);
CREATE INDEX intents_wallet ON public.intents USING btree (account_id, wallet_id, id);
CREATE INDEX intents_wrong_alert ON public.intents USING btree (alert_id) WHERE ((alert_id IS NOT NULL) AND (status = 'WRONG_AMOUNT'::text));
-- An alert verifies one intent at most.
CREATE UNIQUE INDEX intents_alert ON public.intents USING btree (alert_id) WHERE ((alert_id IS NOT NULL) AND (status = 'VERIFIED'::text));
-- One PENDING intent at most holds a reference of a real wallet.
CREATE UNIQUE INDEX intents_reference_held ON public.intents USING btree (identity, reference_key) WHERE (status = 'PENDING'::text);
CREATE TRIGGER intents_arrival BEFORE UPDATE OF status ON public.intents FOR EACH ROW WHEN ((new.manual AND (new.status = 'VERIFIED'::text) AND (old.status = 'PENDING'::text) AND (new.arrived IS NULL))) EXECUTE FUNCTION arrival_of_booking();
CREATE TRIGGER intents_count_changed AFTER UPDATE OF status, wallet_id ON public.intents FOR EACH ROW WHEN (((old.status <> new.status) OR (old.wallet_id <> new.wallet_id))) EXECUTE FUNCTION count_changed_intent();
CREATE TRIGGER intents_count_new AFTER INSERT ON public.intents REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_new_intents();
CREATE TRIGGER intents_end_when_due BEFORE UPDATE OF status ON public.intents FOR EACH ROW WHEN (((new.status = 'EXPIRED'::text) AND (old.status = 'PENDING'::text) AND (new.expires_at > database_time()))) EXECUTE FUNCTION end_is_not_due();
CREATE TRIGGER intents_identity BEFORE INSERT ON public.intents FOR EACH ROW WHEN ((new.identity IS NULL)) EXECUTE FUNCTION identity_of_wallet();

-- Browsers in which a user has signed in, and the network addresses from which a script of theirs got a token. One that
-- is not here is announced.
create table known_browsers (
  user_id uuid not null,
  -- SHA-256 of the random name in the browser's cookie, or of the network address of a script.
  hash bytea not null,
  -- The last sign-in.
  seen_at timestamp(3) with time zone not null,
  constraint known_browsers_hash_check CHECK ((octet_length(hash) = 32)),
  constraint known_browsers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint known_browsers_pkey PRIMARY KEY (user_id, hash));
CREATE INDEX known_browsers_old ON public.known_browsers USING btree (seen_at);

-- What a member asked for because it is over the limit of their role, and what became of it.
create table limit_requests (
  account_id uuid not null,
  id uuid not null,
  -- What is done when it is confirmed.
  act text not null,
  -- The wallet of the money or of the order. Null: a checkout that has no intent yet.
  wallet_id uuid,
  -- The money. Null: something is cancelled.
  alert_id uuid,
  -- The order. Null: walk-in money, or a checkout.
  intent_id uuid,
  -- The checkout that is cancelled, or the one of the intent.
  checkout_id uuid,
  -- What arrived, or what is asked for by what is cancelled, in minor units.
  amount bigint not null,
  -- How far it falls short of the order, when it was asked for.
  short bigint not null,
  currency text not null,
  -- Which limits of the asking member it is over.
  limits text[] not null,
  -- When it was asked for it was over the limits of managers too. Confirming it judges this again.
  needs_owner boolean not null,
  -- What the asking member sent.
  change json not null,
  -- Stays when the member leaves the account.
  asked_by uuid not null,
  -- As in audit_log.actor.
  asked_name text not null,
  -- When the member asked.
  asked_at timestamp(3) with time zone not null,
  -- From then on nobody can confirm it, whether its end was written or not.
  expires_at timestamp(3) with time zone not null,
  -- open: it waits. Otherwise how it ended.
  state text not null default 'open'::text,
  -- Null: nobody; it ended by itself.
  decided_by uuid,
  -- As in audit_log.actor. Empty: nobody.
  decided_name text not null default ''::text,
  -- When it ended. Null: it waits.
  decided_at timestamp(3) with time zone,
  -- Why it was refused, in the words of the member, or the code of what made it impossible.
  reason text not null default ''::text,
  -- The intent that the confirmed act paid or cancelled. Null: none, or a sale that can still be undone.
  result_id uuid,
  constraint limit_requests_act_check CHECK ((act = ANY (ARRAY['book'::text, 'book_copy'::text, 'accept_paid'::text, 'collect_rest'::text, 'take_sale'::text, 'cancel_intent'::text, 'cancel_checkout'::text]))),
  constraint limit_requests_asked_name_check CHECK ((char_length(asked_name) <= 300)),
  constraint limit_requests_decided CHECK (((state = 'open'::text) = (decided_at IS NULL))),
  constraint limit_requests_decided_name_check CHECK ((char_length(decided_name) <= 300)),
  constraint limit_requests_limits_check CHECK (((limits <@ ARRAY['short'::text, 'booked'::text, 'cancel'::text, 'take_sale'::text]) AND (limits <> '{}'::text[]))),
  constraint limit_requests_reason_check CHECK ((char_length(reason) <= 300)),
  constraint limit_requests_short_check CHECK ((short >= 0)),
  constraint limit_requests_state_check CHECK ((state = ANY (ARRAY['open'::text, 'confirmed'::text, 'refused'::text, 'withdrawn'::text, 'expired'::text, 'over'::text]))),
  constraint limit_requests_account_id_alert_id_fkey FOREIGN KEY (account_id, alert_id) REFERENCES alerts(account_id, id),
  constraint limit_requests_account_id_checkout_id_fkey FOREIGN KEY (account_id, checkout_id) REFERENCES checkouts(account_id, id),
  constraint limit_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint limit_requests_account_id_intent_id_fkey FOREIGN KEY (account_id, intent_id) REFERENCES intents(account_id, id),
  constraint limit_requests_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id),
  constraint limit_requests_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  constraint limit_requests_pkey PRIMARY KEY (account_id, id));
CREATE INDEX limit_requests_decided_at ON public.limit_requests USING btree (account_id, decided_at) WHERE (decided_at IS NOT NULL);
CREATE INDEX limit_requests_due ON public.limit_requests USING btree (expires_at) WHERE (state = 'open'::text);
CREATE INDEX limit_requests_of_alert ON public.limit_requests USING btree (account_id, alert_id) WHERE (alert_id IS NOT NULL);
CREATE INDEX limit_requests_of_checkout ON public.limit_requests USING btree (account_id, checkout_id) WHERE (checkout_id IS NOT NULL);
CREATE INDEX limit_requests_of_intent ON public.limit_requests USING btree (account_id, intent_id) WHERE (intent_id IS NOT NULL);
CREATE INDEX limit_requests_of_member ON public.limit_requests USING btree (account_id, asked_by, id);
CREATE INDEX limit_requests_of_result ON public.limit_requests USING btree (account_id, result_id) WHERE (result_id IS NOT NULL);
CREATE INDEX limit_requests_old ON public.limit_requests USING btree (asked_at);
CREATE INDEX limit_requests_open ON public.limit_requests USING btree (account_id, id) WHERE (state = 'open'::text);

-- How many browsers opened a payment link, by quarter of an hour. Written with payment_links.viewed. Deleted after some
-- weeks.
create table link_views (
  account_id uuid not null,
  link_id uuid not null,
  -- The start of the quarter of an hour, in UTC.
  at timestamp(3) with time zone not null,
  -- How many browsers opened the link then.
  views integer not null,
  constraint link_views_views_check CHECK ((views >= 1)),
  constraint link_views_account_id_link_id_fkey FOREIGN KEY (account_id, link_id) REFERENCES payment_links(account_id, id),
  constraint link_views_pkey PRIMARY KEY (account_id, link_id, at));
CREATE INDEX link_views_old ON public.link_views USING btree (at);

-- One row for each master key that this database has had. A node whose key does not fit the newest is refused, so that
-- it cannot seal secrets that the right key could not open (docs/decisions/0029). The keys themselves are not here.
create table master_keys (
  -- Counts rotations.
  generation integer not null,
  -- 32 bytes derived from the key, from which it cannot be found.
  check_value bytea not null,
  -- The key of keyed hashes. A hash cannot be made again without what was hashed, so this key stays when the master key
  -- changes and is only sealed anew.
  hash_key_sealed bytea not null,
  -- Since when this key seals.
  began_at timestamp(3) with time zone not null,
  -- Until then tokens are accepted that the generation before has signed.
  tokens_until timestamp(3) with time zone not null,
  -- When every secret was sealed with this generation's key. Null: a rotation is under way.
  done_at timestamp(3) with time zone,
  constraint master_keys_check_value_check CHECK ((length(check_value) = 32)),
  constraint master_keys_generation_check CHECK ((generation >= 1)),
  constraint master_keys_pkey PRIMARY KEY (generation));

-- The wallets that a limited member sees. Of a member who is not limited there are none.
create table member_wallets (
  account_id uuid not null,
  user_id uuid not null,
  wallet_id uuid not null,
  constraint member_wallets_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES members(account_id, user_id) ON DELETE CASCADE,
  constraint member_wallets_account_id_wallet_id_fkey FOREIGN KEY (account_id, wallet_id) REFERENCES wallets(account_id, id),
  constraint member_wallets_pkey PRIMARY KEY (account_id, user_id, wallet_id));

-- Which users belong to an account, and what each may do in it.
create table members (
  account_id uuid not null,
  user_id uuid not null,
  -- owner may everything; viewer may only look.
  role text not null,
  created_at timestamp(3) with time zone not null,
  -- Set when the address of an unproved user was proved by a new password: the membership was given to whoever had the
  -- user before. Until an owner confirms it, it gives no access. Null: a member.
  request_since timestamp(3) with time zone,
  -- Sees the wallets in member_wallets only. False: all of the account, also later ones. Never an owner.
  limited boolean not null default false,
  constraint members_owner_unlimited CHECK ((NOT (limited AND (role = 'owner'::text)))),
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'manager'::text, 'cashier'::text, 'viewer'::text]))),
  constraint members_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint members_pkey PRIMARY KEY (account_id, user_id));
CREATE INDEX members_of_user ON public.members USING btree (user_id, created_at);
CREATE INDEX members_requests ON public.members USING btree (request_since) WHERE (request_since IS NOT NULL);

-- Which files of migrations/ ran here. Rows of the 27 files before the six of today stay: nodes of the version before
-- count them.
create table migrations (
  name text not null,
  -- SHA-256 of the file: one that changed after it ran stops the start.
  hash text not null,
  ran_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name));

-- The running nodes with the error of their clocks, for operators: a node whose clock is far off shows no page itself.
create table node_clocks (
  -- A new one at each start.
  node_id uuid not null,
  -- The name of the machine on which the node runs.
  host text not null,
  -- The node's clock minus the database's, in milliseconds: positive if the node is ahead.
  offset_ms bigint not null,
  -- By how much the offset may be wrong at most.
  error_ms bigint not null,
  -- When the node last reported, by the database's clock. Rows older than a day are deleted.
  seen_at timestamp(3) with time zone not null,
  constraint node_clocks_pkey PRIMARY KEY (node_id));

-- What the owners of an account must be told, by mail and in the dashboard. Written in the transaction of the fact
-- itself, deleted after 90 days.
create table owner_notices (
  account_id uuid not null,
  id uuid not null,
  -- What happened: someone can report as a phone now, events go elsewhere, a key or template is new, an endpoint fails,
  -- less was booked to an intent than was asked, another owner, another sender, something about a member's sign-in.
  kind text not null,
  -- What it is about: phone, webhook, key, template, approval, account, member, intent, wallet, provider, or user: a
  -- member, who has a notice of their own.
  object_kind text not null,
  -- Id of the phone, endpoint, API key (client id), template, approval, account, member, user, intent, wallet or
  -- provider that it is about.
  object_id text not null,
  -- Who did it, as in audit_log.actor. Empty: the service found out by itself.
  by_whom text not null,
  -- What the sentence needs, as it was then: names, hosts, counts. Never a secret.
  facts json not null,
  at timestamp(3) with time zone not null,
  -- A worker sends its mails until then; after that another may take it.
  taken_until timestamp(3) with time zone,
  -- When the mail server had taken a mail for every owner. Null: still to be sent.
  told_at timestamp(3) with time zone,
  -- Owners whose mail was taken already. They get no second one when the others' is tried again.
  told_users uuid[] not null default '{}'::uuid[],
  -- Owners who marked it as seen in the dashboard.
  seen_users uuid[] not null default '{}'::uuid[],
  constraint owner_notices_kind_check CHECK ((kind = ANY (ARRAY['phone_paired'::text, 'app_let_in'::text, 'signing_key_set'::text, 'webhook_created'::text, 'webhook_moved'::text, 'webhook_rotated'::text, 'key_created'::text, 'key_rotated'::text, 'key_loosened'::text, 'template_published'::text, 'template_retired'::text, 'trust_changed'::text, 'approval_asked'::text, 'secrets_lost'::text, 'webhook_failing'::text, 'webhook_disabled'::text, 'webhook_gone'::text, 'member_request'::text, 'booked_short'::text, 'owner_added'::text, 'owner_removed'::text, 'sign_in_new'::text, 'sign_in_wrong'::text, 'second_factor_changed'::text, 'factor_rule_changed'::text, 'pins_guessed'::text]))),
  constraint owner_notices_object_kind_check CHECK ((object_kind = ANY (ARRAY['phone'::text, 'webhook'::text, 'key'::text, 'template'::text, 'approval'::text, 'account'::text, 'member'::text, 'intent'::text, 'user'::text, 'wallet'::text, 'provider'::text]))),
  constraint owner_notices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint owner_notices_pkey PRIMARY KEY (account_id, id));
CREATE INDEX owner_notices_old ON public.owner_notices USING btree (at);
CREATE INDEX owner_notices_untold ON public.owner_notices USING btree (at) WHERE (told_at IS NULL);

-- Challenges that were answered: each works once.
create table passkey_challenges (
  -- SHA-256 of the challenge.
  hash bytea not null,
  -- Then the challenge is too old in any case, and the row is deleted.
  expires_at timestamp(3) with time zone not null,
  constraint passkey_challenges_hash_check CHECK ((length(hash) = 32)),
  constraint passkey_challenges_pkey PRIMARY KEY (hash));
CREATE INDEX passkey_challenges_over ON public.passkey_challenges USING btree (expires_at);

-- The passkeys of users. They are deleted with the last membership of the user.
create table passkeys (
  id uuid not null,
  user_id uuid not null,
  -- What the browser or the security key calls it.
  credential_id bytea not null,
  -- In COSE form. The private key never leaves the authenticator.
  public_key bytea not null,
  -- The last signature counter. 0: the authenticator does not count. A counter that does not grow is refused.
  counter bigint not null default 0,
  -- How a browser reaches the authenticator, as it said itself.
  transports text[] not null default '{}'::text[],
  -- Given by the user.
  name text not null,
  -- Whether the authenticator says that it is kept on several devices.
  synced boolean not null,
  created_at timestamp(3) with time zone not null,
  -- Null: it was never used since it was added.
  last_used_at timestamp(3) with time zone,
  constraint passkeys_counter_check CHECK ((counter >= 0)),
  constraint passkeys_credential_id_check CHECK (((length(credential_id) >= 1) AND (length(credential_id) <= 1023))),
  constraint passkeys_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 100))),
  constraint passkeys_public_key_check CHECK ((length(public_key) <= 4096)),
  constraint passkeys_transports_check CHECK ((cardinality(transports) <= 10)),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_id_key UNIQUE (credential_id));
CREATE INDEX passkeys_of_user ON public.passkeys USING btree (user_id);

-- A link that can be shared: whoever opens it and goes on to pay gets a checkout of their own.
create table payment_links (
  account_id uuid not null,
  id uuid not null,
  -- As of a checkout: SHA-256 of the token in the link.
  token_hash bytea not null,
  -- Switched off, it makes no more checkouts. Those that it has made go on.
  active boolean not null default true,
  -- In minor units. Null: the buyer says how much, between least and most.
  amount bigint,
  -- The smallest amount that a buyer may choose, in minor units. Null: the amount is fixed.
  least bigint,
  -- The largest amount that a buyer may choose, in minor units. Null: the amount is fixed.
  most bigint,
  currency text not null,
  external_order_id text not null default ''::text,
  description text not null default ''::text,
  -- The wallets that buyers may choose from. Empty: all that are offered.
  wallets uuid[] not null default '{}'::uuid[],
  -- Where a buyer is sent who has paid. Empty: nowhere.
  return_url text not null default ''::text,
  -- The merchant's own texts by name; its checkouts get them.
  metadata json not null default '{}'::json,
  -- The language of its pages: ar, en, or empty for the buyer's own.
  locale text not null default ''::text,
  -- Whether its checkouts let a buyer pay the rest after too small a payment.
  allow_remaining boolean not null default false,
  -- It is paid once: there is one open checkout at a time, and none after one was paid.
  once boolean not null default false,
  -- For how many seconds each checkout can be paid.
  life_s integer not null,
  -- The API key or the member that made it.
  created_by text not null,
  created_at timestamp(3) with time zone not null,
  -- How many checkouts it has made. Each of these four counts a checkout once, in the transaction in which it got so
  -- far.
  opened integer not null default 0,
  -- In how many of them a wallet was chosen.
  chosen integer not null default 0,
  -- In how many of them a reference was sent.
  sent integer not null default 0,
  -- How many of them are stored as COMPLETE.
  paid integer not null default 0,
  -- How often a browser has loaded the page of the link. Programs that preview links load no pictures of a page and are
  -- not counted.
  viewed integer not null default 0,
  constraint payment_links_amount_check CHECK (((amount >= 1) AND (amount <= '99999999999999'::bigint))),
  constraint payment_links_check CHECK ((((amount IS NULL) = ("least" IS NOT NULL)) AND (("least" IS NULL) = (most IS NULL)) AND ("least" <= most))),
  constraint payment_links_chosen_check CHECK ((chosen >= 0)),
  constraint payment_links_description_check CHECK ((char_length(description) <= 500)),
  constraint payment_links_external_order_id_check CHECK ((char_length(external_order_id) <= 128)),
  constraint payment_links_least_check CHECK ((("least" >= 1) AND ("least" <= '99999999999999'::bigint))),
  constraint payment_links_life_s_check CHECK (((life_s >= 300) AND (life_s <= 604800))),
  constraint payment_links_locale_check CHECK ((locale = ANY (ARRAY[''::text, 'ar'::text, 'en'::text]))),
  constraint payment_links_most_check CHECK (((most >= 1) AND (most <= '99999999999999'::bigint))),
  constraint payment_links_opened_check CHECK ((opened >= 0)),
  constraint payment_links_paid_check CHECK ((paid >= 0)),
  constraint payment_links_return_url_check CHECK ((char_length(return_url) <= 2000)),
  constraint payment_links_sent_check CHECK ((sent >= 0)),
  constraint payment_links_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint payment_links_viewed_check CHECK ((viewed >= 0)),
  constraint payment_links_wallets_check CHECK ((cardinality(wallets) <= 50)),
  constraint payment_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint payment_links_pkey PRIMARY KEY (account_id, id),
  constraint payment_links_token_hash_key UNIQUE (token_hash));

-- How often a phone with a forwarding app usually reports, and from when its silence is unusual. Written by a
-- background job, never while an alert is recorded.
create table phone_rhythms (
  device_id uuid not null,
  account_id uuid not null,
  -- Messages in each hour of the last 98 days at most: 24 characters for a day of the account's time zone, each 0-9 or
  -- a-z (35 and more). The last 24 characters are last_day.
  hours text not null default ''::text,
  -- The last day in hours, as days since 1970-01-01.
  last_day integer not null default 0,
  -- The newest alert of the phone that is counted in hours.
  counted_to uuid not null,
  -- The phone's last_seen_at when usual_at and alarm_at were computed: they hold while nothing newer was heard. Null:
  -- never.
  heard_at timestamp(3) with time zone,
  -- By then there is usually a message. Null: not judged.
  usual_at timestamp(3) with time zone,
  -- From then on the phone counts as silent. Null: not judged.
  alarm_at timestamp(3) with time zone,
  -- Why there is no alarm_at: learning (too short a time), too_few (too few messages). Empty: there is one.
  unjudged text not null default 'learning'::text,
  -- When the job may look at the phone again.
  due_at timestamp(3) with time zone not null,
  constraint phone_rhythms_hours_check CHECK (((length(hours) <= 2352) AND ((length(hours) % 24) = 0))),
  constraint phone_rhythms_unjudged_check CHECK ((unjudged = ANY (ARRAY[''::text, 'learning'::text, 'too_few'::text]))),
  constraint phone_rhythms_account_id_device_id_fkey FOREIGN KEY (account_id, device_id) REFERENCES devices(account_id, id) ON DELETE CASCADE,
  constraint phone_rhythms_pkey PRIMARY KEY (device_id));
CREATE INDEX phone_rhythms_due ON public.phone_rhythms USING btree (due_at);

-- How a phone was last set up: by the page that its one-time code opens, or by an owner in the dashboard.
create table phone_setups (
  account_id uuid not null,
  device_id uuid not null,
  -- SHA-256 of the token in the set-up page's cookie. It may set up this phone and nothing else. Null: the page was not
  -- opened.
  token_hash bytea,
  -- When the page was opened on the phone.
  opened_at timestamp(3) with time zone,
  -- When the session of the page ends.
  until timestamp(3) with time zone,
  -- The user who created the code, as in the audit log.
  opened_by text not null default ''::text,
  -- The app that was chosen on the page. Empty: none yet.
  chosen text not null default ''::text,
  -- When an app was chosen on the page.
  chosen_at timestamp(3) with time zone,
  -- How many addresses and codes the session has created; it may create ten.
  accesses smallint not null default 0,
  -- The app that access was last created for, by the page or in the dashboard. Empty: none yet, or not known.
  app text not null default ''::text,
  -- When SMS Gateway first called in this set-up. Null: not yet, or another app.
  registered_at timestamp(3) with time zone,
  -- When SMS Gateway took its settings. Null: not yet, or another app.
  configured_at timestamp(3) with time zone,
  constraint phone_setups_app_check CHECK ((app = ANY (ARRAY[''::text, 'agent'::text, 'smsgate'::text, 'sms-to-url'::text, 'sms-forwarder'::text, 'text'::text]))),
  constraint phone_setups_check CHECK ((((token_hash IS NULL) = (opened_at IS NULL)) AND ((opened_at IS NULL) = (until IS NULL)))),
  constraint phone_setups_chosen_check CHECK ((chosen = ANY (ARRAY[''::text, 'agent'::text, 'smsgate'::text, 'sms-to-url'::text, 'sms-forwarder'::text]))),
  constraint phone_setups_account_id_device_id_fkey FOREIGN KEY (account_id, device_id) REFERENCES devices(account_id, id) ON DELETE CASCADE,
  constraint phone_setups_pkey PRIMARY KEY (account_id, device_id),
  constraint phone_setups_token_hash_key UNIQUE (token_hash));

-- The tries of a counter's round, by the cashier they were for: a right PIN takes back the tries of its own cashier
-- alone.
create table pin_tries (
  account_id uuid not null,
  counter_id uuid not null,
  -- The cashier. The id of the counter itself: a cashier who is not on its list.
  user_id uuid not null,
  -- Together the fifteenth of a counter begins a pause of the counter.
  wrong integer not null,
  constraint pin_tries_wrong_check CHECK (((wrong >= 1) AND (wrong <= 15))),
  constraint pin_tries_account_id_counter_id_fkey FOREIGN KEY (account_id, counter_id) REFERENCES counters(account_id, id) ON DELETE CASCADE,
  constraint pin_tries_pkey PRIMARY KEY (account_id, counter_id, user_id));

-- The PINs of members. They work at the counters of the account and nowhere else.
create table pins (
  account_id uuid not null,
  user_id uuid not null,
  -- Argon2 of six digits, of an earlier version that did not seal it. Null: hash_sealed has it.
  hash text,
  -- When an owner last set it.
  set_at timestamp(3) with time zone not null,
  -- Tries of this round, at all counters. The fifth begins a pause.
  wrong integer not null default 0,
  -- How many pauses wrong PINs of this member have caused. The next one is longer.
  pauses integer not null default 0,
  -- This PIN is not checked before then.
  paused_until timestamp(3) with time zone,
  -- Tries that no right PIN took back.
  wrong_total integer not null default 0,
  -- When a wrong one was last tried. After a day without one the pauses start again.
  tried_at timestamp(3) with time zone,
  -- When the member last signed in with it. Null: not yet.
  used_at timestamp(3) with time zone,
  -- Another one with each new PIN. The sealed hash is bound to it.
  id uuid not null default gen_random_uuid(),
  -- Argon2 of six digits, sealed with the master key.
  hash_sealed bytea,
  -- Tries since day_since, also those that a right PIN took back.
  day_wrong integer not null default 0,
  -- When the day of day_wrong began; a day later the next try begins another. Null: not tried yet.
  day_since timestamp(3) with time zone,
  constraint pins_check CHECK (((hash IS NOT NULL) OR (hash_sealed IS NOT NULL))),
  constraint pins_day_wrong_check CHECK ((day_wrong >= 0)),
  constraint pins_hash_check CHECK ((char_length(hash) <= 300)),
  constraint pins_pauses_check CHECK ((pauses >= 0)),
  constraint pins_wrong_check CHECK (((wrong >= 0) AND (wrong <= 5))),
  constraint pins_wrong_total_check CHECK ((wrong_total >= 0)),
  constraint pins_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES members(account_id, user_id) ON DELETE CASCADE,
  constraint pins_pkey PRIMARY KEY (account_id, user_id),
  constraint pins_id_key UNIQUE (id));

-- A wallet company, such as Jawali. Most come with Sanad and are written at the start of the service.
create table providers (
  id uuid not null,
  -- The account that entered it for itself. Null: shared by all accounts, the operator's.
  account_id uuid,
  -- Short name for programs, such as jawali.
  name text not null,
  -- Its name in English, and wherever there is only one.
  display_name text not null,
  -- #RRGGBB, to distinguish wallets on screens; not the colour of the brand.
  theme_color text not null,
  -- A picture of the company, for merchants' pages. Empty: none.
  logo_url text not null default ''::text,
  -- Android packages of the provider's own app. A notification of another app is never believed. Empty: not known.
  packages text[] not null default '{}'::text[],
  -- Whether the provider is at work. Shown to merchants with each wallet.
  status text not null default 'ACTIVE'::text,
  -- Counts changes, so that a remembered copy can be checked when an intent is created.
  version integer not null default 1,
  -- Its name in Arabic. Empty: it has only the other one.
  display_name_ar text not null default ''::text,
  -- ISO 3166-1, two letters. Empty: none was said; it is listed with the companies of the account's own country.
  country text not null default ''::text,
  -- How a buyer pays with it, one short sentence a step, in Arabic. Empty in both languages: the steps that Sanad has
  -- for all.
  pay_steps_ar text[] not null default '{}'::text[],
  -- The same in English.
  pay_steps_en text[] not null default '{}'::text[],
  -- A link that opens the app of the provider on the buyer's phone; {account} and {amount} stand for where to send how
  -- much. Null: none is known.
  app_link text,
  -- How many digits its account numbers have, without the international prefix. Empty: any number.
  number_lengths smallint[] not null default '{}'::smallint[],
  -- The digits that its account numbers begin with. Empty: any.
  number_prefixes text[] not null default '{}'::text[],
  constraint providers_app_link_form CHECK (((char_length(app_link) <= 300) AND (app_link ~ '^[a-z][a-z0-9+.-]*:[^[:space:]<>"'']+$'::text))),
  constraint providers_country_check CHECK ((country ~ '^([A-Z]{2})?$'::text)),
  constraint providers_display_name_ar_check CHECK ((char_length(display_name_ar) <= 100)),
  constraint providers_display_name_check CHECK ((char_length(display_name) <= 100)),
  constraint providers_lengths_few CHECK ((cardinality(number_lengths) <= 10)),
  constraint providers_logo_url_check CHECK ((char_length(logo_url) <= 500)),
  constraint providers_name_check CHECK (((name <> ''::text) AND (char_length(name) <= 100))),
  constraint providers_packages_few CHECK ((cardinality(packages) <= 20)),
  constraint providers_prefixes_few CHECK ((cardinality(number_prefixes) <= 30)),
  constraint providers_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'INACTIVE'::text, 'MAINTENANCE'::text]))),
  constraint providers_steps_ar_few CHECK ((cardinality(pay_steps_ar) <= 6)),
  constraint providers_steps_en_few CHECK ((cardinality(pay_steps_en) <= 6)),
  constraint providers_theme_color_check CHECK ((theme_color ~ '^#[0-9A-F]{6}$'::text)),
  constraint providers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint providers_pkey PRIMARY KEY (id));
-- A shared provider is known by its name.
CREATE UNIQUE INDEX providers_shared_name ON public.providers USING btree (name) WHERE (account_id IS NULL);

-- Browsers that subscribed to notifications. A device is gone with its member and with its session, or when its push
-- service says so.
create table push_devices (
  account_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  -- The session in which it subscribed. When that is ended by someone, the device is deleted.
  session_id uuid not null,
  -- SHA-256 of the address at the push service: a browser is the device of one member.
  address_hash bytea not null,
  -- Address and keys of the subscription, as JSON.
  subscription_sealed bytea not null,
  -- The host of its push service.
  service text not null,
  -- The browser's User-Agent header.
  agent text not null default ''::text,
  created_at timestamp(3) with time zone not null,
  -- When the push service last took a message. Null: never.
  sent_at timestamp(3) with time zone,
  -- Messages that were given up since then. After some the device is deleted.
  failures smallint not null default 0,
  -- When there is something to do for it. Null: nothing.
  next_at timestamp(3) with time zone,
  -- A worker sends to it until then; after that another may.
  taken_until timestamp(3) with time zone,
  -- What is being sent: the same text at every attempt, with an id that the device knows. Null: nothing.
  message json,
  -- When the message was put together. An old one is dropped.
  message_at timestamp(3) with time zone,
  -- How often the message was tried, counted before each attempt.
  attempts smallint not null default 0,
  constraint push_devices_agent_check CHECK ((char_length(agent) <= 300)),
  constraint push_devices_message CHECK (((message IS NULL) = (message_at IS NULL))),
  constraint push_devices_service_check CHECK ((char_length(service) <= 255)),
  constraint push_devices_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES members(account_id, user_id) ON DELETE CASCADE,
  constraint push_devices_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint push_devices_pkey PRIMARY KEY (account_id, id),
  constraint push_devices_address_hash_key UNIQUE (address_hash),
  constraint push_devices_id_key UNIQUE (id));
CREATE INDEX push_devices_due ON public.push_devices USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX push_devices_of_member ON public.push_devices USING btree (account_id, user_id);
CREATE INDEX push_devices_of_session ON public.push_devices USING btree (session_id);

-- The key pair by which push services know this service (VAPID). One row, made at the first start. Browsers subscribe
-- with its public key: with another pair every device must subscribe again.
create table push_keys (
  id uuid not null,
  -- Always true, and unique: of two nodes that start at once, one stores its pair.
  only_one boolean not null default true,
  -- Base64url, as browsers take it.
  public_key text not null,
  -- What the service signs with.
  private_sealed bytea not null,
  created_at timestamp(3) with time zone not null,
  constraint push_keys_only_one_check CHECK (only_one),
  constraint push_keys_public_key_check CHECK ((char_length(public_key) <= 200)),
  constraint push_keys_pkey PRIMARY KEY (id),
  constraint push_keys_only_one_key UNIQUE (only_one));

-- What a device is to be notified of, summed up: one row for each kind and currency.
create table push_pending (
  account_id uuid not null,
  device_id uuid not null,
  -- test: the member asked for a notification, to see that they arrive. notice: of owner_notices or user_notices.
  kind text not null,
  -- Empty: a kind without amounts.
  currency text not null default ''::text,
  -- How many.
  count integer not null,
  -- The sum, in minor units.
  amount bigint not null default 0,
  -- When the first of them happened. Old ones are dropped.
  first_at timestamp(3) with time zone not null,
  constraint push_pending_amount_check CHECK ((amount >= 0)),
  constraint push_pending_count_check CHECK ((count > 0)),
  constraint push_pending_kind_check CHECK ((kind = ANY (ARRAY['request_asked'::text, 'request_decided'::text, 'money'::text, 'unmatched'::text, 'wrong_amount'::text, 'phone_silent'::text, 'endpoint_failing'::text, 'notice'::text, 'test'::text]))),
  constraint push_pending_account_id_device_id_fkey FOREIGN KEY (account_id, device_id) REFERENCES push_devices(account_id, id) ON DELETE CASCADE,
  constraint push_pending_pkey PRIMARY KEY (account_id, device_id, kind, currency));

-- What a member wants to be notified of. No row: everything, at any hour.
create table push_settings (
  account_id uuid not null,
  user_id uuid not null,
  -- What the member wants. What their role may not read is not sent all the same.
  kinds text[] not null,
  -- Minutes after midnight in the zone of the account. Null: no quiet hours.
  quiet_from smallint,
  -- Smaller than quiet_from: on the next day.
  quiet_until smallint,
  -- The member has a counter screen open until then, and sees money arrive there. Null: never.
  counter_until timestamp(3) with time zone,
  constraint push_settings_kinds_check CHECK ((kinds <@ ARRAY['request_asked'::text, 'request_decided'::text, 'money'::text, 'unmatched'::text, 'wrong_amount'::text, 'phone_silent'::text, 'endpoint_failing'::text])),
  constraint push_settings_quiet CHECK ((((quiet_from IS NULL) = (quiet_until IS NULL)) AND (quiet_from <> quiet_until))),
  constraint push_settings_quiet_from_check CHECK (((quiet_from >= 0) AND (quiet_from <= 1439))),
  constraint push_settings_quiet_until_check CHECK (((quiet_until >= 0) AND (quiet_until <= 1439))),
  constraint push_settings_account_id_user_id_fkey FOREIGN KEY (account_id, user_id) REFERENCES members(account_id, user_id) ON DELETE CASCADE,
  constraint push_settings_pkey PRIMARY KEY (account_id, user_id));

-- What was put into push_pending, or was not because nobody wanted it: each once, whichever nodes look. Only for
-- accounts with devices.
create table push_told (
  account_id uuid not null,
  -- As push_settings.kinds, or notice.
  kind text not null,
  -- The alert; the phone and when it was last seen; the endpoint and since when it fails.
  object text not null,
  -- Longer than the time in which the object could be found again.
  keep_until timestamp(3) with time zone not null,
  constraint push_told_kind_check CHECK ((kind = ANY (ARRAY['request_asked'::text, 'request_decided'::text, 'money'::text, 'unmatched'::text, 'wrong_amount'::text, 'phone_silent'::text, 'endpoint_failing'::text, 'notice'::text]))),
  constraint push_told_object_check CHECK ((char_length(object) <= 100)),
  constraint push_told_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint push_told_pkey PRIMARY KEY (account_id, kind, object));
CREATE INDEX push_told_over ON public.push_told USING btree (keep_until);

-- Intents created in a calendar month, only for accounts with a quota. Whoever creates an intent locks the row while
-- counting.
create table quota_months (
  account_id uuid not null,
  -- The first day of the month, in the time zone of the service.
  month date not null,
  -- How many intents of this month count against the quota.
  used integer not null,
  constraint quota_months_used_check CHECK ((used >= 0)),
  constraint quota_months_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint quota_months_pkey PRIMARY KEY (account_id, month));

-- References that were refused to an intent because another intent has them, or their money. At most five on one
-- reference of a real wallet, and five of one intent. It proves nothing by itself.
create table reference_claims (
  account_id uuid not null,
  -- The claimer: the intent that did not get the reference.
  intent_id uuid not null,
  wallet_id uuid not null,
  -- The real wallet (wallets.identity). Follows when entries of one wallet are merged.
  identity uuid not null,
  -- The reference as it is compared, as intents.reference_key.
  reference_key text not null,
  -- As it was typed for the claimer.
  reference text not null,
  -- As intents.created_by, or "checkout": the buyer, on the page.
  by text not null,
  claimed_at timestamp(3) with time zone not null,
  constraint reference_claims_reference_check CHECK (((reference <> ''::text) AND (char_length(reference) <= 128))),
  constraint reference_claims_account_id_intent_id_fkey FOREIGN KEY (account_id, intent_id) REFERENCES intents(account_id, id),
  constraint reference_claims_account_id_wallet_id_identity_fkey FOREIGN KEY (account_id, wallet_id, identity) REFERENCES wallets(account_id, id, identity) ON UPDATE CASCADE,
  constraint reference_claims_pkey PRIMARY KEY (account_id, intent_id, reference_key));
CREATE INDEX reference_claims_old ON public.reference_claims USING btree (claimed_at);
CREATE INDEX reference_claims_reference ON public.reference_claims USING btree (identity, reference_key);

-- How far the job has come that erases what is too old. A node that works on a row has locked it.
create table retention_progress (
  account_id uuid not null,
  -- What is erased. late_texts: texts that a member still had to decide about when texts came by. customers: of
  -- checkouts; audit_payers: buyers in entries of the audit log, which stay; both and payers follow the setting payers.
  kind text not null,
  -- Everything up to this id, which begins with a time, has been looked at.
  erased_to uuid not null,
  -- When there is something to do again.
  due_at timestamp(3) with time zone not null,
  constraint retention_progress_kind_check CHECK ((kind = ANY (ARRAY['texts'::text, 'late_texts'::text, 'no_money'::text, 'payers'::text, 'customers'::text, 'audit_payers'::text, 'api_calls'::text, 'audit'::text]))),
  constraint retention_progress_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint retention_progress_pkey PRIMARY KEY (account_id, kind));
CREATE INDEX retention_progress_due ON public.retention_progress USING btree (due_at);

-- For how many days an account keeps what is not needed for ever. Null: as long as the service says (SANAD_KEEP_DAYS).
create table retention_settings (
  account_id uuid not null,
  -- Texts of alerts that are money, and the payers that they name.
  texts integer,
  -- Messages that no template reads as money.
  no_money integer,
  -- Names and phones that were claimed for intents or sent with checkouts.
  payers integer,
  -- The log of API calls.
  api_calls integer,
  -- The audit log.
  audit integer,
  constraint retention_settings_api_calls_check CHECK (((api_calls >= 1) AND (api_calls <= 36500))),
  constraint retention_settings_audit_check CHECK (((audit >= 1) AND (audit <= 36500))),
  constraint retention_settings_no_money_check CHECK (((no_money >= 1) AND (no_money <= 36500))),
  constraint retention_settings_payers_check CHECK (((payers >= 1) AND (payers <= 36500))),
  constraint retention_settings_texts_check CHECK (((texts >= 1) AND (texts <= 36500))),
  constraint retention_settings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint retention_settings_pkey PRIMARY KEY (account_id));

-- The limits of a role. A role without a row has the usual ones; owners have none.
create table role_limits (
  account_id uuid not null,
  -- Whom it limits: managers or cashiers. Owners have no limit.
  role text not null,
  -- Of both amounts. They allow nothing in another currency.
  currency text not null,
  -- How far a booking may fall short of its order. Null: as far as it likes.
  most_short bigint,
  -- How much may be booked by hand in one step. Null: any amount.
  most_booked bigint,
  -- Whether the role may cancel intents and checkouts.
  cancels boolean not null,
  -- Whether the role may take walk-in money as a sale.
  takes_sales boolean not null,
  -- Whether the role sees other days than today.
  sees_other_days boolean not null default true,
  constraint role_limits_currency_check CHECK ((currency <> ''::text)),
  constraint role_limits_most_booked_check CHECK ((most_booked >= 0)),
  constraint role_limits_most_short_check CHECK ((most_short >= 0)),
  constraint role_limits_role_check CHECK ((role = ANY (ARRAY['manager'::text, 'cashier'::text]))),
  constraint role_limits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint role_limits_pkey PRIMARY KEY (account_id, role));

-- Made-up events that a developer asked for (sanad trigger), for those who listen (sanad listen). Not events: never in
-- a replay. Deleted after an hour.
create table sample_events (
  account_id uuid not null,
  id uuid not null,
  -- Such as payment.verified.
  kind text not null,
  -- The JSON text, signed and sent as it is.
  body text not null,
  created_at timestamp(3) with time zone not null,
  constraint sample_events_pkey PRIMARY KEY (account_id, id));
CREATE INDEX sample_events_old ON public.sample_events USING btree (created_at);

-- What the whole service did in an hour, for its operator. Deleted after some days.
create table service_hours (
  -- The start of the hour, in UTC.
  hour timestamp(3) with time zone not null,
  -- Messages and payments before this time are counted.
  counted_until timestamp(3) with time zone not null,
  -- How many alerts were stored in the hour, of all accounts.
  messages bigint not null default 0,
  -- How many intents were verified in the hour, of all accounts.
  payments bigint not null default 0,
  -- The longest time in seconds that a delivery, of an endpoint that may be called, was seen waiting. Null: never
  -- looked in this hour.
  lag_s integer,
  -- The most phones that were switched on. Null: never looked in this hour.
  phones integer,
  -- The most phones that were silent at once. Null: never looked in this hour.
  silent_phones integer,
  constraint service_hours_counted CHECK (((counted_until >= hour) AND (counted_until <= (hour + '01:00:00'::interval)))),
  constraint service_hours_lag_s_check CHECK ((lag_s >= 0)),
  constraint service_hours_messages_check CHECK ((messages >= 0)),
  constraint service_hours_payments_check CHECK ((payments >= 0)),
  constraint service_hours_phones_check CHECK ((phones >= 0)),
  constraint service_hours_silent_phones_check CHECK ((silent_phones >= 0)),
  constraint service_hours_pkey PRIMARY KEY (hour));

-- A browser that is signed in. Rows are deleted some time after they are over.
create table sessions (
  id uuid not null,
  -- SHA-256 of the cookie.
  token_hash bytea,
  user_id uuid not null,
  -- The account that the user acts for now. Null: a member of none.
  account_id uuid,
  created_at timestamp(3) with time zone not null,
  -- Written at most once a minute. A week without use ends the session.
  last_seen_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  -- Ended by hand. Null: open, or over by time.
  ended_at timestamp(3) with time zone,
  -- IP address at sign-in.
  address text not null default ''::text,
  -- The browser's User-Agent header.
  agent text not null default ''::text,
  -- browser: by a cookie. token: of an access token for scripts.
  kind text not null default 'browser'::text,
  -- When the user last proved that it is them: at sign-in, or by a password, a code or a passkey later. Null: a session
  -- from before proofs were stored.
  proved_at timestamp(3) with time zone,
  constraint sessions_address_check CHECK ((char_length(address) <= 64)),
  constraint sessions_agent_check CHECK ((char_length(agent) <= 300)),
  constraint sessions_kind_check CHECK ((kind = ANY (ARRAY['browser'::text, 'token'::text]))),
  constraint sessions_kind_has_hash CHECK (((kind = 'browser'::text) = (token_hash IS NOT NULL))),
  constraint sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_hash_key UNIQUE (token_hash));
CREATE INDEX sessions_of_user ON public.sessions USING btree (user_id, id);
CREATE INDEX sessions_over ON public.sessions USING btree (expires_at);

-- When a member worked at the counter. The shifts of one member do not overlap.
create table shifts (
  account_id uuid not null,
  id uuid not null,
  -- The member. Stays when the member leaves the account.
  user_id uuid not null,
  -- After the end of the member's shift before. What is taken at this instant belongs to it.
  started_at timestamp(3) with time zone not null,
  -- A shift that nobody ended is over then, whether ended_at was written or not.
  latest_end timestamp(3) with time zone not null,
  -- What is taken at this instant still belongs to it. Null: nobody has ended it.
  ended_at timestamp(3) with time zone,
  -- Who ended it, as in audit_log.actor. Empty: nobody; it ended at latest_end.
  ended_by text not null default ''::text,
  constraint shifts_ended_by CHECK (((ended_at IS NOT NULL) OR (ended_by = ''::text))),
  constraint shifts_ended_by_check CHECK ((char_length(ended_by) <= 300)),
  constraint shifts_order CHECK (((latest_end > started_at) AND ((ended_at >= started_at) AND (ended_at <= latest_end)))),
  constraint shifts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint shifts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint shifts_pkey PRIMARY KEY (account_id, id));
CREATE INDEX shifts_of_member ON public.shifts USING btree (account_id, user_id, started_at);
CREATE INDEX shifts_own ON public.shifts USING btree (account_id, user_id, id);
-- A member has at most one shift that nobody has ended.
CREATE UNIQUE INDEX shifts_open ON public.shifts USING btree (account_id, user_id) WHERE (ended_at IS NULL);

-- Wrong sign-ins of a user that are not announced yet, and how many were since the last announcement.
create table sign_in_failures (
  -- The user; or one of a few ids that belong to nobody, so that a wrong sign-in takes as long for an address that
  -- nobody has.
  user_key uuid not null,
  -- When the last wrong sign-ins were, ten at most, the newest first.
  recent timestamp(3) with time zone[] not null default '{}'::timestamp with time zone[],
  -- How many wrong sign-ins the last announcement counts.
  counted bigint not null default 0,
  -- When they were announced last. Null: never.
  told_at timestamp(3) with time zone,
  constraint sign_in_failures_recent_check CHECK ((cardinality(recent) <= 10)),
  constraint sign_in_failures_pkey PRIMARY KEY (user_key));

-- Which member took a payment: took it as a sale, booked it, or, if no member did, was the first to hand it over.
-- Deleted when a sale is undone.
create table takings (
  account_id uuid not null,
  alert_id uuid not null,
  user_id uuid not null,
  -- When. It belongs to the shift that the member had at that instant; none: to no shift.
  at timestamp(3) with time zone not null,
  constraint takings_account_id_alert_id_fkey FOREIGN KEY (account_id, alert_id) REFERENCES alerts(account_id, id),
  constraint takings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint takings_pkey PRIMARY KEY (account_id, alert_id));
CREATE INDEX takings_of_member ON public.takings USING btree (account_id, user_id, at);

-- How far counting has come. One row; whoever counts locks it.
create table tally_progress (
  -- Always true: there cannot be a second row.
  one boolean not null default true,
  -- Hours before this one are counted.
  sealed_until timestamp(3) with time zone not null,
  constraint tally_progress_one_check CHECK (one),
  constraint tally_progress_pkey PRIMARY KEY (one));

-- The intent that an amount of a real wallet was given to last: one at a time. It is given again when that intent has
-- ended and its rest is over. Only amounts that differ from the order's own amount are here.
create table unique_amounts (
  -- The real wallet (wallets.identity).
  identity uuid not null,
  -- The amount, in minor units.
  payable bigint not null,
  account_id uuid not null,
  intent_id uuid not null,
  constraint unique_amounts_account_id_intent_id_fkey FOREIGN KEY (account_id, intent_id) REFERENCES intents(account_id, id),
  constraint unique_amounts_pkey PRIMARY KEY (identity, payable),
  constraint unique_amounts_one UNIQUE (account_id, intent_id));

-- A link to join an account, to set a new password, or to prove the address of a signed-in user. It works once.
create table user_links (
  -- SHA-256 of the secret in the link.
  token_hash bytea not null,
  -- Names the link where its secret must not appear, as in the list of invitations.
  id uuid not null,
  -- invite: joins an account. reset: sets a new password.
  purpose text not null,
  email text not null,
  -- reset: whose password is set. prove: whose address is proved. invite: who accepted.
  user_id uuid,
  -- invite: the account to join. reset: null.
  account_id uuid,
  -- invite: what the new member may do.
  role text,
  -- Who invited. Null: a command of the operator, or the user asked for the reset.
  made_by uuid,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  -- Used, or void because the password was set by another link. Null: good until it expires.
  used_at timestamp(3) with time zone,
  -- invite: SHA-256 of the secret in the link that was mailed to the address, which nobody else was shown. Null: not
  -- mailed.
  mail_token_hash bytea,
  -- invite: the wallets that the new member will see; empty: none. Null: all.
  wallets uuid[],
  constraint user_links_check CHECK ((((purpose = ANY (ARRAY['reset'::text, 'prove'::text])) AND (user_id IS NOT NULL)) OR ((purpose = 'invite'::text) AND (account_id IS NOT NULL) AND (role IS NOT NULL)))),
  constraint user_links_email_check CHECK (((email = lower(email)) AND (char_length(email) <= 254))),
  constraint user_links_limited CHECK (((wallets IS NULL) OR ((purpose = 'invite'::text) AND (role <> 'owner'::text)))),
  constraint user_links_mail_token_check CHECK (((mail_token_hash IS NULL) OR (purpose = 'invite'::text))),
  constraint user_links_purpose_check CHECK ((purpose = ANY (ARRAY['invite'::text, 'reset'::text, 'prove'::text]))),
  constraint user_links_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'manager'::text, 'cashier'::text, 'viewer'::text]))),
  constraint user_links_wallets_check CHECK ((cardinality(wallets) <= 200)),
  constraint user_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint user_links_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id),
  constraint user_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint user_links_pkey PRIMARY KEY (token_hash),
  constraint user_links_id_key UNIQUE (id),
  constraint user_links_mail_token_hash_key UNIQUE (mail_token_hash));
CREATE INDEX user_links_of_account ON public.user_links USING btree (account_id, id) WHERE (purpose = 'invite'::text);
CREATE INDEX user_links_of_user ON public.user_links USING btree (user_id) WHERE ((purpose = 'reset'::text) AND (used_at IS NULL));
CREATE INDEX user_links_over ON public.user_links USING btree (expires_at);
CREATE INDEX user_links_to_prove ON public.user_links USING btree (user_id) WHERE ((purpose = 'prove'::text) AND (used_at IS NULL));
-- An account has one open invitation for an address: of two who invite the same person together, one finds the other's.
CREATE UNIQUE INDEX user_links_open_invitation ON public.user_links USING btree (account_id, email) WHERE ((purpose = 'invite'::text) AND (used_at IS NULL));

-- What a user is notified of about themselves, whichever accounts they have.
create table user_notices (
  user_id uuid not null,
  id uuid not null,
  -- What happened to the user: a sign-in, a second factor, a password, a role.
  kind text not null,
  -- The account that it happened in. Null: it concerns the user in every account.
  account_id uuid,
  -- It ended the user's ownership of the account. Notices to its owners that are still to be sent go to this user too.
  was_owner boolean not null default false,
  -- As owner_notices.by_whom.
  by_whom text not null,
  -- As owner_notices.facts.
  facts json not null,
  at timestamp(3) with time zone not null,
  -- A worker sends its mail until then; after that another may take it.
  taken_until timestamp(3) with time zone,
  -- When the mail server had taken the mail. Null: still to be sent.
  told_at timestamp(3) with time zone,
  -- When the user marked it as seen in the dashboard.
  seen_at timestamp(3) with time zone,
  constraint user_notices_kind_check CHECK ((kind = ANY (ARRAY['sign_in_new'::text, 'sign_in_wrong'::text, 'second_factor_changed'::text, 'password_changed'::text, 'role_changed'::text, 'membership_ended'::text, 'operator_changed'::text]))),
  constraint user_notices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint user_notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint user_notices_pkey PRIMARY KEY (user_id, id));
CREATE INDEX user_notices_old ON public.user_notices USING btree (at);
CREATE INDEX user_notices_owners ON public.user_notices USING btree (account_id, at) WHERE was_owner;
CREATE INDEX user_notices_untold ON public.user_notices USING btree (at) WHERE (told_at IS NULL);

-- A person who signs in. One user may be a member of several accounts.
create table users (
  id uuid not null,
  -- In lower case; what the user signs in with. Null: a cashier who signs in at a counter, with a PIN alone.
  email text,
  name text not null default ''::text,
  -- Argon2. Null: no password was set yet, the user cannot sign in with one.
  password_hash text,
  -- Hosts the service: may look across accounts.
  operator boolean not null default false,
  -- Secret of the second factor. Set and totp_since null: being set up.
  totp_sealed bytea,
  -- Since when a second factor is required. Null: none.
  totp_since timestamp(3) with time zone,
  -- The last 30-second step whose code was accepted: a code works once.
  totp_step bigint not null default 0,
  -- Keyed hashes (HMAC-SHA-256) of the recovery codes that are left; each code works once instead of a second factor.
  recovery bytea[] not null default '{}'::bytea[],
  -- Sessions and tokens from before are over. Moves forward when a password or second factor changes.
  valid_from timestamp(3) with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  created_at timestamp(3) with time zone not null,
  -- An operator has shut the user out. Null: may sign in.
  disabled_at timestamp(3) with time zone,
  -- When the address was proved: by a link that was mailed to it, or by an operator's command. Null: whoever invited
  -- this user may have opened the link.
  proved_at timestamp(3) with time zone,
  -- Who made the invitation that created this user. Null: an operator's command, or not known.
  invited_by uuid,
  -- The account of that invitation.
  invited_to uuid,
  constraint users_email_check CHECK (((email = lower(email)) AND (char_length(email) <= 254))),
  constraint users_name_check CHECK ((char_length(name) <= 200)),
  constraint users_without_email CHECK (((email IS NOT NULL) OR ((password_hash IS NULL) AND (NOT operator)))),
  constraint users_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id),
  constraint users_invited_to_fkey FOREIGN KEY (invited_to) REFERENCES accounts(id),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email));

-- Public addresses of intents, one row for each address. A revoked address stays, for the timeline.
create table vouchers (
  account_id uuid not null,
  id uuid not null,
  intent_id uuid not null,
  -- The SHA-256 of the token in the address.
  token_hash bytea not null,
  -- Who shared it, as in audit_log.actor; the buyer's page is 'checkout'.
  shared_by text not null,
  -- When the address was made.
  shared_at timestamp(3) with time zone not null,
  -- Who revoked it. Null: the address works.
  revoked_by text,
  -- Since when the address does not work. Null: it works.
  revoked_at timestamp(3) with time zone,
  constraint vouchers_revoked CHECK (((revoked_by IS NULL) = (revoked_at IS NULL))),
  constraint vouchers_revoked_by_check CHECK ((char_length(revoked_by) <= 300)),
  constraint vouchers_shared_by_check CHECK ((char_length(shared_by) <= 300)),
  constraint vouchers_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint vouchers_account_id_intent_id_fkey FOREIGN KEY (account_id, intent_id) REFERENCES intents(account_id, id),
  constraint vouchers_pkey PRIMARY KEY (account_id, id),
  constraint vouchers_token_hash_key UNIQUE (token_hash));
CREATE INDEX vouchers_intent ON public.vouchers USING btree (account_id, intent_id, id);
-- An intent has one public address at a time.
CREATE UNIQUE INDEX vouchers_live ON public.vouchers USING btree (account_id, intent_id) WHERE (revoked_at IS NULL);

-- The last balance of a real wallet that is believed, one row each. Whoever records an alert with a balance locks it
-- (docs/decisions/0016).
create table wallet_balances (
  -- The first entry of the real wallet: its id is the identity.
  wallet_id uuid not null,
  -- In minor units. Moves only by alerts that follow from it.
  balance bigint not null,
  -- The alert that showed it last.
  alert_id uuid not null,
  -- When it was shown or worked out.
  at timestamp(3) with time zone not null,
  -- Balances that were shown and did not follow, until one of them is proved (alerts/balances/balance-chain.ts).
  doubts json not null default '{}'::json,
  -- A doubtful balance was proved: alerts that waited because of it are still to be matched.
  to_release boolean not null default false,
  constraint wallet_balances_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id),
  constraint wallet_balances_pkey PRIMARY KEY (wallet_id));
CREATE INDEX wallet_balances_to_release ON public.wallet_balances USING btree (wallet_id) WHERE to_release;

-- Account numbers under which a real wallet was ever entered: one that was corrected still names the same wallet. The
-- primary key makes a number one wallet's.
create table wallet_numbers (
  account_id uuid not null,
  provider_id uuid not null,
  -- The digits alone, without the international prefix (wallets/identity/account-number.ts).
  number_key text not null,
  -- As in wallets.identity.
  identity uuid not null,
  constraint wallet_numbers_number_key_check CHECK (((number_key <> ''::text) AND (char_length(number_key) <= 64))),
  constraint wallet_numbers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint wallet_numbers_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint wallet_numbers_pkey PRIMARY KEY (account_id, provider_id, number_key));

-- Further phones of a wallet. The first one is in the wallet's own row.
create table wallet_phones (
  account_id uuid not null,
  wallet_id uuid not null,
  device_id uuid not null,
  -- The slot of the SIM that gets the wallet's messages. Empty: any.
  sim_slot text not null default ''::text,
  -- Since when the phone reports for the wallet.
  added_at timestamp(3) with time zone not null,
  constraint wallet_phones_sim_slot_check CHECK ((sim_slot = ANY (ARRAY[''::text, 'SIM1'::text, 'SIM2'::text]))),
  constraint wallet_phones_account_id_device_id_fkey FOREIGN KEY (account_id, device_id) REFERENCES devices(account_id, id),
  constraint wallet_phones_account_id_wallet_id_fkey FOREIGN KEY (account_id, wallet_id) REFERENCES wallets(account_id, id),
  constraint wallet_phones_pkey PRIMARY KEY (wallet_id, device_id));
CREATE INDEX wallet_phones_of_device ON public.wallet_phones USING btree (device_id);

-- A wallet as a merchant entered it. Entries are closed, never deleted; the same real wallet may have several, at most
-- one of them open.
create table wallets (
  id uuid not null,
  account_id uuid not null,
  -- Which real wallet it is (provider and account number): the id of its first entry, shared by all its entries. A
  -- payment is unique by it.
  identity uuid not null,
  provider_id uuid not null,
  -- Its first phone; further ones are in wallet_phones. Null: nobody reports its messages.
  device_id uuid,
  -- The slot of the first phone's SIM. Empty: any.
  sim_slot text not null default ''::text,
  name text not null,
  -- As the merchant entered it; buyers are shown it.
  account_number text not null,
  -- The sender of its messages, as phones show it. Empty: none, so no message is of this wallet.
  sender_name text not null default ''::text,
  currency text not null default 'YER'::text,
  -- False: closed. It takes no new intents; what was spent there stays spent.
  active boolean not null default true,
  -- The account's test wallet: payments can be simulated, quotas and figures leave it out.
  is_test boolean not null default false,
  -- Credits above this amount (minor units) wait for a user. Null: no such limit.
  review_above bigint,
  -- Unsigned credits above this amount (minor units) wait for a user. 0: all of them.
  low_trust_limit bigint not null default 0,
  -- Credits whose balance does not follow from the one before wait for a user.
  review_broken_chains boolean not null default true,
  -- Counts changes, so that a remembered copy can be checked when an intent is created.
  version integer not null default 1,
  -- Its phones, sender or provider changed: unread alerts of its sender are to be read again.
  reread boolean not null default false,
  -- When they were read again the first time; once more when every node knows of the change. Null: not yet.
  reread_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  -- Whether buyers are asked for a little more or a little less than the order's amount, each for another. Only an
  -- owner changes it.
  unique_amounts text not null default 'off'::text,
  -- The largest difference, in whole units of the currency.
  unique_amounts_most smallint not null default 99,
  -- A credit waits for a user if it may be a spent payment in another message, also if the same phone reported both and
  -- they were sent more than ten minutes apart.
  review_later_messages boolean not null default true,
  -- When the first credit was reported under its present account number. Null: none yet.
  first_received_at timestamp(3) with time zone,
  -- Since when messages of its sender count for it. Null: from the start, or the operator's templates name the sender.
  -- A sender of less than a day is a doubt.
  sender_at timestamp(3) with time zone,
  -- Every sender that it ever had. An entry that begins to receive messages of one of them starts from its limits.
  senders_had text[] not null default '{}'::text[],
  constraint wallets_account_number_check CHECK ((char_length(account_number) <= 64)),
  constraint wallets_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint wallets_low_trust_limit_check CHECK ((low_trust_limit >= 0)),
  constraint wallets_name_check CHECK (((name <> ''::text) AND (char_length(name) <= 100))),
  constraint wallets_review_above_check CHECK ((review_above >= 0)),
  constraint wallets_sender_name_check CHECK ((char_length(sender_name) <= 64)),
  constraint wallets_sim_slot_check CHECK ((sim_slot = ANY (ARRAY[''::text, 'SIM1'::text, 'SIM2'::text]))),
  constraint wallets_unique_amounts_check CHECK ((unique_amounts = ANY (ARRAY['off'::text, 'more'::text, 'less'::text]))),
  constraint wallets_unique_amounts_most_check CHECK (((unique_amounts_most >= 1) AND (unique_amounts_most <= 99))),
  constraint wallets_account_id_device_id_fkey FOREIGN KEY (account_id, device_id) REFERENCES devices(account_id, id),
  constraint wallets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint wallets_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint wallets_pkey PRIMARY KEY (id),
  constraint wallets_account_id_id_key UNIQUE (account_id, id),
  -- Target of the foreign keys of intents and alerts, which hold their copies of identity true.
  constraint wallets_identity_key UNIQUE (account_id, id, identity));
CREATE INDEX wallets_of_account ON public.wallets USING btree (account_id, name, id);
CREATE INDEX wallets_of_device ON public.wallets USING btree (device_id);
CREATE INDEX wallets_of_provider ON public.wallets USING btree (provider_id);
CREATE INDEX wallets_to_reread ON public.wallets USING btree (account_id, id) WHERE reread;
-- A real wallet has one open entry in an account.
CREATE UNIQUE INDEX wallets_one_open ON public.wallets USING btree (account_id, identity) WHERE active;
-- An account has one test wallet.
CREATE UNIQUE INDEX wallets_one_test ON public.wallets USING btree (account_id) WHERE is_test;
CREATE TRIGGER wallets_own_identity BEFORE INSERT ON public.wallets FOR EACH ROW WHEN ((new.identity IS NULL)) EXECUTE FUNCTION own_identity();

-- Where an account's events are sent, and how well that goes.
create table webhook_endpoints (
  account_id uuid not null,
  id uuid not null,
  -- The address that events are sent to, without its query.
  url text not null,
  -- Only events of this wallet. Null: of all.
  wallet_id uuid,
  -- Kinds of events that are sent to it.
  kinds text[] not null,
  -- Headers that the merchant wants with each call: name and sealed value.
  headers json not null default '{}'::json,
  -- What calls are signed with. Empty once the endpoint is deleted.
  secret_sealed bytea not null,
  -- The secret before the last rotation; signs too until previous_until.
  previous_secret_sealed bytea,
  -- Until when the secret before signs too. Null: it does not.
  previous_until timestamp(3) with time zone,
  -- False: nothing is put into its queue. Events are recorded all the same.
  enabled boolean not null default true,
  -- person: a user switched it off. gone: it answered 410. failing: days without a success, after a warning. Empty:
  -- enabled.
  disabled_why text not null default ''::text,
  -- Null: it is enabled.
  disabled_at timestamp(3) with time zone,
  -- When a delivery last arrived. Null: never.
  last_success_at timestamp(3) with time zone,
  -- The first failure since the last success. Null: the last call succeeded.
  failing_since timestamp(3) with time zone,
  -- Failures since the last success.
  failures integer not null default 0,
  -- When owners were warned that it will be disabled. Null: not.
  warned_at timestamp(3) with time zone,
  -- An answer since the last success says that its set-up is wrong, not that it is busy.
  misconfigured boolean not null default false,
  -- Network failures in a row; some open the breaker.
  network_failures integer not null default 0,
  -- The breaker is open: nothing is sent until then, afterwards one probe. Null: closed.
  open_until timestamp(3) with time zone,
  -- How often it opened without recovering: each pause is twice the one before.
  open_step smallint not null default 0,
  -- Calls at once that it is given after a pause; grows with each answer. 32767: no limit of its own.
  slow_start smallint not null default 32767,
  created_at timestamp(3) with time zone not null,
  -- Null: there. A deleted one stays for its log.
  deleted_at timestamp(3) with time zone,
  -- The query of the address with its question mark, sealed; null: none, or a node of an earlier version has stored it
  -- in `url`.
  query_sealed bytea,
  constraint webhook_endpoints_disabled_why_check CHECK ((disabled_why = ANY (ARRAY[''::text, 'person'::text, 'gone'::text, 'failing'::text]))),
  constraint webhook_endpoints_kinds_check CHECK ((kinds <@ ARRAY['payment.verified'::text, 'payment.unmatched'::text, 'payment.received'::text, 'payment.wrong_amount'::text, 'payment.expired'::text, 'payment.cancelled'::text, 'checkout.completed'::text, 'checkout.expired'::text])),
  constraint webhook_endpoints_slow_start_check CHECK ((slow_start >= 1)),
  constraint webhook_endpoints_url_check CHECK ((char_length(url) <= 2048)),
  constraint webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint webhook_endpoints_account_id_wallet_id_fkey FOREIGN KEY (account_id, wallet_id) REFERENCES wallets(account_id, id),
  constraint webhook_endpoints_pkey PRIMARY KEY (account_id, id),
  constraint webhook_endpoints_id_key UNIQUE (id));

-- Events of a range of time that a user has sent to an endpoint again, a few each second.
create table webhook_replays (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  -- The range of time: events created from here until until_at.
  from_at timestamp(3) with time zone not null,
  -- The end of the range, not included.
  until_at timestamp(3) with time zone not null,
  -- The kinds of events that are sent again.
  kinds text[] not null,
  -- Only events that never arrived there.
  undelivered boolean not null,
  -- running; stopped by a user, who may let it go on; done.
  state text not null default 'running'::text,
  -- Events counted at the beginning, up to a limit; more: there were more than that.
  total integer not null,
  -- There are more events than were counted.
  more boolean not null,
  -- Events put into the queue so far.
  done integer not null default 0,
  -- The last event looked at: whichever node goes on, goes on behind it.
  cursor uuid not null,
  -- When it went on last; keeps the speed.
  paced_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  -- When it was done, or stopped by a user, who may let it go on. Null: running.
  ended_at timestamp(3) with time zone,
  constraint webhook_replays_state_check CHECK ((state = ANY (ARRAY['running'::text, 'stopped'::text, 'done'::text]))),
  constraint webhook_replays_account_id_endpoint_id_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints(account_id, id),
  constraint webhook_replays_pkey PRIMARY KEY (account_id, id));
CREATE INDEX webhook_replays_of_endpoint ON public.webhook_replays USING btree (account_id, endpoint_id, id);
CREATE INDEX webhook_replays_old ON public.webhook_replays USING btree (created_at) WHERE (state <> 'running'::text);
-- One replay runs for an endpoint at a time.
CREATE UNIQUE INDEX webhook_replays_running ON public.webhook_replays USING btree (endpoint_id) WHERE (state = 'running'::text);
