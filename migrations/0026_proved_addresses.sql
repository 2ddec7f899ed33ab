-- An address is proved or it is not. The member who invites gets the link of the invitation, so anybody could register any
-- address; an operator then trusted the address, and a second factor kept the owner of the address out. An address counts as
-- proved only by a link that was mailed to it, or by an operator's command (docs/decisions/0062).

alter table users
  add column proved_at  timestamptz(3),
  add column invited_by uuid references users,
  add column invited_to uuid references accounts;

comment on column users.proved_at is
  'When the address was proved: by a link that was mailed to it, or by an operator''s command. Null: whoever invited this user '
  'may have opened the link.';
comment on column users.invited_by is 'Who made the invitation that created this user. Null: an operator''s command, or not known.';
comment on column users.invited_to is 'The account of that invitation.';

alter table members add column request_since timestamptz(3);
create index members_requests on members (request_since) where request_since is not null;

comment on column members.request_since is
  'Set when the address of an unproved user was proved by a new password: the membership was given to whoever had the user '
  'before. Until an owner confirms it, it gives no access. Null: a member.';

-- The link that is mailed has a token of its own: the inviter sees the other one.
alter table user_links
  add column mail_token_hash bytea unique,
  drop constraint user_links_purpose_check,
  drop constraint user_links_check,
  add constraint user_links_purpose_check check (purpose in ('invite', 'reset', 'prove')),
  add constraint user_links_check check (
    purpose in ('reset', 'prove') and user_id is not null
    or purpose = 'invite' and account_id is not null and role is not null),
  add constraint user_links_mail_token_check check (mail_token_hash is null or purpose = 'invite');
create index user_links_to_prove on user_links (user_id) where purpose = 'prove' and used_at is null;

comment on table user_links is
  'A link to join an account, to set a new password, or to prove the address of a signed-in user. It works once.';
comment on column user_links.mail_token_hash is
  'invite: SHA-256 of the secret in the link that was mailed to the address, which nobody else was shown. Null: not mailed.';
comment on column user_links.user_id is 'reset: whose password is set. prove: whose address is proved. invite: who accepted.';

-- Owners are told of a request. The kinds of other migrations stay.
do $$
declare
  kinds   text;
  objects text;
begin
  select pg_get_expr(conbin, conrelid) into strict kinds
    from pg_constraint where conrelid = 'owner_notices'::regclass and conname = 'owner_notices_kind_check';
  select pg_get_expr(conbin, conrelid) into strict objects
    from pg_constraint where conrelid = 'owner_notices'::regclass and conname = 'owner_notices_object_kind_check';
  alter table owner_notices
    drop constraint owner_notices_kind_check,
    drop constraint owner_notices_object_kind_check;
  execute format('alter table owner_notices add constraint owner_notices_kind_check check (%s)',
                 replace(kinds, 'ARRAY[', 'ARRAY[''member_request''::text, '));
  execute format('alter table owner_notices add constraint owner_notices_object_kind_check check (%s)',
                 replace(objects, 'ARRAY[', 'ARRAY[''member''::text, '));
end $$;
comment on column owner_notices.object_id is
  'Id of the phone, endpoint, API key (client id), template or member that it is about.';

-- Which users of today count as proved? The audit log knows how each came.
--
-- Who invited a user: the invitation that was accepted in the moment in which the user was created.
with joined as (
  select distinct on (u.id) u.id as user_id, i.account_id, i.object_id as invitation
    from users u
    join audit_log j on j.action = 'member.join' and j.object_id = u.id::text and j.at = u.created_at
    join audit_log i on i.action = 'invitation.accept' and i.account_id = j.account_id and i.at = j.at and i.actor = u.email
   order by u.id, i.id),
made as (
  select distinct on (j.user_id) j.user_id, j.account_id, m.user_id as by_user
    from joined j
    join audit_log m on m.account_id = j.account_id and m.object_id = j.invitation
                    and m.action in ('invitation.create', 'invitation.resend')
   order by j.user_id, m.id desc)
update users u set invited_by = made.by_user, invited_to = made.account_id
  from made where u.id = made.user_id;

-- Created by an operator's command, or joined by a link that an operator's command printed.
update users u set proved_at = u.created_at
 where exists (select from audit_log c
                where c.action = 'member.create' and c.via = 'command' and c.object_id = u.id::text)
    or u.invited_to is not null and u.invited_by is null;

-- The first owner of an account, who cannot have been invited: nobody was there to do so.
update users u set proved_at = u.created_at
 where u.proved_at is null and u.invited_to is null
   and not exists (select from audit_log j where j.action = 'member.join' and j.object_id = u.id::text)
   and exists (select from members m
                where m.user_id = u.id and m.role = 'owner'
                  and not exists (select from members e
                                   where e.account_id = m.account_id and e.created_at < m.created_at));

-- Set a new password by a link, which was mailed or printed by an operator's command. Not if a second factor is older: then it
-- may be that of somebody else, and the next new password by mail removes it.
update users u set proved_at = r.at
  from (select object_id, max(at) as at from audit_log where action = 'user.password_reset' group by object_id) r
 where u.proved_at is null and r.object_id = u.id::text and (u.totp_since is null or u.totp_since > r.at);
