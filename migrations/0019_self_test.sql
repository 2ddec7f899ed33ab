-- A self-test of a phone: a window in which a message that the phone reports counts as the test.
alter table devices
  add column self_test_at    timestamptz(3),
  add column self_test_until timestamptz(3),
  add constraint devices_self_test_whole check ((self_test_at is null) = (self_test_until is null)),
  add constraint devices_self_test_order check (self_test_at < self_test_until);

comment on column devices.self_test_at is 'When a member last began a self-test. Null: never.';
comment on column devices.self_test_until is 'Until when a message counts for that self-test.';
