-- The query of a webhook's address often contains a password (https://shop.example/hook?token=...). Like the headers of an endpoint
-- it is sealed, so that a backup or a member who may not read secrets does not show it (docs/decisions/0085).

alter table webhook_endpoints add column query_sealed bytea;
comment on column webhook_endpoints.query_sealed is
  'The query of the address with its question mark, sealed; null: none, or a node of an earlier version has stored it in `url`.';
comment on column webhook_endpoints.url is 'The address that events are sent to, without its query.';
