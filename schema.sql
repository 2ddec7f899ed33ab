-- What the migrations add up to. Written by `npm run dumps`; a test fails when it is stale.

create extension btree_gin;
create extension pg_trgm;

CREATE OR REPLACE FUNCTION public.audit_log_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the audit log is append-only';
end $function$;

CREATE OR REPLACE FUNCTION public.identity_of_wallet()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select w.identity into new.identity from public.wallets w where w.account_id = new.account_id and w.id = new.wallet_id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.own_identity()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.identity := new.id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.search_window(account uuid, characters text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select (hashtextextended(characters, uuid_hash_extended(account, 0)) & 262143)::int4 $function$;

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

CREATE OR REPLACE FUNCTION public.webhook_notice_moves()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into public.owner_notices (account_id, id, kind, object_kind, object_id, by_whom, facts, at, taken_until, told_at, told_users)
  select new.account_id, new.id, 'webhook_' || new.kind, 'webhook', new.endpoint_id::text, '',
         json_build_object('to', substring(w.url from '^[^/]+//[^/?#]+'),
                           'failing_since', (extract(epoch from new.failing_since) * 1000)::bigint,
                           'failures', new.failures,
                           'disables_at', (extract(epoch from new.disables_at) * 1000)::bigint),
         new.at, new.taken_until, new.told_at, new.told_users
    from public.webhook_endpoints w
   where w.account_id = new.account_id and w.id = new.endpoint_id;
  return null;
end $function$;

create table accounts (
  id uuid not null,
  name text not null,
  status text not null default 'ACTIVE'::text,
  monthly_intent_quota integer,
  created_at timestamp(3) with time zone not null,
  time_zone text not null default ''::text,
  suspended_at timestamp(3) with time zone,
  release_since timestamp(3) with time zone,
  constraint accounts_monthly_intent_quota_check CHECK ((monthly_intent_quota >= 0)),
  constraint accounts_name_check CHECK (((name <> ''::text) AND (char_length(name) <= 200))),
  constraint accounts_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'SUSPENDED'::text]))),
  constraint accounts_time_zone_check CHECK ((char_length(time_zone) <= 64)),
  constraint accounts_pkey PRIMARY KEY (id));
CREATE INDEX accounts_name ON public.accounts USING gin (name gin_trgm_ops);
CREATE INDEX accounts_newest ON public.accounts USING btree (created_at, id);
CREATE INDEX accounts_to_release ON public.accounts USING btree (id) WHERE (release_since IS NOT NULL);

create table alert_templates (
  id uuid not null,
  provider_id uuid not null,
  sentence text not null,
  status text not null,
  created_at timestamp(3) with time zone not null,
  account_id uuid,
  lineage uuid not null,
  version integer not null default 1,
  name text not null default ''::text,
  sender_names text[] not null default '{}'::text[],
  direction text not null default 'credit'::text,
  currency text not null default 'YER'::text,
  samples json not null default '[]'::json,
  counter_samples json not null default '[]'::json,
  reread boolean not null default false,
  reread_at timestamp(3) with time zone,
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
CREATE UNIQUE INDEX alert_templates_one_active ON public.alert_templates USING btree (lineage) WHERE (status = 'active'::text);
CREATE UNIQUE INDEX alert_templates_version ON public.alert_templates USING btree (lineage, version);

create table alerts (
  account_id uuid not null,
  id uuid not null,
  device_id uuid not null,
  client_id text not null,
  adapter text not null,
  trusted boolean not null,
  kind text not null,
  sender text not null,
  package text not null default ''::text,
  title text not null default ''::text,
  raw_text text not null,
  sim_slot text not null default ''::text,
  sent_at timestamp(3) with time zone,
  phone_received_at timestamp(3) with time zone,
  received_at timestamp(3) with time zone not null,
  normaliser_version smallint not null,
  fingerprint bytea not null,
  wallet_id uuid,
  template_id uuid,
  direction text,
  amount bigint,
  currency text,
  reference text,
  reference_key text,
  payer text,
  balance bigint,
  chain text,
  chain_missing bigint,
  chain_since timestamp(3) with time zone,
  state text not null,
  reason text not null default ''::text,
  duplicate_of uuid,
  intent_id uuid,
  unmatched_owed boolean not null default false,
  dismissed_from text,
  dismissed_at timestamp(3) with time zone,
  dismissed_by text not null default ''::text,
  dismissed_why text not null default ''::text,
  identity uuid,
  phone_new boolean not null default false,
  similar_to uuid,
  spent_twice boolean not null default false,
  hidden text not null default ''::text,
  sealed_text bytea,
  forget_at timestamp(3) with time zone,
  check_hidden boolean not null default false,
  constraint alerts_amount_check CHECK ((amount >= 0)),
  constraint alerts_chain_check CHECK ((chain = ANY (ARRAY['fits'::text, 'break'::text, 'unknown'::text]))),
  constraint alerts_check CHECK (
CASE state
    WHEN 'matched'::text THEN (intent_id IS NOT NULL)
    WHEN 'booked'::text THEN (intent_id IS NOT NULL)
    WHEN 'wrong_amount'::text THEN (intent_id IS NOT NULL)
    WHEN 'dismissed'::text THEN true
    ELSE (intent_id IS NULL)
END),
  constraint alerts_check1 CHECK (((reference IS NULL) = (reference_key IS NULL))),
  constraint alerts_client_id_check CHECK ((char_length(client_id) <= 128)),
  constraint alerts_direction_check CHECK ((direction = ANY (ARRAY['credit'::text, 'debit'::text]))),
  constraint alerts_dismissed_by_check CHECK ((char_length(dismissed_by) <= 300)),
  constraint alerts_dismissed_check CHECK (((state = 'dismissed'::text) = (dismissed_from IS NOT NULL))) NOT VALID,
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
  constraint alerts_title_check CHECK ((char_length(title) <= 500)),
  constraint alerts_account_id_device_id_fkey FOREIGN KEY (account_id, device_id) REFERENCES devices(account_id, id),
  constraint alerts_account_id_intent_id_fkey FOREIGN KEY (account_id, intent_id) REFERENCES intents(account_id, id),
  constraint alerts_template_id_fkey FOREIGN KEY (template_id) REFERENCES alert_templates(id),
  constraint alerts_wallet_identity_fkey FOREIGN KEY (account_id, wallet_id, identity) REFERENCES wallets(account_id, id, identity) ON UPDATE CASCADE,
  constraint alerts_pkey PRIMARY KEY (account_id, id));
CREATE INDEX alerts_breaks ON public.alerts USING btree (wallet_id, id) WHERE (chain = 'break'::text);
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
CREATE INDEX alerts_to_check ON public.alerts USING btree (id) WHERE (check_hidden AND (amount IS NULL));
CREATE INDEX alerts_to_forget ON public.alerts USING btree (forget_at) WHERE (forget_at IS NOT NULL);
CREATE INDEX alerts_unclaimed ON public.alerts USING btree (identity, amount, id) WHERE (state = ANY (ARRAY['waiting'::text, 'review'::text, 'held'::text, 'wrong_amount'::text]));
CREATE INDEX alerts_unread ON public.alerts USING btree (account_id, sender, id) WHERE (state = 'unread'::text);
CREATE UNIQUE INDEX alerts_intent ON public.alerts USING btree (intent_id) WHERE (intent_id IS NOT NULL);
CREATE UNIQUE INDEX alerts_once ON public.alerts USING btree (device_id, client_id);
CREATE UNIQUE INDEX alerts_reference ON public.alerts USING btree (identity, reference_key) WHERE ((reference_key IS NOT NULL) AND (state = ANY (ARRAY['waiting'::text, 'matched'::text, 'wrong_amount'::text, 'booked'::text])) AND (NOT spent_twice));

create table api_keys (
  client_id text not null,
  account_id uuid not null,
  name text not null,
  secret_hash bytea not null,
  generation integer not null default 1,
  previous_secret_hash bytea,
  previous_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  revoked_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  constraint api_keys_client_id_check CHECK ((client_id ~ '^[0-9a-f]{32}$'::text)),
  constraint api_keys_name_check CHECK (((name <> ''::text) AND (char_length(name) <= 100))),
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint api_keys_pkey PRIMARY KEY (client_id));
CREATE INDEX api_keys_of_account ON public.api_keys USING btree (account_id);

create table audit_log (
  id uuid not null,
  account_id uuid,
  at timestamp(3) with time zone not null,
  user_id uuid,
  actor text not null,
  via text not null,
  action text not null,
  kind text not null,
  object_id text not null,
  before json,
  after json,
  address text not null default ''::text,
  agent text not null default ''::text,
  constraint audit_log_action_check CHECK ((char_length(action) <= 64)),
  constraint audit_log_actor_check CHECK ((char_length(actor) <= 300)),
  constraint audit_log_address_check CHECK ((char_length(address) <= 64)),
  constraint audit_log_agent_check CHECK ((char_length(agent) <= 300)),
  constraint audit_log_kind_check CHECK ((char_length(kind) <= 32)),
  constraint audit_log_object_id_check CHECK ((char_length(object_id) <= 128)),
  constraint audit_log_via_check CHECK ((via = ANY (ARRAY['session'::text, 'token'::text, 'command'::text]))),
  constraint audit_log_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint audit_log_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint audit_log_pkey PRIMARY KEY (id));
CREATE INDEX audit_of_account ON public.audit_log USING btree (account_id, id);
CREATE INDEX audit_of_action ON public.audit_log USING btree (account_id, action, id);
CREATE INDEX audit_of_kind ON public.audit_log USING btree (account_id, kind, id);
CREATE INDEX audit_of_object ON public.audit_log USING btree (account_id, kind, object_id, id);
CREATE INDEX audit_of_user ON public.audit_log USING btree (account_id, user_id, id);

create table deliveries (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  replay integer not null default 0,
  attempt smallint not null default 0,
  by_hand boolean not null default false,
  due_at timestamp(3) with time zone not null,
  lease_id uuid,
  lease_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  follows uuid,
  constraint deliveries_account_id_event_id_fkey FOREIGN KEY (account_id, event_id) REFERENCES events(account_id, id),
  constraint deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id),
  constraint deliveries_pkey PRIMARY KEY (endpoint_id, event_id, replay));
CREATE INDEX deliveries_due ON public.deliveries USING btree (endpoint_id, due_at, event_id) WHERE (lease_id IS NULL);
CREATE INDEX deliveries_leased ON public.deliveries USING btree (lease_until) WHERE (lease_id IS NOT NULL);

create table delivery_attempts (
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
CREATE INDEX delivery_attempts_of_delivery ON ONLY public.delivery_attempts USING btree (account_id, delivery_id, attempt);

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
CREATE INDEX delivery_attempts_other_account_id_delivery_id_attempt_idx ON public.delivery_attempts_other USING btree (account_id, delivery_id, attempt);

create table delivery_ends (
  at timestamp(3) with time zone not null,
  account_id uuid not null,
  delivery_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  replay integer not null,
  attempts smallint not null,
  ending text not null,
  constraint delivery_ends_ending_check CHECK ((ending = ANY (ARRAY['delivered'::text, 'exhausted'::text, 'disabled'::text]))));
CREATE INDEX delivery_ends_failed ON ONLY public.delivery_ends USING btree (account_id, endpoint_id, event_id, replay) WHERE (ending <> 'delivered'::text);
CREATE INDEX delivery_ends_of_endpoint ON ONLY public.delivery_ends USING btree (account_id, endpoint_id, event_id, replay);

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
CREATE INDEX delivery_ends_other_account_id_endpoint_id_event_id_replay_idx ON public.delivery_ends_other USING btree (account_id, endpoint_id, event_id, replay);
CREATE INDEX delivery_ends_other_account_id_endpoint_id_event_id_replay_idx1 ON public.delivery_ends_other USING btree (account_id, endpoint_id, event_id, replay) WHERE (ending <> 'delivered'::text);

create table device_requests (
  device_id uuid not null,
  request_id uuid not null,
  status smallint not null,
  answer text not null,
  at timestamp(3) with time zone not null,
  constraint device_requests_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id),
  constraint device_requests_pkey PRIMARY KEY (device_id, request_id));
CREATE INDEX device_requests_old ON public.device_requests USING btree (at);

create table devices (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  switched_on boolean not null default false,
  secret_sealed bytea,
  secret_version integer not null default 0,
  ingest_token_hash bytea,
  created_at timestamp(3) with time zone not null,
  pairing_hash bytea,
  pairing_until timestamp(3) with time zone,
  pairing_tries smallint not null default 0,
  previous_secret_sealed bytea,
  secret_used boolean not null default false,
  signing_key_sealed bytea,
  about json not null default '{}'::json,
  health json not null default '{}'::json,
  last_seen_at timestamp(3) with time zone,
  last_alert_at timestamp(3) with time zone,
  awaited boolean not null default false,
  paired_at timestamp(3) with time zone,
  pairing_by text not null default ''::text,
  constraint devices_name_check CHECK (((name <> ''::text) AND (char_length(name) <= 100))),
  constraint devices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint devices_pkey PRIMARY KEY (id),
  constraint devices_account_id_id_key UNIQUE (account_id, id),
  constraint devices_ingest_token_hash_key UNIQUE (ingest_token_hash));
CREATE UNIQUE INDEX devices_pairing ON public.devices USING btree (pairing_hash) WHERE (pairing_hash IS NOT NULL);

create table events (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  wallet_id uuid not null,
  intent_id uuid,
  alert_id uuid not null,
  body text not null,
  created_at timestamp(3) with time zone not null,
  constraint events_kind_check CHECK ((kind = ANY (ARRAY['payment.verified'::text, 'payment.unmatched'::text, 'payment.received'::text]))),
  constraint events_pkey PRIMARY KEY (account_id, id));
CREATE INDEX events_with_body ON public.events USING btree (created_at) WHERE (body <> ''::text);
CREATE UNIQUE INDEX events_once ON public.events USING btree (alert_id, kind);

create table idempotency_keys (
  account_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  intent_id uuid not null,
  answer text not null,
  created_at timestamp(3) with time zone not null,
  constraint idempotency_keys_key_check CHECK ((char_length(key) <= 128)),
  constraint idempotency_keys_pkey PRIMARY KEY (account_id, key));
CREATE INDEX idempotency_keys_old ON public.idempotency_keys USING btree (created_at);

create table intent_hours (
  account_id uuid not null,
  hour timestamp(3) with time zone not null,
  wallet_id uuid not null,
  status text not null,
  count integer not null,
  sum bigint not null,
  constraint intent_hours_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint intent_hours_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id),
  constraint intent_hours_pkey PRIMARY KEY (account_id, hour, wallet_id, status));

create table intent_moves (
  account_id uuid not null,
  intent_id uuid not null,
  id uuid not null,
  at timestamp(3) with time zone not null,
  kind text not null,
  by text not null,
  facts json not null default '{}'::json,
  alert_id uuid,
  constraint intent_moves_kind_check CHECK ((kind = ANY (ARRAY['reference'::text, 'expired'::text, 'cancelled'::text, 'verified'::text, 'wrong_amount'::text, 'booked'::text]))),
  constraint intent_moves_account_id_intent_id_fkey FOREIGN KEY (account_id, intent_id) REFERENCES intents(account_id, id),
  constraint intent_moves_pkey PRIMARY KEY (account_id, intent_id, id));

create table intent_tallies (
  account_id uuid not null,
  wallet_id uuid not null,
  status text not null,
  until timestamp(3) with time zone not null,
  total bigint not null,
  constraint intent_tallies_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint intent_tallies_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id),
  constraint intent_tallies_pkey PRIMARY KEY (account_id, wallet_id, status, until));

create table intent_waits (
  account_id uuid not null,
  hour timestamp(3) with time zone not null,
  waits json not null,
  constraint intent_waits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint intent_waits_pkey PRIMARY KEY (account_id, hour));

create table intents (
  account_id uuid not null,
  id uuid not null,
  wallet_id uuid not null,
  code text not null,
  status text not null default 'PENDING'::text,
  base bigint not null,
  payable bigint not null,
  paid bigint,
  currency text not null,
  external_order_id text not null default ''::text,
  notes text not null default ''::text,
  items json not null default '[]'::json,
  reference text not null default ''::text,
  reference_key text,
  manual boolean not null default false,
  created_by text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  verified_at timestamp(3) with time zone,
  search_order text not null,
  search_reference text not null default ''::text,
  alert_id uuid,
  reference_at timestamp(3) with time zone,
  search_windows integer[] default search_windows(account_id, ((search_order || ''::text) || search_reference)),
  identity uuid not null,
  reference_keys text[] not null default '{}'::text[],
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
CREATE UNIQUE INDEX intents_alert ON public.intents USING btree (alert_id) WHERE ((alert_id IS NOT NULL) AND (status = 'VERIFIED'::text));
CREATE UNIQUE INDEX intents_reference_held ON public.intents USING btree (identity, reference_key) WHERE (status = 'PENDING'::text);

create table master_keys (
  generation integer not null,
  check_value bytea not null,
  hash_key_sealed bytea not null,
  began_at timestamp(3) with time zone not null,
  tokens_until timestamp(3) with time zone not null,
  done_at timestamp(3) with time zone,
  constraint master_keys_check_value_check CHECK ((length(check_value) = 32)),
  constraint master_keys_generation_check CHECK ((generation >= 1)),
  constraint master_keys_pkey PRIMARY KEY (generation));

create table members (
  account_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp(3) with time zone not null,
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'manager'::text, 'cashier'::text, 'viewer'::text]))),
  constraint members_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint members_pkey PRIMARY KEY (account_id, user_id));
CREATE INDEX members_of_user ON public.members USING btree (user_id, created_at);

create table migrations (
  name text not null,
  hash text not null,
  ran_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name));

create table owner_notices (
  account_id uuid not null,
  id uuid not null,
  kind text not null,
  object_kind text not null,
  object_id text not null,
  by_whom text not null,
  facts json not null,
  at timestamp(3) with time zone not null,
  taken_until timestamp(3) with time zone,
  told_at timestamp(3) with time zone,
  told_users uuid[] not null default '{}'::uuid[],
  seen_users uuid[] not null default '{}'::uuid[],
  constraint owner_notices_kind_check CHECK ((kind = ANY (ARRAY['phone_paired'::text, 'app_let_in'::text, 'signing_key_set'::text, 'webhook_created'::text, 'webhook_moved'::text, 'webhook_rotated'::text, 'key_created'::text, 'key_rotated'::text, 'template_published'::text, 'secrets_lost'::text, 'webhook_failing'::text, 'webhook_disabled'::text, 'webhook_gone'::text]))),
  constraint owner_notices_object_kind_check CHECK ((object_kind = ANY (ARRAY['phone'::text, 'webhook'::text, 'key'::text, 'template'::text, 'account'::text]))),
  constraint owner_notices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint owner_notices_pkey PRIMARY KEY (account_id, id));
CREATE INDEX owner_notices_old ON public.owner_notices USING btree (at);
CREATE INDEX owner_notices_untold ON public.owner_notices USING btree (at) WHERE (told_at IS NULL);

create table providers (
  id uuid not null,
  account_id uuid,
  name text not null,
  display_name text not null,
  theme_color text not null,
  logo_url text not null default ''::text,
  status text not null default 'ACTIVE'::text,
  version integer not null default 1,
  packages text[] not null default '{}'::text[],
  constraint providers_display_name_check CHECK ((char_length(display_name) <= 100)),
  constraint providers_logo_url_check CHECK ((char_length(logo_url) <= 500)),
  constraint providers_name_check CHECK (((name <> ''::text) AND (char_length(name) <= 100))),
  constraint providers_packages_few CHECK ((cardinality(packages) <= 20)),
  constraint providers_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'INACTIVE'::text, 'MAINTENANCE'::text]))),
  constraint providers_theme_color_check CHECK ((theme_color ~ '^#[0-9A-F]{6}$'::text)),
  constraint providers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint providers_pkey PRIMARY KEY (id));
CREATE UNIQUE INDEX providers_shared_name ON public.providers USING btree (name) WHERE (account_id IS NULL);

create table quota_months (
  account_id uuid not null,
  month date not null,
  used integer not null,
  constraint quota_months_used_check CHECK ((used >= 0)),
  constraint quota_months_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint quota_months_pkey PRIMARY KEY (account_id, month));

create table sessions (
  id uuid not null,
  token_hash bytea,
  user_id uuid not null,
  account_id uuid,
  created_at timestamp(3) with time zone not null,
  last_seen_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  address text not null default ''::text,
  agent text not null default ''::text,
  kind text not null default 'browser'::text,
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

create table tally_progress (
  one boolean not null default true,
  sealed_until timestamp(3) with time zone not null,
  constraint tally_progress_one_check CHECK (one),
  constraint tally_progress_pkey PRIMARY KEY (one));

create table user_links (
  token_hash bytea not null,
  purpose text not null,
  email text not null,
  user_id uuid,
  account_id uuid,
  role text,
  id uuid not null,
  made_by uuid,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  constraint user_links_check CHECK ((((purpose = 'reset'::text) AND (user_id IS NOT NULL)) OR ((purpose = 'invite'::text) AND (account_id IS NOT NULL) AND (role IS NOT NULL)))),
  constraint user_links_email_check CHECK (((email = lower(email)) AND (char_length(email) <= 254))),
  constraint user_links_purpose_check CHECK ((purpose = ANY (ARRAY['invite'::text, 'reset'::text]))),
  constraint user_links_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'manager'::text, 'cashier'::text, 'viewer'::text]))),
  constraint user_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint user_links_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id),
  constraint user_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint user_links_pkey PRIMARY KEY (token_hash),
  constraint user_links_id_key UNIQUE (id));
CREATE INDEX user_links_of_account ON public.user_links USING btree (account_id, id) WHERE (purpose = 'invite'::text);
CREATE INDEX user_links_of_user ON public.user_links USING btree (user_id) WHERE ((purpose = 'reset'::text) AND (used_at IS NULL));
CREATE INDEX user_links_over ON public.user_links USING btree (expires_at);
CREATE UNIQUE INDEX user_links_open_invitation ON public.user_links USING btree (account_id, email) WHERE ((purpose = 'invite'::text) AND (used_at IS NULL));

create table users (
  id uuid not null,
  email text not null,
  name text not null default ''::text,
  password_hash text,
  created_at timestamp(3) with time zone not null,
  disabled_at timestamp(3) with time zone,
  operator boolean not null default false,
  totp_sealed bytea,
  totp_since timestamp(3) with time zone,
  totp_step bigint not null default 0,
  recovery bytea[] not null default '{}'::bytea[],
  valid_from timestamp(3) with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  constraint users_email_check CHECK (((email = lower(email)) AND (char_length(email) <= 254))),
  constraint users_name_check CHECK ((char_length(name) <= 200)),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email));

create table wallet_balances (
  wallet_id uuid not null,
  balance bigint not null,
  alert_id uuid not null,
  at timestamp(3) with time zone not null,
  doubts json not null default '{}'::json,
  to_release boolean not null default false,
  constraint wallet_balances_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES wallets(id),
  constraint wallet_balances_pkey PRIMARY KEY (wallet_id));
CREATE INDEX wallet_balances_to_release ON public.wallet_balances USING btree (wallet_id) WHERE to_release;

create table wallet_numbers (
  account_id uuid not null,
  provider_id uuid not null,
  number_key text not null,
  identity uuid not null,
  constraint wallet_numbers_number_key_check CHECK (((number_key <> ''::text) AND (char_length(number_key) <= 64))),
  constraint wallet_numbers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint wallet_numbers_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint wallet_numbers_pkey PRIMARY KEY (account_id, provider_id, number_key));

create table wallet_phones (
  account_id uuid not null,
  wallet_id uuid not null,
  device_id uuid not null,
  sim_slot text not null default ''::text,
  added_at timestamp(3) with time zone not null,
  constraint wallet_phones_sim_slot_check CHECK ((sim_slot = ANY (ARRAY[''::text, 'SIM1'::text, 'SIM2'::text]))),
  constraint wallet_phones_account_id_device_id_fkey FOREIGN KEY (account_id, device_id) REFERENCES devices(account_id, id),
  constraint wallet_phones_account_id_wallet_id_fkey FOREIGN KEY (account_id, wallet_id) REFERENCES wallets(account_id, id),
  constraint wallet_phones_pkey PRIMARY KEY (wallet_id, device_id));
CREATE INDEX wallet_phones_of_device ON public.wallet_phones USING btree (device_id);

create table wallets (
  id uuid not null,
  account_id uuid not null,
  provider_id uuid not null,
  device_id uuid,
  name text not null,
  account_number text not null,
  sender_name text not null default ''::text,
  currency text not null default 'YER'::text,
  sim_slot text not null default ''::text,
  active boolean not null default true,
  is_test boolean not null default false,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  review_above bigint,
  low_trust_limit bigint not null default 0,
  review_broken_chains boolean not null default true,
  identity uuid not null,
  reread boolean not null default false,
  reread_at timestamp(3) with time zone,
  constraint wallets_account_number_check CHECK ((char_length(account_number) <= 64)),
  constraint wallets_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint wallets_low_trust_limit_check CHECK ((low_trust_limit >= 0)),
  constraint wallets_name_check CHECK (((name <> ''::text) AND (char_length(name) <= 100))),
  constraint wallets_review_above_check CHECK ((review_above >= 0)),
  constraint wallets_sender_name_check CHECK ((char_length(sender_name) <= 64)),
  constraint wallets_sim_slot_check CHECK ((sim_slot = ANY (ARRAY[''::text, 'SIM1'::text, 'SIM2'::text]))),
  constraint wallets_account_id_device_id_fkey FOREIGN KEY (account_id, device_id) REFERENCES devices(account_id, id),
  constraint wallets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint wallets_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint wallets_pkey PRIMARY KEY (id),
  constraint wallets_account_id_id_key UNIQUE (account_id, id),
  constraint wallets_identity_key UNIQUE (account_id, id, identity));
CREATE INDEX wallets_of_account ON public.wallets USING btree (account_id, name, id);
CREATE INDEX wallets_of_device ON public.wallets USING btree (device_id);
CREATE INDEX wallets_of_provider ON public.wallets USING btree (provider_id);
CREATE INDEX wallets_to_reread ON public.wallets USING btree (account_id, id) WHERE reread;
CREATE UNIQUE INDEX wallets_one_open ON public.wallets USING btree (account_id, identity) WHERE active;
CREATE UNIQUE INDEX wallets_one_test ON public.wallets USING btree (account_id) WHERE is_test;

create table webhook_endpoints (
  account_id uuid not null,
  id uuid not null,
  url text not null,
  wallet_id uuid,
  kinds text[] not null,
  headers json not null default '{}'::json,
  enabled boolean not null default true,
  disabled_why text not null default ''::text,
  disabled_at timestamp(3) with time zone,
  secret_sealed bytea not null,
  previous_secret_sealed bytea,
  previous_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  last_success_at timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  failures integer not null default 0,
  misconfigured boolean not null default false,
  network_failures integer not null default 0,
  open_until timestamp(3) with time zone,
  open_step smallint not null default 0,
  slow_start smallint not null default 32767,
  warned_at timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  constraint webhook_endpoints_disabled_why_check CHECK ((disabled_why = ANY (ARRAY[''::text, 'person'::text, 'gone'::text, 'failing'::text]))),
  constraint webhook_endpoints_kinds_check CHECK ((kinds <@ ARRAY['payment.verified'::text, 'payment.unmatched'::text, 'payment.received'::text])),
  constraint webhook_endpoints_slow_start_check CHECK ((slow_start >= 1)),
  constraint webhook_endpoints_url_check CHECK ((char_length(url) <= 2048)),
  constraint webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint webhook_endpoints_account_id_wallet_id_fkey FOREIGN KEY (account_id, wallet_id) REFERENCES wallets(account_id, id),
  constraint webhook_endpoints_pkey PRIMARY KEY (account_id, id),
  constraint webhook_endpoints_id_key UNIQUE (id));

create table webhook_notices (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  kind text not null,
  failing_since timestamp(3) with time zone,
  failures integer not null,
  disables_at timestamp(3) with time zone,
  at timestamp(3) with time zone not null,
  taken_until timestamp(3) with time zone,
  told_at timestamp(3) with time zone,
  told_users uuid[] not null default '{}'::uuid[],
  constraint webhook_notices_kind_check CHECK ((kind = ANY (ARRAY['failing'::text, 'disabled'::text, 'gone'::text]))),
  constraint webhook_notices_account_id_endpoint_id_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints(account_id, id),
  constraint webhook_notices_pkey PRIMARY KEY (account_id, id));
CREATE INDEX webhook_notices_old ON public.webhook_notices USING btree (at);
CREATE INDEX webhook_notices_untold ON public.webhook_notices USING btree (at) WHERE (told_at IS NULL);

create table webhook_replays (
  account_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  from_at timestamp(3) with time zone not null,
  until_at timestamp(3) with time zone not null,
  kinds text[] not null,
  undelivered boolean not null,
  total integer not null,
  more boolean not null,
  done integer not null default 0,
  cursor uuid not null,
  paced_at timestamp(3) with time zone not null,
  state text not null default 'running'::text,
  created_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  constraint webhook_replays_state_check CHECK ((state = ANY (ARRAY['running'::text, 'stopped'::text, 'done'::text]))),
  constraint webhook_replays_account_id_endpoint_id_fkey FOREIGN KEY (account_id, endpoint_id) REFERENCES webhook_endpoints(account_id, id),
  constraint webhook_replays_pkey PRIMARY KEY (account_id, id));
CREATE INDEX webhook_replays_of_endpoint ON public.webhook_replays USING btree (account_id, endpoint_id, id);
CREATE INDEX webhook_replays_old ON public.webhook_replays USING btree (created_at) WHERE (state <> 'running'::text);
CREATE UNIQUE INDEX webhook_replays_running ON public.webhook_replays USING btree (endpoint_id) WHERE (state = 'running'::text);
