-- An account invites an address once at a time: of two who invite the same person together, one finds the other's
-- invitation. Links that set a password are counted and voided by their person.

create unique index user_links_open_invitation on user_links (account_id, email) where purpose = 'invite' and used_at is null;
create index user_links_of_user on user_links (user_id) where purpose = 'reset' and used_at is null;
