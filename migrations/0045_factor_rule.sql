-- Whether members have a second factor was left to each of them. The owner of an account can now require one: from then on members have
-- some days to set one up, and after that they can do nothing else in this account (docs/decisions/0091).

alter table accounts
  add column factor_rule_since timestamptz(3),
  add column factor_grace_days integer not null default 7,
  add constraint accounts_factor_grace_days_check check (factor_grace_days between 1 and 30);
comment on column accounts.factor_rule_since is 'Since when members need a second factor. Null: they need none.';
comment on column accounts.factor_grace_days is
  'How many days a member has to set up a second factor, from the beginning of the rule or from joining, whichever is later.';
