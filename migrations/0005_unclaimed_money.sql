-- Money that nobody claimed, by wallet and amount: a list of intents asks for each whether such money lies near it in time.
-- Only the unmatched queue is in it, so that it stays small whatever the business.
create index alerts_unclaimed on alerts (wallet_id, amount, id) where state in ('waiting', 'review', 'held');
