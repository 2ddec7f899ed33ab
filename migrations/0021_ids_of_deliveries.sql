-- A delivery's id begins as its event's does, so it is found by endpoint and event, and two indexes need not be written for each
-- delivery. Those that were made before get such an id as well: the second half of it stays.
update deliveries set id = (left(event_id::text, 18) || right(id::text, 18))::uuid;
update delivery_attempts set delivery_id = (left(event_id::text, 18) || right(delivery_id::text, 18))::uuid;
update delivery_ends set delivery_id = (left(event_id::text, 18) || right(delivery_id::text, 18))::uuid;

-- Whoever makes one gives it such an id. The default stays for nodes of the version before, which go on taking payments until
-- they are replaced: what they make is sent like any other, and only not found by its id.
drop index deliveries_id;
drop index delivery_ends_of_delivery;
