-- An owner may want cashiers to see the money of the day and of no other day (docs/decisions/0095).

alter table role_limits add column sees_other_days boolean not null default true;
comment on column role_limits.sees_other_days is 'Whether the role sees other days than today.';

-- A cashier who mistypes a PIN five times paused the whole counter. A counter now has a larger budget of its own. Owners get a notice
-- when it is used up, and notices go to members' devices too.

alter table pin_tries
  drop constraint pin_tries_wrong_check,
  add constraint pin_tries_wrong_check check (wrong between 1 and 15);
comment on column pin_tries.wrong is 'Together the fifteenth of a counter begins a pause of the counter.';

alter table owner_notices
  drop constraint owner_notices_kind_check,
  add constraint owner_notices_kind_check check (kind in (
    'phone_paired', 'app_let_in', 'signing_key_set', 'webhook_created', 'webhook_moved', 'webhook_rotated', 'key_created', 'key_rotated',
    'key_loosened', 'template_published', 'template_retired', 'trust_changed', 'approval_asked', 'secrets_lost', 'webhook_failing',
    'webhook_disabled', 'webhook_gone', 'member_request', 'booked_short', 'owner_added', 'owner_removed', 'sign_in_new',
    'sign_in_wrong', 'second_factor_changed', 'factor_rule_changed', 'pins_guessed'));

alter table push_pending
  drop constraint push_pending_kind_check,
  add constraint push_pending_kind_check check (kind in (
    'request_asked', 'request_decided', 'money', 'unmatched', 'wrong_amount', 'phone_silent', 'endpoint_failing', 'notice', 'test'));
comment on column push_pending.kind is
  'test: the member asked for a notification, to see that they arrive. notice: of owner_notices or user_notices.';

alter table push_told
  drop constraint push_told_kind_check,
  add constraint push_told_kind_check check (kind in (
    'request_asked', 'request_decided', 'money', 'unmatched', 'wrong_amount', 'phone_silent', 'endpoint_failing', 'notice'));
comment on column push_told.kind is 'As push_settings.kinds, or notice.';
