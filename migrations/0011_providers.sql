-- A provider is shown in the language of the reader and under its country, and says how a buyer pays with it.
alter table providers
  add column display_name_ar text not null default '' check (char_length(display_name_ar) <= 100),
  add column country         text not null default '' check (country ~ '^([A-Z]{2})?$'),
  add column pay_steps_ar    text[] not null default '{}' constraint providers_steps_ar_few check (cardinality(pay_steps_ar) <= 6),
  add column pay_steps_en    text[] not null default '{}' constraint providers_steps_en_few check (cardinality(pay_steps_en) <= 6);

comment on column providers.display_name is 'Its name in English, and wherever there is only one.';
comment on column providers.display_name_ar is 'Its name in Arabic. Empty: it has only the other one.';
comment on column providers.country is
  'ISO 3166-1, two letters. Empty: none was said; it is listed with the companies of the account''s own country.';
comment on column providers.pay_steps_ar is
  'How a buyer pays with it, one short sentence a step, in Arabic. Empty in both languages: the steps that Sanad has for all.';
comment on column providers.pay_steps_en is 'The same in English.';

alter table accounts
  add column country text not null default 'YE' check (country ~ '^[A-Z]{2}$');

comment on column accounts.country is 'ISO 3166-1, two letters. Its wallet companies are listed first.';
