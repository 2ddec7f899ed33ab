-- Walk-in money is taken as a sale at the counter. For ten seconds the money is reserved and can be given back; then its intent is
-- made and booked. Until then there is no intent, so a booked alert may be without one. And for each paid intent it is stored who
-- handed the goods over, so that one payment is not shown to two buyers (docs/decisions/0075).

alter table alerts
  add column taken_from text,
  drop constraint alerts_check,
  add constraint alerts_check check (
    case state when 'matched' then intent_id is not null when 'booked' then intent_id is not null or taken_from is not null
               when 'wrong_amount' then intent_id is not null when 'dismissed' then true else intent_id is null end) not valid,
  add constraint alerts_taken_check check (taken_from is null or (state = 'booked' and taken_from in ('waiting', 'review'))) not valid;
alter table alerts validate constraint alerts_check;
alter table alerts validate constraint alerts_taken_check;
comment on column alerts.taken_from is
  'The state before a user took it as a sale (counter_sales). While intent_id is null it goes back to this state when the sale is '
  'undone. Null: it was not taken as a sale.';

-- The counter's roll: the credits of an account, newest first, whatever became of them. Its condition is written so that only the
-- roll's statements have it: a plan for a reference must not read all credits of an account by this index.
create index alerts_credits on alerts (account_id, id) where direction || '' = 'credit' and state <> 'duplicate';

create table counter_sales (
  account_id        uuid not null,
  alert_id          uuid not null,
  intent_id         uuid,
  from_reason       text not null,
  same_payment      uuid,
  by                text not null check (char_length(by) <= 300),
  taken_at          timestamptz(3) not null,
  due_at            timestamptz(3) not null,
  external_order_id text not null check (char_length(external_order_id) <= 128),
  note              text not null check (char_length(note) <= 300),
  primary key (account_id, alert_id),
  foreign key (account_id, alert_id) references alerts (account_id, id),
  foreign key (account_id, intent_id) references intents (account_id, id),
  check (due_at > taken_at));
comment on table counter_sales is 'Money that a user took as a sale at the counter. Deleted when the sale is undone.';
comment on column counter_sales.alert_id is 'The money. It is spent as soon as this row exists.';
comment on column counter_sales.intent_id is 'The intent of the sale, made and booked when due_at has passed. Null: not yet.';
comment on column counter_sales.from_reason is 'The reason of the alert before: it gets it back when the sale is undone.';
comment on column counter_sales.same_payment is
  'A spent alert that may be the same payment, which the user said it is not. Null: there was none.';
comment on column counter_sales.by is 'Who took it, as in audit_log.actor.';
comment on column counter_sales.taken_at is 'When it was taken.';
comment on column counter_sales.due_at is 'Until then the sale can be undone.';
comment on column counter_sales.external_order_id is 'The order number that the intent gets. Empty: none.';
comment on column counter_sales.note is 'The note that the intent gets. Empty: none.';

create index counter_sales_due on counter_sales (due_at) where intent_id is null;
create unique index counter_sales_intent on counter_sales (intent_id) where intent_id is not null;

comment on index counter_sales_intent is 'An intent is made for one sale at most.';

create table handovers (
  account_id uuid not null,
  intent_id  uuid not null,
  by         text not null check (char_length(by) <= 300),
  at         timestamptz(3) not null,
  primary key (account_id, intent_id),
  foreign key (account_id, intent_id) references intents (account_id, id));
comment on table handovers is 'Paid intents whose goods were handed over, once each.';
comment on column handovers.by is 'Who handed them over, as in audit_log.actor.';
