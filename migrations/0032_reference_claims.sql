-- A reference that another intent has is refused, and the refused claim is kept for members of the account: they see both orders,
-- and may move the reference until money has come (docs/decisions/0067).

create table reference_claims (
  account_id    uuid not null,
  intent_id     uuid not null,
  wallet_id     uuid not null,
  identity      uuid not null,
  reference_key text not null,
  reference     text not null check (reference <> '' and char_length(reference) <= 128),
  by            text not null,
  claimed_at    timestamptz(3) not null,
  primary key (account_id, intent_id, reference_key),
  foreign key (account_id, intent_id) references intents,
  foreign key (account_id, wallet_id, identity) references wallets (account_id, id, identity) on update cascade);
comment on table reference_claims is
  'References that were refused to an intent because another intent has them, or their money. At most five on one reference of a '
  'real wallet, and five of one intent. It proves nothing by itself.';
comment on column reference_claims.intent_id is 'The claimer: the intent that did not get the reference.';
comment on column reference_claims.identity is 'The real wallet (wallets.identity). Follows when entries of one wallet are merged.';
comment on column reference_claims.reference_key is 'The reference as it is compared, as intents.reference_key.';
comment on column reference_claims.reference is 'As it was typed for the claimer.';
comment on column reference_claims.by is 'As intents.created_by, or "checkout": the buyer, on the page.';

-- All claims on a reference: the limit, and the alert with this reference.
create index reference_claims_reference on reference_claims (identity, reference_key);
-- Claims are deleted after some time.
create index reference_claims_old on reference_claims (claimed_at);

alter table intent_moves
  drop constraint intent_moves_kind_check,
  add constraint intent_moves_kind_check check (kind in
    ('reference', 'reference_moved', 'expired', 'cancelled', 'verified', 'wrong_amount', 'booked', 'not_matched')) not valid;
alter table intent_moves validate constraint intent_moves_kind_check;
comment on column intent_moves.kind is
  'reference: one was attached. reference_moved: a user moved its reference to another intent. booked: a user gave it money. '
  'not_matched: its amount arrived without a reference, and facts says why that did not verify it. The others: what its status became.';
