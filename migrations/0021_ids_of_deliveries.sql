-- A delivery's id begins as its event's does, so it is found by endpoint and event, and two indexes need not be written for each
-- delivery. Those that were made before get such an id as well: the second half of it stays.
update deliveries set id = (left(event_id::text, 18) || right(id::text, 18))::uuid;
update delivery_attempts set delivery_id = (left(event_id::text, 18) || right(delivery_id::text, 18))::uuid;
update delivery_ends set delivery_id = (left(event_id::text, 18) || right(delivery_id::text, 18))::uuid;

-- Whoever makes one gives it such an id.
alter table deliveries alter column id drop default;
drop index deliveries_id;
drop index delivery_ends_of_delivery;
