-- Messages without a reference that are spent, by the service or by a member, are found by their amount: another message may
-- report the same payment in other words, or be a part of it.

drop index alerts_matched_amount;
create index alerts_spent_amount on alerts (identity, amount, id)
  where state in ('matched', 'booked') and reference_key is null;
