-- How far the buyers of a payment link came, and the logo of a shop on its checkout pages.

alter table payment_links
  add column opened int not null default 0 check (opened >= 0),
  add column chosen int not null default 0 check (chosen >= 0),
  add column sent   int not null default 0 check (sent >= 0),
  add column paid   int not null default 0 check (paid >= 0);
comment on column payment_links.opened is
  'How many checkouts it has made. Each of these four counts a checkout once, in the transaction in which it got so far.';
comment on column payment_links.chosen is 'In how many of them a wallet was chosen.';
comment on column payment_links.sent is 'In how many of them a reference was sent.';
comment on column payment_links.paid is 'How many of them are stored as COMPLETE.';

update payment_links k
   set opened = n.opened, chosen = n.chosen, sent = n.sent, paid = n.paid
  from (select c.account_id, c.link_id,
               count(*) as opened,
               count(*) filter (where exists (
                 select from checkout_intents l where l.account_id = c.account_id and l.checkout_id = c.id)) as chosen,
               count(*) filter (where c.references_tried > 0) as sent,
               count(*) filter (where c.status = 'COMPLETE') as paid
          from checkouts c
         where c.link_id is not null
         group by c.account_id, c.link_id) as n
 where k.account_id = n.account_id and k.id = n.link_id;

alter table checkout_pages
  add column logo        bytea check (length(logo) between 1 and 10240),
  add column logo_hash   bytea check (length(logo_hash) = 32),
  add column logo_type   text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  add column logo_width  int check (logo_width between 1 and 512),
  add column logo_height int check (logo_height between 1 and 512),
  add constraint checkout_pages_logo_whole check (num_nulls(logo, logo_hash, logo_type, logo_width, logo_height) in (0, 5));
comment on column checkout_pages.logo is 'The picture as it is sent to browsers, without metadata. Null: none.';
comment on column checkout_pages.logo_hash is 'SHA-256 of the picture: its address.';

create index checkout_pages_logo on checkout_pages (logo_hash) where logo_hash is not null;
