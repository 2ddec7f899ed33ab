-- An intent of a checkout ends with the checkout, and the end of a checkout no longer moves with its intent. A checkout whose intent
-- was opened under the earlier rule keeps the end that its page showed: the end of that intent.
update checkouts c set expires_at = s.closes_at
  from (select l.account_id, l.checkout_id, max(i.expires_at) as closes_at
          from checkouts o
          join checkout_intents l on l.account_id = o.account_id and l.checkout_id = o.id
          join intents i on i.account_id = l.account_id and i.id = l.intent_id
         where o.status = 'OPEN' and i.status in ('PENDING', 'EXPIRED')
         group by l.account_id, l.checkout_id) as s
 where c.account_id = s.account_id and c.id = s.checkout_id and c.status = 'OPEN' and s.closes_at > c.expires_at;

-- An account number is checked by what its provider's numbers look like: a wrong digit sends buyers' money to a stranger.
alter table providers
  add column number_lengths  smallint[] not null default '{}' constraint providers_lengths_few check (cardinality(number_lengths) <= 10),
  add column number_prefixes text[] not null default '{}' constraint providers_prefixes_few check (cardinality(number_prefixes) <= 30);
comment on column providers.number_lengths is
  'How many digits its account numbers have, without the international prefix. Empty: any number.';
comment on column providers.number_prefixes is 'The digits that its account numbers begin with. Empty: any.';

-- Wallets whose account number is the owner's mobile number in Yemen.
update providers set number_lengths = '{9}', number_prefixes = '{70,71,73,77,78}'
 where account_id is null and name in ('jaib', 'jawali', 'floosak', 'mfloos', 'one-cash');

-- A wallet into which no money has come says so where buyers are sent to it.
alter table wallets add column first_received_at timestamptz(3);
comment on column wallets.first_received_at is
  'When the first credit was reported under its present account number. Null: none yet.';
update wallets w
   set first_received_at = (select a.received_at from alerts a
                             where a.account_id = w.account_id and a.wallet_id = w.id and a.direction = 'credit'
                             order by a.id limit 1);
