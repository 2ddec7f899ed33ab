-- Run once, on a database that has the 27 migrations of ledger.json: what the six files of today write otherwise. No row that
-- anyone reads is changed. Comments are taken from the six files themselves.
--
-- Nodes of the version before go on working meanwhile: they use none of what is dropped here, and only webhook_endpoints is
-- locked against them, for an instant, at the end. (To lock two tables that a payment writes would end in deadlocks; so
-- constraints keep the names they had.)

-- It was added for new rows alone. No alert could be set aside before it was added, so it holds for all of them.
alter table alerts validate constraint alerts_dismissed_check;

-- No index needs it any more. It stays where others use it, or where it belongs to another role.
do $$
begin
  drop extension if exists btree_gin;
exception when insufficient_privilege or dependent_objects_still_exist then
  null;
end $$;

-- Notices of failing endpoints are written to owner_notices. A trigger kept this table empty.
drop table webhook_notices;
drop function webhook_notice_moves();
