-- One-time codes of a wallet, and messages of senders that no wallet and no provider names, were stored readable and stood
-- in the money queue. Whoever reads a code can take the wallet. From here on their text is sealed.
--
-- `hidden`: '' for an ordinary alert; 'code' for a one-time code; 'stranger' for a message of another sender. A hidden row
-- holds no readable text: `raw_text` is the text with its numbers masked (a code) or empty, `sealed_text` holds the message
-- sealed with a key of its own, and `fingerprint`, `client_id` and a stranger's `sender` are keyed hashes, because the
-- six digits of a code can be guessed from a plain one. `forget_at`: when the content of a code, or the whole row of a
-- stranger, is deleted.

alter table alerts drop constraint alerts_state_check;
alter table alerts
  add column hidden text not null default '',
  add column sealed_text bytea,
  add column forget_at timestamptz(3),
  -- It was stored before there were hidden alerts, and nobody has looked whether it is to be one.
  add column check_hidden boolean not null default true,
  add constraint alerts_state_check check (state in
    ('held', 'unread', 'hidden', 'debit', 'duplicate', 'waiting', 'review', 'matched', 'wrong_amount', 'booked', 'dismissed')),
  add constraint alerts_hidden_check check (hidden in ('', 'code', 'stranger')),
  add constraint alerts_hidden_state_check check (
    case hidden when '' then state <> 'hidden' and sealed_text is null and forget_at is null
                else state in ('hidden', 'duplicate') and amount is null and reference is null and payer is null end),
  add constraint alerts_hidden_text_check check (
    hidden = '' or (title = '' and raw_text !~ '[0-9٠-٩۰-۹]' and (hidden = 'code' or raw_text = '')));
alter table alerts alter column check_hidden set default false;

create index alerts_sealed on alerts (account_id, sender, id) where sealed_text is not null;
create index alerts_to_forget on alerts (forget_at) where forget_at is not null;
create index alerts_of_strangers on alerts (device_id) where hidden = 'stranger';
create index alerts_to_check on alerts (id) where check_hidden and amount is null;
