-- A webhook is sent after the request that caused it, perhaps by another node. So that a trace goes on there, the event keeps the
-- trace of its request. The service sets sanad.trace for a transaction of a traced request; otherwise the setting is empty and the
-- column null. The default fills it, so that no statement that stores an event has to know of traces.

-- The default is no volatile expression, so the rows that are there stay as they are: null.
alter table events add column trace text default nullif(current_setting('sanad.trace', true), '');
comment on column events.trace is 'The W3C traceparent of the request that caused it. Null: not traced.';
