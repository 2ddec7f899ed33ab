-- Unique amounts: a wallet whose messages carry no reference can ask every buyer for an amount of his own, so that a payment
-- without a reference belongs to one intent (docs/decisions/0042).

alter table wallets
  add column unique_amounts      text not null default 'off' check (unique_amounts in ('off', 'more', 'less')),
  add column unique_amounts_most smallint not null default 99 check (unique_amounts_most between 1 and 99);

comment on column wallets.unique_amounts is
  'Whether buyers are asked for a little more or a little less than the order''s amount, each for another. Only an owner changes it.';
comment on column wallets.unique_amounts_most is 'The largest difference, in whole units of the currency.';

create table unique_amounts (
  identity   uuid not null,
  payable    bigint not null,
  account_id uuid not null,
  intent_id  uuid not null,
  primary key (identity, payable),
  constraint unique_amounts_one unique (account_id, intent_id),
  foreign key (account_id, intent_id) references intents (account_id, id));

comment on table unique_amounts is
  'The intent that an amount of a real wallet was given to last: one at a time. It is given again when that intent has ended and '
  'its rest is over. Only amounts that differ from the order''s own amount are here.';
comment on column unique_amounts.identity is 'The real wallet (wallets.identity).';
comment on column unique_amounts.payable is 'The amount, in minor units.';

create index alerts_matched_amount on alerts (identity, amount, id) where state = 'matched' and reference_key is null;

comment on column intents.base is 'What the merchant asked for, in minor units: the sum of the items.';
comment on column intents.payable is
  'What must arrive, to the unit. It differs from base if the wallet gave the intent a unique amount.';

alter table intent_moves
  drop constraint intent_moves_kind_check,
  add constraint intent_moves_kind_check
    check (kind in ('reference', 'expired', 'cancelled', 'verified', 'wrong_amount', 'booked', 'not_matched')) not valid;
alter table intent_moves validate constraint intent_moves_kind_check;

comment on column intent_moves.kind is
  'reference: one was attached. booked: a user gave it money. not_matched: its amount arrived without a reference, and facts says '
  'why that did not verify it. The others: what its status became.';
comment on column intent_moves.by is
  'As intents.created_by; or "alert" or "reference", whichever came second and matched; or "amount": an alert without a reference '
  'brought its unique amount; or "clock": its window closed.';
comment on column intent_moves.alert_id is 'The alert that resolved it, or that did not verify it. Null for other entries.';
