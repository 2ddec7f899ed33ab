-- The payer that was claimed for an intent: evidence for a member who books money (docs/decisions/0043).

create table claimed_payers (
  account_id uuid not null,
  intent_id  uuid not null,
  name       text not null default '' check (char_length(name) <= 100),
  phone      text not null default '' check (char_length(phone) <= 32),
  source     text not null check (source in ('member', 'checkout', 'buyer')),
  claimed_at timestamptz(3) not null,
  primary key (account_id, intent_id),
  foreign key (account_id, intent_id) references intents,
  check (name <> '' or phone <> ''));
comment on table claimed_payers is
  'Who will pay an intent, as somebody says. It ranks the unmatched queue; a payer who differs keeps money from being matched by '
  'its amount. It proves nothing by itself.';
comment on column claimed_payers.source is
  'member: of the account, in the dashboard. checkout: the customer that the merchant''s server sent. buyer: on the page.';
