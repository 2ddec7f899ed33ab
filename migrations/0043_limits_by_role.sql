-- An owner sets limits for managers and cashiers: how far a booking may fall short of its order, how much may be booked by hand in one
-- step, whether a cashier may cancel and take walk-in money. What is over a limit waits as a request that a manager or an owner
-- confirms (docs/decisions/0088).

create table role_limits (
  account_id  uuid not null references accounts,
  role        text not null check (role in ('manager', 'cashier')),
  currency    text not null check (currency <> ''),
  most_short  bigint check (most_short >= 0),
  most_booked bigint check (most_booked >= 0),
  cancels     boolean not null,
  takes_sales boolean not null,
  primary key (account_id, role));
comment on table role_limits is 'The limits of a role. A role without a row has the usual ones; owners have none.';
comment on column role_limits.currency is 'Of both amounts. They allow nothing in another currency.';
comment on column role_limits.most_short is 'How far a booking may fall short of its order. Null: as far as it likes.';
comment on column role_limits.most_booked is 'How much may be booked by hand in one step. Null: any amount.';
comment on column role_limits.cancels is 'Whether the role may cancel intents and checkouts.';
comment on column role_limits.takes_sales is 'Whether the role may take walk-in money as a sale.';

create table limit_requests (
  account_id   uuid not null references accounts,
  id           uuid not null,
  act          text not null check (act in ('book', 'book_copy', 'accept_paid', 'collect_rest', 'take_sale', 'cancel_intent',
                                            'cancel_checkout')),
  wallet_id    uuid,
  alert_id     uuid,
  intent_id    uuid,
  checkout_id  uuid,
  amount       bigint not null,
  short        bigint not null check (short >= 0),
  currency     text not null,
  limits       text[] not null check (limits <@ array['short', 'booked', 'cancel', 'take_sale'] and limits <> '{}'),
  needs_owner  boolean not null,
  change       json not null,
  asked_by     uuid not null references users,
  asked_name   text not null check (char_length(asked_name) <= 300),
  asked_at     timestamptz(3) not null,
  expires_at   timestamptz(3) not null,
  state        text not null default 'open' check (state in ('open', 'confirmed', 'refused', 'withdrawn', 'expired', 'over')),
  decided_by   uuid references users,
  decided_name text not null default '' check (char_length(decided_name) <= 300),
  decided_at   timestamptz(3),
  reason       text not null default '' check (char_length(reason) <= 300),
  result_id    uuid,
  primary key (account_id, id),
  foreign key (account_id, alert_id) references alerts (account_id, id),
  foreign key (account_id, intent_id) references intents (account_id, id),
  foreign key (account_id, checkout_id) references checkouts (account_id, id),
  constraint limit_requests_decided check ((state = 'open') = (decided_at is null)));
comment on table limit_requests is 'What a member asked for because it is over the limit of their role, and what became of it.';
comment on column limit_requests.act is 'What is done when it is confirmed.';
comment on column limit_requests.wallet_id is 'The wallet of the money or of the order. Null: a checkout that has no intent yet.';
comment on column limit_requests.alert_id is 'The money. Null: something is cancelled.';
comment on column limit_requests.intent_id is 'The order. Null: walk-in money, or a checkout.';
comment on column limit_requests.checkout_id is 'The checkout that is cancelled, or the one of the intent.';
comment on column limit_requests.amount is 'What arrived, or what is asked for by what is cancelled, in minor units.';
comment on column limit_requests.short is 'How far it falls short of the order, when it was asked for.';
comment on column limit_requests.limits is 'Which limits of the asking member it is over.';
comment on column limit_requests.needs_owner is 'When it was asked for it was over the limits of managers too. Confirming it judges this again.';
comment on column limit_requests.change is 'What the asking member sent.';
comment on column limit_requests.asked_by is 'Stays when the member leaves the account.';
comment on column limit_requests.asked_name is 'As in audit_log.actor.';
comment on column limit_requests.expires_at is 'From then on nobody can confirm it, whether its end was written or not.';
comment on column limit_requests.decided_by is 'Null: nobody; it ended by itself.';
comment on column limit_requests.decided_name is 'As in audit_log.actor. Empty: nobody.';
comment on column limit_requests.reason is 'Why it was refused, in the words of the member, or the code of what made it impossible.';
comment on column limit_requests.result_id is 'The intent that the confirmed act paid or cancelled. Null: none, or a sale that can still be undone.';

-- Requests that wait, of an account and of all; those of a member, of an alert, of an intent, of a checkout; old ones.
create index limit_requests_open on limit_requests (account_id, id) where state = 'open';
create index limit_requests_due on limit_requests (expires_at) where state = 'open';
create index limit_requests_of_member on limit_requests (account_id, asked_by, id);
create index limit_requests_of_alert on limit_requests (account_id, alert_id) where alert_id is not null;
create index limit_requests_of_intent on limit_requests (account_id, intent_id) where intent_id is not null;
create index limit_requests_of_result on limit_requests (account_id, result_id) where result_id is not null;
create index limit_requests_of_checkout on limit_requests (account_id, checkout_id) where checkout_id is not null;
create index limit_requests_decided_at on limit_requests (account_id, decided_at) where decided_at is not null;
create index limit_requests_old on limit_requests (asked_at);

-- Notifications of requests. The kinds of other migrations stay.
do $$
declare
  name  text;
  rule  text;
begin
  foreach name in array array['push_settings_kinds_check', 'push_pending_kind_check', 'push_told_kind_check'] loop
    select pg_get_expr(conbin, conrelid) into strict rule from pg_constraint where conname = name;
    execute format('alter table %s drop constraint %I', substring(name from '^push_[a-z]+'), name);
    execute format('alter table %s add constraint %I check (%s)', substring(name from '^push_[a-z]+'), name,
                   replace(rule, 'ARRAY[', 'ARRAY[''request_asked''::text, ''request_decided''::text, '));
  end loop;
end $$;
update push_settings set kinds = kinds || array['request_asked', 'request_decided'];

comment on column role_limits.role is 'Whom it limits: managers or cashiers. Owners have no limit.';
comment on column limit_requests.state is 'open: it waits. Otherwise how it ended.';
comment on column limit_requests.asked_at is 'When the member asked.';
comment on column limit_requests.decided_at is 'When it ended. Null: it waits.';
