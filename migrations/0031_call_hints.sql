-- A developer who reads the log of API calls could not see how to repair a call: the answer's hint, and the names of what had
-- no effect, were in headers alone. They are stored with the call. Old calls have none, and are deleted after a week.
alter table api_calls
  add column hint text not null default '' check (char_length(hint) <= 300),
  add column ignored text not null default '' check (char_length(ignored) <= 640);
comment on column api_calls.hint is 'The X-Service-Hint of the answer. Empty: none.';
comment on column api_calls.ignored is 'The X-Service-Ignored of the answer: names of what was sent and had no effect. Empty: none.';
comment on column api_calls.client_id is
  'The API key that made the call. With status 401: the key that the caller named without proving it.';
