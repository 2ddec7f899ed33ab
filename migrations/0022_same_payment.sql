-- Spent money with a reference is found by its amount, as spent money without one is: another message may report the same
-- payment in other words.

create index alerts_spent_reference on alerts (identity, amount, id)
  where state in ('matched', 'booked') and reference_key is not null;

comment on column alerts.similar_to is
  'Another alert that may or may not be the same payment: an earlier one with the same text; for an alert with a reference, one '
  'without that is spent. Shown as a doubt.';
