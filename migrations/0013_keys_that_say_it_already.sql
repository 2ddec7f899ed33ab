-- The account of an event is the account of its wallet, and that of an alert the account of its phone: keys of two columns say
-- so. A second key on the account alone says nothing more, and makes all that is written at once share a lock on one row.
alter table events drop constraint events_account_id_fkey;
alter table alerts drop constraint alerts_account_id_fkey;
