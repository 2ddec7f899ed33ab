import type { Instant } from '../../core/clock.ts'
import type { AccountId, LinkId, UserId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, instant, jsonText, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import type { GivenWallets } from './wallet-limit.ts'

export type NewLink = {
  readonly id: LinkId
  readonly tokenHash: Buffer
  readonly now: Instant
  readonly expiresAt: Instant
}

/**
 * Inserts a link to set a password, if the user with this address has fewer than `most` open links. It is one statement, so
 * that known and unknown addresses take the same time. Indexes: users_email_key, user_links_of_user.
 */
export const insertResetLink = statement(
  'insert_reset_link',
  { email: text(), user_id: uuid<UserId>() },
  (link: NewLink, email: string, most: number) => [
    link.tokenHash,
    link.id,
    at(link.now),
    at(link.expiresAt),
    email,
    most,
  ],
  `
  insert into user_links (token_hash, purpose, email, user_id, id, created_at, expires_at)
  select $1, 'reset', u.email, u.id, $2, $3, $4
    from users u
   where u.email = $5 and u.disabled_at is null
     and $6 > (select count(*) from user_links l
                where l.user_id = u.id and l.purpose = 'reset' and l.used_at is null and l.expires_at > $3)
  returning email, user_id`,
)

/** The user whose password an open link sets. Index: primary key. */
export const findResetLink = statement(
  'find_reset_link',
  { user_id: uuid<UserId>(), email: text() },
  (tokenHash: Buffer, now: Instant) => [tokenHash, at(now)],
  `
  select l.user_id, u.email
    from user_links l
    join users u on u.id = l.user_id and u.disabled_at is null
   where l.token_hash = $1 and l.purpose = 'reset' and l.used_at is null and l.expires_at > $2`,
)

/** Marks the link as used: of two requests with one link, the second finds it used. */
export const takeResetLink = statement(
  'take_reset_link',
  { user_id: uuid<UserId>() },
  (tokenHash: Buffer, now: Instant) => [tokenHash, at(now)],
  `
  update user_links set used_at = $2
   where token_hash = $1 and purpose = 'reset' and used_at is null and expires_at > $2
  returning user_id`,
)

/** Ends all open reset links of the user. Index: user_links_of_user. */
export const voidResetLinks = statement(
  'void_reset_links',
  noColumns,
  (userId: UserId, now: Instant) => [userId, at(now)],
  `update user_links set used_at = $2 where user_id = $1 and purpose = 'reset' and used_at is null`,
)

const invitation = {
  id: uuid<LinkId>(),
  email: text(),
  role: text(),
  /** As JSON; null: all. */
  wallets: nullable(jsonText()),
  invited_by: text(),
  created_at: instant(),
  expires_at: instant(),
}
const invitationColumns = `
  l.id, l.email, l.role, array_to_json(l.wallets) as wallets, coalesce(nullif(u.name, ''), u.email, '') as invited_by, l.created_at, l.expires_at`

/** `mailTokenHash`: of the token that only the email has; null: nothing is mailed. */
export type NewInvitation = NewLink & { readonly mailTokenHash: Buffer | null }

/** Inserts nothing if the address has an open invitation; one that has expired is replaced. */
export const insertInvitation = statement(
  'insert_invitation',
  { id: uuid<LinkId>() },
  (link: NewInvitation, scope: Scope, email: string, role: string, wallets: GivenWallets, by: UserId | null) => [
    link.tokenHash,
    link.id,
    at(link.now),
    at(link.expiresAt),
    scope.accountId,
    email,
    role,
    by,
    link.mailTokenHash,
    wallets,
  ],
  `
  insert into user_links as l
         (token_hash, purpose, email, account_id, role, id, made_by, created_at, expires_at, mail_token_hash, wallets)
  values ($1, 'invite', $6, $5, $7, $2, $8, $3, $4, $9, $10)
  on conflict (account_id, email) where purpose = 'invite' and used_at is null
  do update set token_hash = excluded.token_hash, mail_token_hash = excluded.mail_token_hash, role = excluded.role, wallets = excluded.wallets, id = excluded.id, made_by = excluded.made_by,
                created_at = excluded.created_at, expires_at = excluded.expires_at
   where l.expires_at <= excluded.created_at
  returning l.id`,
)

/** Invitations that were not accepted, newest first. Index: user_links_open_invitation. */
export const invitationsOfAccount = scoped(
  'invitations_of_account',
  invitation,
  (scope: Scope) => [scope.accountId],
  `
  select ${invitationColumns}
    from user_links l
    left join users u on u.id = l.made_by
   where l.account_id = $1 and l.purpose = 'invite' and l.used_at is null
   order by l.created_at desc, l.id
   limit 500`,
)

export const findInvitation = scoped(
  'find_invitation',
  invitation,
  (scope: Scope, id: string) => [scope.accountId, id],
  `
  select ${invitationColumns}
    from user_links l
    left join users u on u.id = l.made_by
   where l.account_id = $1 and l.id = $2 and l.purpose = 'invite' and l.used_at is null`,
)

/** Replaces both links; the old ones are no longer valid. */
export const renewInvitation = scoped(
  'renew_invitation',
  { id: uuid<LinkId>() },
  (scope: Scope, id: string, link: Omit<NewInvitation, 'id'>, by: UserId) => [
    scope.accountId,
    id,
    link.tokenHash,
    by,
    at(link.now),
    at(link.expiresAt),
    link.mailTokenHash,
  ],
  `
  update user_links set token_hash = $3, mail_token_hash = $7, made_by = $4, created_at = $5, expires_at = $6
   where account_id = $1 and id = $2 and purpose = 'invite' and used_at is null
  returning id`,
)

export const deleteInvitation = scoped(
  'delete_invitation',
  { email: text(), role: text() },
  (scope: Scope, id: string) => [scope.accountId, id],
  `
  delete from user_links
   where account_id = $1 and id = $2 and purpose = 'invite' and used_at is null
  returning email, role`,
)

/** Index: user_links_open_invitation. */
export const deleteInvitationsBy = scoped(
  'delete_invitations_by',
  { id: uuid<LinkId>(), email: text(), role: text() },
  (scope: Scope, by: UserId) => [scope.accountId, by],
  `
  delete from user_links
   where account_id = $1 and made_by = $2 and purpose = 'invite' and used_at is null
  returning id, email, role`,
)

const openInvitation = {
  id: uuid<LinkId>(),
  account_id: uuid<AccountId>(),
  account: text(),
  email: text(),
  role: text(),
  /** As JSON; null: all. */
  wallets: nullable(jsonText()),
  invited_by: text(),
  expires_at: instant(),
  known_id: nullable(uuid<UserId>()),
  /** Who made the invitation; null: an operator's command. */
  made_by: nullable(uuid<UserId>()),
  /** Whether it was found by the token that only the email has. */
  by_mail: bool(),
}
const openInvitationSql = `
  select l.id, l.account_id, a.name as account, l.email, l.role, array_to_json(l.wallets) as wallets,
         coalesce(nullif(m.name, ''), m.email, '') as invited_by, l.expires_at, u.id as known_id,
         l.made_by, coalesce(l.mail_token_hash = $1, false) as by_mail
    from user_links l
    join accounts a on a.id = l.account_id and a.status = 'ACTIVE'
    left join users u on u.email = l.email
    left join users m on m.id = l.made_by
   where (l.token_hash = $1 or l.mail_token_hash = $1) and l.purpose = 'invite' and l.used_at is null and l.expires_at > $2`

/**
 * The invitation of an open link, and the id of the user with its address, if there is one. Indexes: primary key,
 * user_links_mail_token_hash_key.
 */
export const showInvitationRow = statement(
  'show_invitation_row',
  openInvitation,
  (tokenHash: Buffer, now: Instant) => [tokenHash, at(now)],
  openInvitationSql,
)

/** The same, with the link locked until the transaction ends: it is accepted once, or withdrawn. */
export const lockInvitation = statement(
  'lock_invitation',
  openInvitation,
  (tokenHash: Buffer, now: Instant) => [tokenHash, at(now)],
  `${openInvitationSql}
     for update of l`,
)

export const markInvitationAccepted = statement(
  'mark_invitation_accepted',
  noColumns,
  (id: LinkId, userId: UserId, now: Instant) => [id, userId, at(now)],
  'update user_links set used_at = $3, user_id = $2 where id = $1',
)

/** How many members and open invitations the account has, and whether the address belongs to a member. */
export const countPlaces = scoped(
  'count_places',
  { places: whole(), member: bool() },
  (scope: Scope, email: string, now: Instant) => [scope.accountId, email, at(now)],
  `
  select ((select count(*) from members where account_id = $1)
        + (select count(*) from user_links
            where account_id = $1 and purpose = 'invite' and used_at is null and expires_at > $3))::int as places,
         exists (select from members m join users u on u.id = m.user_id
                  where m.account_id = $1 and u.email = $2) as member`,
)

/** Deletes links that expired long ago. Index: user_links_over. */
export const pruneLinks = statement(
  'prune_links',
  { id: uuid<LinkId>() },
  (before: Instant) => [at(before)],
  `
  delete from user_links where id in (select id from user_links where expires_at < $1 limit 500)
  returning id`,
)
