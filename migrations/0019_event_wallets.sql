-- What an event says of its wallet it has from its alert, which is held to one of the account's. Asking the wallet again, for
-- every event, had all payments into one wallet share the lock of its row.
alter table events drop constraint events_account_id_wallet_id_fkey;
