-- What the migrations add up to. Written by `npm run dumps`; a test fails when it is stale.

create extension btree_gin;
create extension pg_trgm;

create table accounts (
  id uuid not null,
  name text not null,
  status text not null default 'ACTIVE'::text,
  monthly_intent_quota integer,
  created_at timestamp(3) with time zone not null,
  constraint accounts_monthly_intent_quota_check CHECK ((monthly_intent_quota >= 0)),
  constraint accounts_name_check CHECK (((name <> ''::text) AND (char_length(name) <= 200))),
  constraint accounts_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'SUSPENDED'::text]))),
  constraint accounts_pkey PRIMARY KEY (id));

create table alert_templates (
  id uuid not null,
  provider_id uuid not null,
  sentence text not null,
  status text not null,
  created_at timestamp(3) with time zone not null,
  constraint alert_templates_sentence_check CHECK (((sentence <> ''::text) AND (char_length(sentence) <= 2000))),
  constraint alert_templates_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'retired'::text]))),
  constraint alert_templates_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint alert_templates_pkey PRIMARY KEY (id));
CREATE INDEX alert_templates_active ON public.alert_templates USING btree (provider_id) WHERE (status = 'active'::text);

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
  constraint api_keys_client_id_check CHECK ((client_id ~ '^[0-9a-f]{32}$'::text)),
  constraint api_keys_name_check CHECK (((name <> ''::text) AND (char_length(name) <= 100))),
  constraint api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint api_keys_pkey PRIMARY KEY (client_id));
CREATE INDEX api_keys_of_account ON public.api_keys USING btree (account_id);

create table devices (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  switched_on boolean not null default false,
  secret_sealed bytea,
  secret_version integer not null default 0,
  ingest_token_hash bytea,
  created_at timestamp(3) with time zone not null,
  constraint devices_name_check CHECK (((name <> ''::text) AND (char_length(name) <= 100))),
  constraint devices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint devices_pkey PRIMARY KEY (id),
  constraint devices_account_id_id_key UNIQUE (account_id, id),
  constraint devices_ingest_token_hash_key UNIQUE (ingest_token_hash));

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

create table intent_moves (
  account_id uuid not null,
  intent_id uuid not null,
  id uuid not null,
  at timestamp(3) with time zone not null,
  kind text not null,
  by text not null,
  facts json not null default '{}'::json,
  constraint intent_moves_kind_check CHECK ((kind = ANY (ARRAY['reference'::text, 'expired'::text, 'cancelled'::text]))),
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
  constraint intents_base_check CHECK (((base >= 1) AND (base <= '99999999999999'::bigint))),
  constraint intents_check CHECK (((status = 'VERIFIED'::text) = (verified_at IS NOT NULL))),
  constraint intents_check1 CHECK (((status = 'WRONG_AMOUNT'::text) = (paid IS NOT NULL))),
  constraint intents_check2 CHECK (((reference = ''::text) = (reference_key IS NULL))),
  constraint intents_code_check CHECK ((code ~ '^[0-9A-HJKMNP-TV-Z]{10}$'::text)),
  constraint intents_external_order_id_check CHECK ((char_length(external_order_id) <= 128)),
  constraint intents_notes_check CHECK ((char_length(notes) <= 500)),
  constraint intents_payable_check CHECK (((payable >= 1) AND (payable <= '99999999999999'::bigint))),
  constraint intents_reference_check CHECK ((char_length(reference) <= 128)),
  constraint intents_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'VERIFIED'::text, 'WRONG_AMOUNT'::text, 'EXPIRED'::text, 'CANCELLED'::text]))),
  constraint intents_account_id_wallet_id_fkey FOREIGN KEY (account_id, wallet_id) REFERENCES wallets(account_id, id),
  constraint intents_pkey PRIMARY KEY (account_id, id),
  constraint intents_code_key UNIQUE (code));
CREATE INDEX intents_due ON public.intents USING btree (expires_at) WHERE (status = 'PENDING'::text);
CREATE INDEX intents_order ON public.intents USING btree (account_id, external_order_id, id) WHERE (external_order_id <> ''::text);
CREATE INDEX intents_payable ON public.intents USING btree (account_id, payable, id);
CREATE INDEX intents_ref ON public.intents USING btree (account_id, reference, id) WHERE (reference <> ''::text);
CREATE INDEX intents_search ON public.intents USING gin (account_id, (((search_order || ''::text) || search_reference)) gin_trgm_ops) WITH (fastupdate='on', gin_pending_list_limit='512');
CREATE INDEX intents_status ON public.intents USING btree (account_id, status, id);
CREATE INDEX intents_verified ON public.intents USING btree (account_id, verified_at, id) WHERE (verified_at IS NOT NULL);
CREATE INDEX intents_wallet ON public.intents USING btree (account_id, wallet_id, id);
CREATE UNIQUE INDEX intents_reference_held ON public.intents USING btree (wallet_id, reference_key) WHERE (status = 'PENDING'::text);

create table members (
  account_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp(3) with time zone not null,
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'manager'::text, 'cashier'::text, 'viewer'::text]))),
  constraint members_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint members_pkey PRIMARY KEY (account_id, user_id));

create table migrations (
  name text not null,
  hash text not null,
  ran_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name));

create table providers (
  id uuid not null,
  account_id uuid,
  name text not null,
  display_name text not null,
  theme_color text not null,
  logo_url text not null default ''::text,
  status text not null default 'ACTIVE'::text,
  version integer not null default 1,
  constraint providers_display_name_check CHECK ((char_length(display_name) <= 100)),
  constraint providers_logo_url_check CHECK ((char_length(logo_url) <= 500)),
  constraint providers_name_check CHECK (((name <> ''::text) AND (char_length(name) <= 100))),
  constraint providers_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'INACTIVE'::text, 'MAINTENANCE'::text]))),
  constraint providers_theme_color_check CHECK ((theme_color ~ '^#[0-9A-F]{6}$'::text)),
  constraint providers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint providers_pkey PRIMARY KEY (id));

create table quota_months (
  account_id uuid not null,
  month date not null,
  used integer not null,
  constraint quota_months_used_check CHECK ((used >= 0)),
  constraint quota_months_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint quota_months_pkey PRIMARY KEY (account_id, month));

create table tally_progress (
  one boolean not null default true,
  sealed_until timestamp(3) with time zone not null,
  constraint tally_progress_one_check CHECK (one),
  constraint tally_progress_pkey PRIMARY KEY (one));

create table users (
  id uuid not null,
  email text not null,
  name text not null default ''::text,
  password_hash text not null,
  created_at timestamp(3) with time zone not null,
  disabled_at timestamp(3) with time zone,
  constraint users_email_check CHECK (((email = lower(email)) AND (char_length(email) <= 254))),
  constraint users_name_check CHECK ((char_length(name) <= 200)),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email));

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
  constraint wallets_account_number_check CHECK ((char_length(account_number) <= 64)),
  constraint wallets_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint wallets_name_check CHECK (((name <> ''::text) AND (char_length(name) <= 100))),
  constraint wallets_sender_name_check CHECK ((char_length(sender_name) <= 64)),
  constraint wallets_sim_slot_check CHECK ((sim_slot = ANY (ARRAY[''::text, 'SIM1'::text, 'SIM2'::text]))),
  constraint wallets_account_id_device_id_fkey FOREIGN KEY (account_id, device_id) REFERENCES devices(account_id, id),
  constraint wallets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint wallets_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id),
  constraint wallets_pkey PRIMARY KEY (id),
  constraint wallets_account_id_id_key UNIQUE (account_id, id));
CREATE INDEX wallets_of_account ON public.wallets USING btree (account_id, name, id);
CREATE UNIQUE INDEX wallets_one_test ON public.wallets USING btree (account_id) WHERE is_test;
