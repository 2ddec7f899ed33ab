-- Two messages of one amount that no reference, payer or balance tells apart may report one payment for a day, so the second one
-- waits for a member. A shop whose wallet company sends one message for each payment can say so: then messages of one phone
-- that were sent more than ten minutes apart are two payments.

alter table wallets add column review_later_messages boolean not null default true;

comment on column wallets.review_later_messages is
  'A credit waits for a user if it may be a spent payment in another message, also if the same phone reported both and they were '
  'sent more than ten minutes apart.';
