-- Alerts: what phones report, how it is read, and the two indexes that let a payment count once.

create table alert_templates (
  id              uuid primary key,
  provider_id     uuid not null references providers,
  account_id      uuid references accounts,
  lineage         uuid not null,
  version         integer not null default 1,
  name            text not null default '' check (char_length(name) <= 100),
  status          text not null check (status in ('draft', 'active', 'retired')),
  sender_names    text[] not null default '{}',
  direction       text not null default 'credit' check (direction in ('credit', 'debit')),
  currency        text not null default 'YER' check (currency ~ '^[A-Z]{3}$'),
  sentence        text not null check (sentence <> '' and char_length(sentence) <= 2000),
  samples         json not null default '[]',
  counter_samples json not null default '[]',
  reread          boolean not null default false,
  reread_at       timestamptz(3),
  created_at      timestamptz(3) not null);
create unique index alert_templates_version    on alert_templates (lineage, version);
create unique index alert_templates_one_active on alert_templates (lineage) where status = 'active';
create index alert_templates_active      on alert_templates (provider_id) where status = 'active';
create index alert_templates_of_provider on alert_templates (provider_id, account_id, status);
create index alert_templates_unread      on alert_templates (created_at) where status = 'active' and not reread;

comment on table alert_templates is
  'How a provider words its messages: reads amount, reference and so on from a text. A version never changes; a new one '
  'replaces it.';
comment on column alert_templates.account_id is
  'The account that wrote it for itself. Null: shared by all, comes with Sanad or from the operator.';
comment on column alert_templates.lineage is 'The same in all versions of a template.';
comment on column alert_templates.status is 'Only active ones read alerts.';
comment on column alert_templates.sender_names is 'Senders whose messages it reads.';
comment on column alert_templates.direction is 'Whether its messages say that money came (credit) or left (debit).';
comment on column alert_templates.sentence is
  'The wording with its places, such as {amount:money} (alerts/templates/template-sentence.ts).';
comment on column alert_templates.samples is
  'Messages that it must read, with what it must read in them: checked before it is published.';
comment on column alert_templates.counter_samples is 'Messages that it must not read, each with the reason.';
comment on column alert_templates.reread is 'Unread alerts from before it was published were read again with it.';
comment on column alert_templates.reread_at is
  'When that was done the first time; once more later, for alerts that a node stored which did not know it yet.';
comment on index alert_templates_version is 'A version number is used once in a template.';
comment on index alert_templates_one_active is 'One version of a template is active at a time.';

create table alerts (
  account_id         uuid not null,
  id                 uuid not null,
  -- The report, as the phone sent it.
  device_id          uuid not null,
  client_id          text not null check (char_length(client_id) <= 128),
  adapter            text not null,
  trusted            boolean not null,
  phone_new          boolean not null default false,
  kind               text not null check (kind in ('sms', 'notification')),
  sender             text not null check (char_length(sender) <= 128),
  package            text not null default '' check (char_length(package) <= 200),
  title              text not null default '' check (char_length(title) <= 500),
  raw_text           text not null check (char_length(raw_text) <= 65536),
  sim_slot           text not null default '' check (sim_slot in ('', 'SIM1', 'SIM2')),
  sent_at            timestamptz(3),
  phone_received_at  timestamptz(3),
  received_at        timestamptz(3) not null,
  fingerprint        bytea not null,
  -- What must not be read: one-time codes, messages of other senders.
  hidden             text not null default '' check (hidden in ('', 'code', 'stranger')),
  sealed_text        bytea,
  forget_at          timestamptz(3),
  check_hidden       boolean not null default false,
  -- What was read in its text.
  wallet_id          uuid,
  identity           uuid,
  template_id        uuid references alert_templates,
  normaliser_version smallint not null,
  direction          text check (direction in ('credit', 'debit')),
  amount             bigint check (amount >= 0),
  currency           text,
  reference          text,
  reference_key      text,
  payer              text,
  balance            bigint,
  -- How its balance follows from the one before.
  chain              text check (chain in ('fits', 'break', 'unknown')),
  chain_missing      bigint,
  chain_since        timestamptz(3),
  -- What became of it.
  state              text not null check (state in ('held', 'unread', 'hidden', 'debit', 'duplicate', 'waiting', 'review',
                                                    'matched', 'wrong_amount', 'booked', 'dismissed')),
  reason             text not null default '',
  intent_id          uuid,
  duplicate_of       uuid,
  similar_to         uuid,
  spent_twice        boolean not null default false,
  unmatched_owed     boolean not null default false,
  dismissed_from     text,
  dismissed_at       timestamptz(3),
  dismissed_by       text not null default '' check (char_length(dismissed_by) <= 300),
  dismissed_why      text not null default '' check (char_length(dismissed_why) <= 300),
  primary key (account_id, id),
  foreign key (account_id, device_id) references devices (account_id, id),
  foreign key (account_id, intent_id) references intents (account_id, id),
  constraint alerts_wallet_identity_fkey foreign key (account_id, wallet_id, identity)
    references wallets (account_id, id, identity) on update cascade,
  constraint alerts_identity_check check ((wallet_id is null) = (identity is null)),
  check (
    case state when 'matched' then intent_id is not null when 'booked' then intent_id is not null
               when 'wrong_amount' then intent_id is not null when 'dismissed' then true else intent_id is null end),
  check ((reference is null) = (reference_key is null)),
  constraint alerts_dismissed_check check ((state = 'dismissed') = (dismissed_from is not null)),
  constraint alerts_hidden_state_check check (
    case hidden when '' then state <> 'hidden' and sealed_text is null and forget_at is null
                else state in ('hidden', 'duplicate') and amount is null and reference is null and payer is null end),
  constraint alerts_hidden_text_check check (
    hidden = '' or (title = '' and raw_text !~ '[0-9٠-٩۰-۹]' and (hidden = 'code' or raw_text = ''))));

create unique index alerts_once      on alerts (device_id, client_id);
create unique index alerts_intent    on alerts (intent_id) where intent_id is not null;
create unique index alerts_reference on alerts (identity, reference_key)
  where reference_key is not null and state in ('waiting', 'matched', 'wrong_amount', 'booked') and not spent_twice;
create index alerts_same_reference on alerts (identity, reference_key) where reference_key is not null;
create index alerts_fingerprint    on alerts (fingerprint, received_at);
create index alerts_of_device      on alerts (device_id, id);
create index alerts_of_wallet      on alerts (account_id, wallet_id, id);
create index alerts_of_strangers   on alerts (device_id) where hidden = 'stranger';
create index alerts_unread         on alerts (account_id, sender, id) where state = 'unread';
create index alerts_unclaimed      on alerts (identity, amount, id) where state in ('waiting', 'review', 'held', 'wrong_amount');
create index alerts_queue          on alerts (account_id, id)
  where state in ('waiting', 'review', 'held', 'unread', 'wrong_amount');
create index alerts_queue_state    on alerts (account_id, state, id)
  where state in ('waiting', 'review', 'held', 'unread', 'wrong_amount', 'dismissed');
create index alerts_queue_wallet   on alerts (account_id, wallet_id, id)
  where state in ('waiting', 'review', 'held', 'unread', 'wrong_amount');
create index alerts_breaks         on alerts (wallet_id, id) where chain = 'break';
create index alerts_owed           on alerts (received_at) where unmatched_owed;
create index alerts_sealed         on alerts (account_id, sender, id) where sealed_text is not null;
create index alerts_to_forget      on alerts (forget_at) where forget_at is not null;
create index alerts_to_check       on alerts (id) where check_hidden and amount is null;

create trigger alerts_identity before insert or update of wallet_id on alerts
  for each row when (new.identity is null and new.wallet_id is not null) execute function identity_of_wallet();

comment on table alerts is
  'Every message that an authenticated phone reported, understood or not. The account is held by the foreign key of the '
  'phone: a second one on accounts alone would make all alerts of an account share a lock on its row.';
comment on column alerts.client_id is
  'The phone''s own name for the message, the same when it is sent again. A keyed hash if hidden.';
comment on column alerts.adapter is 'How it came: native for Sanad''s agent, else the name of the forwarding app.';
comment on column alerts.trusted is
  'It was signed by the phone. An unsigned credit above the wallet''s low_trust_limit waits for a user.';
comment on column alerts.phone_new is 'The phone had been paired less than a day before. Shown as a doubt.';
comment on column alerts.kind is 'An SMS, or a notification that an app showed.';
comment on column alerts.sender is 'As the phone shows it. A keyed hash for a stranger.';
comment on column alerts.package is 'Android package of the app that showed a notification. Empty for SMS.';
comment on column alerts.title is 'Of a notification.';
comment on column alerts.raw_text is
  'The message as it came. With its numbers masked if it is a hidden code, empty for a stranger.';
comment on column alerts.sim_slot is 'The slot of the SIM it came to. Empty: not known.';
comment on column alerts.sent_at is 'When it was sent, as the phone says. Null: it does not say.';
comment on column alerts.phone_received_at is 'When the phone got it, as the phone says. Null: it does not say.';
comment on column alerts.received_at is 'When Sanad got it, by its own clock.';
comment on column alerts.fingerprint is
  'Hash of account, sender and text with its white space folded: finds repetitions. A keyed hash if hidden.';
comment on column alerts.hidden is
  'Empty: an ordinary alert. code: a one-time code. stranger: from a sender that no wallet and no provider names. Hidden rows '
  'hold no readable content.';
comment on column alerts.sealed_text is 'The message of a hidden alert, encrypted. Null: not hidden, or deleted.';
comment on column alerts.forget_at is
  'When the content of a code, or the whole row of a stranger, is deleted. Null: never, or done.';
comment on column alerts.check_hidden is
  'Stored by a version that did not hide messages, and not looked at since. Always false for new rows.';
comment on column alerts.wallet_id is 'The wallet that it is about. Null: none was found.';
comment on column alerts.identity is 'The real wallet (wallets.identity). Follows when entries of one wallet are merged.';
comment on column alerts.template_id is 'The template that read it. Null: none could.';
comment on column alerts.normaliser_version is 'Version of the code that prepared the text for templates.';
comment on column alerts.direction is 'credit: money came. debit: money left; that never verifies.';
comment on column alerts.amount is 'In minor units. Null: not read.';
comment on column alerts.reference is 'The wallet''s own number of the payment. Null: the message has none.';
comment on column alerts.reference_key is 'The reference as it is compared: upper case, western digits, no spaces.';
comment on column alerts.payer is 'Name or number of the payer, as the message has it.';
comment on column alerts.balance is 'The wallet''s balance that the message shows, in minor units. Null: it shows none.';
comment on column alerts.chain is
  'Whether its balance follows from the one before: fits, break, or unknown (nothing to compare with). Null: it shows no '
  'balance.';
comment on column alerts.chain_missing is 'The amount that no message explains, in minor units.';
comment on column alerts.chain_since is 'Since when that is missing.';
comment on column alerts.state is
  'held: its phone is off or its account suspended. unread: not understood. hidden: see hidden. debit: money that left. '
  'duplicate: the same payment as another. waiting: a credit that no intent asked for yet. review: a credit that a user must '
  'decide. matched: verified an intent. wrong_amount: ended one that asked for another amount, and may still verify one '
  'other. booked: a user gave it to an intent. dismissed: a user set it aside.';
comment on column alerts.reason is 'Why it is in this state, as a code (alerts/alert.ts).';
comment on column alerts.intent_id is 'The intent that it resolved.';
comment on column alerts.duplicate_of is 'The alert that it repeats.';
comment on column alerts.similar_to is
  'An earlier alert with the same text that may or may not be the same payment. Shown as a doubt.';
comment on column alerts.spent_twice is
  'Two entries of one wallet were merged, and this payment had verified an intent in each: this is the later one. Kept out of '
  'alerts_reference.';
comment on column alerts.unmatched_owed is 'payment.unmatched is still to be sent, unless an intent takes the money before.';
comment on column alerts.dismissed_from is 'The state it goes back to when it is taken back. Null unless dismissed.';
comment on column alerts.dismissed_by is 'Who set it aside, as in audit_log.actor.';
comment on column alerts.dismissed_why is 'The reason that user gave.';
comment on index alerts_once is 'A report that a phone sends again is not stored again.';
comment on index alerts_intent is 'An intent is resolved by one alert at most.';
comment on index alerts_reference is
  'One alert at most counts for a reference of a real wallet. A repetition is a duplicate; another amount goes to review.';

-- The other half: an alert verifies one intent at most. Money that only ended an intent as WRONG_AMOUNT is not spent.
alter table intents add foreign key (account_id, alert_id) references alerts (account_id, id);
create unique index intents_alert       on intents (alert_id) where alert_id is not null and status = 'VERIFIED';
create index        intents_wrong_alert on intents (alert_id) where alert_id is not null and status = 'WRONG_AMOUNT';
comment on index intents_alert is 'An alert verifies one intent at most.';

create table wallet_balances (
  wallet_id  uuid primary key references wallets,
  balance    bigint not null,
  alert_id   uuid not null,
  at         timestamptz(3) not null,
  doubts     json not null default '{}',
  to_release boolean not null default false);
create index wallet_balances_to_release on wallet_balances (wallet_id) where to_release;

comment on table wallet_balances is
  'The last balance of a real wallet that is believed, one row each. Whoever records an alert with a balance locks it '
  '(docs/decisions/0016).';
comment on column wallet_balances.wallet_id is 'The first entry of the real wallet: its id is the identity.';
comment on column wallet_balances.balance is 'In minor units. Moves only by alerts that follow from it.';
comment on column wallet_balances.alert_id is 'The alert that showed it last.';
comment on column wallet_balances.at is 'When it was shown or worked out.';
comment on column wallet_balances.doubts is
  'Balances that were shown and did not follow, until one of them is proved (alerts/balances/balance-chain.ts).';
comment on column wallet_balances.to_release is
  'A doubtful balance was proved: alerts that waited because of it are still to be matched.';
