-- A duplicate points at the alert that counts. When that alert was superseded by another one, its duplicates kept pointing at it, and
-- the list of phones that reported the payment was incomplete.

with recursive chain as (
  select d.account_id, d.id, t.duplicate_of as counts, 1 as steps
    from alerts d
    join alerts t on t.account_id = d.account_id and t.id = d.duplicate_of
   where d.duplicate_of is not null and t.duplicate_of is not null
  union all
  select c.account_id, c.id, t.duplicate_of, c.steps + 1
    from chain c
    join alerts t on t.account_id = c.account_id and t.id = c.counts
   where t.duplicate_of is not null and c.steps < 100)
update alerts a
   set duplicate_of = c.counts
  from (select distinct on (account_id, id) account_id, id, counts from chain order by account_id, id, steps desc) as c
 where a.account_id = c.account_id and a.id = c.id and a.id <> c.counts;
