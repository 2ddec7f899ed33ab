/**
 * Accounts as operators see and change them: quotas, suspension, and the health of the service. No secret of any account
 * is shown.
 */
import { type Static, Type } from 'typebox'
import { withDefault } from '../../body.ts'
import { operationsOf } from '../../operation.ts'
import { afterTimeField, textFilter } from '../../query.ts'
import { id, oneOf, timestamp } from '../../scalars.ts'
import { body, closed, flag, orNull, text, whole } from '../../schema.ts'
import { pageOf, pageQuery } from '../page.ts'
import { accountName, timeZone } from '../people/account.ts'
import { AuditPage, auditQuery } from '../people/audit.ts'

export const accountStates = ['ACTIVE', 'SUSPENDED'] as const
const AccountStatus = oneOf(
  [...accountStates],
  'A suspended account can do nothing until it is resumed; what its phones report meanwhile is kept.',
)

const quotaDescription = 'Intents per calendar month; null: no limit.'
const Quota = orNull(Type.Integer({ minimum: 0 }), quotaDescription)
const SentQuota = orNull(Type.Integer({ minimum: 0, maximum: 2_000_000_000 }), quotaDescription)

export const AccountHealth = closed('The health of an account.', {
  intents_today: whole('Intents made since midnight, in the zone of the service.'),
  oldest_waiting_s: orNull(
    Type.Integer(),
    'How long the oldest webhook that is due has waited, in seconds; null: none waits.',
  ),
  phones: whole('Phones that are switched on.'),
  silent_phones: whole('How many of them are silent, by their heartbeats or usual messages.'),
  unread_alerts: whole('Alerts that no template reads, counted to 1,000.'),
})

export const OperatedAccount = closed('An account as operators see it.', {
  id: id('Identifier of the account.'),
  name: text('Name of the account.'),
  status: AccountStatus,
  time_zone: text('The zone in which its days begin, such as `Asia/Aden`.'),
  monthly_intent_quota: Quota,
  created_at: timestamp('When it was made.'),
  health: AccountHealth,
})
export type OperatedAccount = Static<typeof OperatedAccount>

export const NewAccount = body('An account to make. It has no members yet.', {
  name: accountName,
  monthly_intent_quota: withDefault(SentQuota, null),
  time_zone: Type.Optional(timeZone('An IANA name such as `Asia/Aden`; `""`: that of the service.')),
})

export const AccountQuota = Type.Object({ monthly_intent_quota: SentQuota })

export const NodeClock = closed('A running node, and how far its clock is from the database.', {
  id: text('A new one at each start of the node.'),
  host: text('The name of the machine. Several nodes may run on one.'),
  offset_ms: whole("The node's clock minus the database's, in milliseconds. Positive: the node is ahead."),
  state: Type.Union([Type.Literal('agrees'), Type.Literal('differs'), Type.Literal('refused')], {
    description:
      'differs: by more than 2 s. refused: by more than 10 s, so this node does nothing until its clock is set.',
  }),
})

export const LastBackup = closed('The last good backup by `sanad backup`.', {
  made_at: timestamp('The moment of the rows in it.'),
  age_s: Type.Integer({ minimum: 0, description: 'How old these rows are, in seconds.' }),
  old: flag('It is older than the setting SANAD_BACKUP_MAX_AGE_H allows.'),
  made_by: text('The user of the system and the machine that made it, as user@host.'),
  file: text('The path of the file on that machine.'),
  bytes: Type.Integer({ minimum: 0, description: 'The size of the file.' }),
  rows: Type.Integer({ minimum: 0, description: 'How many rows are in it.' }),
  encrypted: flag('Whether it can be read only with a private key.'),
  verified: orNull(
    Type.Boolean(),
    'Whether `sanad backup verify` restored this backup and found everything as it should be; null: it was not tried.',
  ),
  last_verified_at: orNull(
    timestamp('When a backup was last restored as a test, and everything was as it should be.'),
    'When a backup, this or an earlier one, was last restored as a test with a good result; null: never.',
  ),
})

export const OverallHealth = closed('The health of the whole service.', {
  accounts: whole('Accounts that are active.'),
  suspended_accounts: whole('Accounts that are suspended.'),
  intents_today: whole('Intents made since midnight, in all accounts, counted to 100,000.'),
  waiting_deliveries: whole('Webhooks that are not finished, counted to 100,000.'),
  failed_deliveries: whole('How many of them have failed so far and are tried again.'),
  oldest_waiting_s: orNull(Type.Integer(), 'How long the oldest that is due has waited, in seconds.'),
  open_breakers: whole('Endpoints that are not called for a while, because they could not be reached.'),
  phones: whole('Phones that are switched on.'),
  silent_phones: whole('How many of them are silent, by their heartbeats or usual messages.'),
  unread_alerts: whole('Alerts that no template reads, counted to 10,000.'),
  last_backup: orNull(
    LastBackup,
    'The last good backup that `sanad backup` has recorded; null: there is none, or backups are made in another way.',
  ),
  nodes: Type.Array(NodeClock, {
    description: 'The nodes that reported within a minute, those with the most wrong clock first, at most 100.',
  }),
})
export type OverallHealth = Static<typeof OverallHealth>

const operation = operationsOf({ tag: 'Operators', access: 'operator' })

export const listAccounts = operation({
  id: 'listAccounts',
  method: 'GET',
  path: '/operator/accounts/',
  summary: 'All accounts with their health, the newest first',
  query: {
    search: { description: 'Part of the name, or an id.', schema: textFilter(200) },
    status: { description: 'Only accounts with this status.', schema: AccountStatus },
    ...pageQuery(),
    after: { description: 'The `next` of the page before.', schema: afterTimeField() },
  },
  answer: pageOf(OperatedAccount, 'Accounts, the newest first.'),
})
export const createAccount = operation({
  id: 'createAccount',
  method: 'POST',
  path: '/operator/accounts/',
  summary: 'Make an account',
  body: NewAccount,
  example: { name: 'Corner shop', monthly_intent_quota: 10_000 },
  status: 201,
  answer: OperatedAccount,
})
export const showOperatedAccount = operation({
  id: 'showOperatedAccount',
  method: 'GET',
  path: '/operator/accounts/{id}/',
  summary: 'One account with its health',
  answer: OperatedAccount,
})
export const suspendAccount = operation({
  id: 'suspendAccount',
  method: 'POST',
  path: '/operator/accounts/{id}/suspend/',
  summary: 'Suspend an account: its keys, sessions and tokens stop within two seconds',
  description:
    'What its phones report is stored and held. When the account is resumed, it is matched as if it had just arrived.',
  answer: OperatedAccount,
})
export const resumeAccount = operation({
  id: 'resumeAccount',
  method: 'POST',
  path: '/operator/accounts/{id}/resume/',
  summary: 'Resume a suspended account',
  answer: OperatedAccount,
})
export const setAccountQuota = operation({
  id: 'setAccountQuota',
  method: 'PUT',
  path: '/operator/accounts/{id}/quota/',
  proof: 'always',
  summary: 'Set or remove the quota of intents per calendar month',
  body: AccountQuota,
  example: { monthly_intent_quota: 5_000 },
  answer: OperatedAccount,
})
export const listOperatorAudit = operation({
  id: 'listOperatorAudit',
  method: 'GET',
  path: '/operator/audit/',
  summary: 'Changes by operators that belong to no account, the newest first',
  description: 'Changes that operators make in an account are in the log of that account.',
  query: auditQuery,
  answer: AuditPage,
})
export const showOverallHealth = operation({
  id: 'showOverallHealth',
  method: 'GET',
  path: '/operator/health/',
  summary: 'The health of the whole service',
  answer: OverallHealth,
})

export const operatedAccountOperations = operation.described
