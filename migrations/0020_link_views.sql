-- How many browsers have opened a payment link.

alter table payment_links
  add column viewed int not null default 0 check (viewed >= 0);
comment on column payment_links.viewed is
  'How often a browser has loaded the page of the link. Programs that preview links load no pictures of a page and are not counted.';
