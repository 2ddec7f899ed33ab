-- Which owners have their letter already. A mail server takes one letter and puts off the next: who has theirs is not
-- written to again when the others' turn comes.
alter table webhook_notices add told_users uuid[] not null default '{}';
