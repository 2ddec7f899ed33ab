-- What the dashboard counts and hints at.
--
-- Money that nobody claimed, by wallet and amount: a list of intents asks for each whether such money lies near it in time.
-- Only the unmatched queue is in it, so that it stays small whatever the business.
create index alerts_unclaimed on alerts (wallet_id, amount, id) where state in ('waiting', 'review', 'held');

-- Figures of whole hours, written once when no intent of the hour can change any more, together with its tallies: so that
-- a chart of three months reads hours and not intents. An hour is by creation, and in UTC. `waits`: how long verifying
-- took, as counts by bucket of seconds (each a tenth longer than the one before), testing wallets left out.
create table intent_hours (
  account_id uuid not null references accounts,
  hour       timestamptz(3) not null,
  wallet_id  uuid not null references wallets,
  status     text not null,
  count      integer not null,
  sum        bigint not null,
  primary key (account_id, hour, wallet_id, status));

create table intent_waits (
  account_id uuid not null references accounts,
  hour       timestamptz(3) not null,
  waits      json not null,
  primary key (account_id, hour));

insert into intent_hours (account_id, hour, wallet_id, status, count, sum)
select i.account_id, date_trunc('hour', i.created_at, 'UTC'), i.wallet_id,
       case i.status when 'PENDING' then 'EXPIRED' else i.status end, count(*), sum(i.payable)
  from intents i
 where i.created_at < (select sealed_until from tally_progress)
 group by 1, 2, 3, 4;

insert into intent_waits (account_id, hour, waits)
select b.account_id, b.hour, json_object_agg(b.bucket, b.n)
  from (select i.account_id, date_trunc('hour', i.created_at, 'UTC') as hour, count(*) as n,
               floor(ln(greatest(extract(epoch from i.verified_at - i.created_at), 1)) / ln(1.1))::int as bucket
          from intents i
          join wallets w on w.id = i.wallet_id and not w.is_test
         where i.status = 'VERIFIED' and i.created_at < (select sealed_until from tally_progress)
         group by 1, 2, 4) as b
 group by 1, 2;
