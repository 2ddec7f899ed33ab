-- Buyers' pages: which sites may show them in a frame, and how a buyer's phone opens the app of a provider.
alter table checkout_pages
  add column frame_origins text[] not null default '{}'
    constraint checkout_pages_frames_few check (cardinality(frame_origins) <= 10);
comment on column checkout_pages.frame_origins is
  'Origins (https://shop.example.com) whose pages may show the checkout pages in a frame. Empty: none.';

alter table providers
  add column app_link text
    constraint providers_app_link_form check (char_length(app_link) <= 300 and app_link ~ '^[a-z][a-z0-9+.-]*:[^[:space:]<>"'']+$');
comment on column providers.app_link is
  'A link that opens the app of the provider on the buyer''s phone; {account} and {amount} stand for where to send how much. '
  'Null: none is known.';
