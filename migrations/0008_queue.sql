-- People work through what nobody claimed, and close the day by what balances show. Who put money aside and why stays
-- with the alert, because they are asked when it is taken back.
alter table alerts
  add column dismissed_by  text not null default '' check (char_length(dismissed_by) <= 300),
  add column dismissed_why text not null default '' check (char_length(dismissed_why) <= 300);

-- The queue by state (and what was put aside), the queue of a wallet, everything of a wallet in the order it came.
create index alerts_queue_state  on alerts (account_id, state, id)
  where state in ('waiting', 'review', 'held', 'unread', 'dismissed');
create index alerts_queue_wallet on alerts (account_id, wallet_id, id)
  where state in ('waiting', 'review', 'held', 'unread');
create index alerts_of_wallet    on alerts (account_id, wallet_id, id);
create index alerts_breaks       on alerts (wallet_id, id) where chain = 'break';
