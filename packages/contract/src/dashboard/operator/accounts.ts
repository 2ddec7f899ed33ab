/**
 * What operators see and do of accounts: their quotas, whether they are suspended, and how the service is doing. It shows
 * no secret of any account.
 */
import { type Static, Type } from 'typebox'
import { withDefault } from '../../body.ts'
import { id, oneOf, timestamp } from '../../scalars.ts'
import { operation } from '../operation.ts'
import { pageOf, pageQuery } from '../page.ts'
import { accountName, timeZone } from '../people/account.ts'
import { AuditPage, auditQuery } from '../people/audit.ts'

const orNull = <const S extends Parameters<typeof Type.Union>[0][number]>(of: S, description: string) =>
  Type.Union([of, Type.Null()], { description })

export const accountStates = ['ACTIVE', 'SUSPENDED'] as const
const AccountStatus = oneOf(
  [...accountStates],
  'A suspended account can do nothing until it is resumed; what its phones report meanwhile is kept.',
)

const aboutQuota = 'Intents a calendar month; null: as many as they like.'
const Quota = orNull(Type.Integer({ minimum: 0 }), aboutQuota)
const SentQuota = orNull(Type.Integer({ minimum: 0, maximum: 2_000_000_000 }), aboutQuota)

export const AccountHealth = Type.Object(
  {
    intents_today: Type.Integer({ description: 'Intents made since midnight, in the zone of the service.' }),
    oldest_waiting_s: orNull(
      Type.Integer(),
      'How long the oldest webhook that is due has waited, in seconds; null: none waits.',
    ),
    phones: Type.Integer({ description: 'Phones that are switched on.' }),
    silent_phones: Type.Integer({ description: 'Those of them that have said nothing for three minutes.' }),
    unread_alerts: Type.Integer({ description: 'Alerts that no template reads, counted to 1,000.' }),
  },
  { additionalProperties: false, description: 'How an account stands.' },
)

export const OperatedAccount = Type.Object(
  {
    id: id('Identifier of the account.'),
    name: Type.String({ description: 'Name of the account.' }),
    status: AccountStatus,
    time_zone: Type.String({ description: 'Where its days begin, such as `Asia/Aden`.' }),
    monthly_intent_quota: Quota,
    created_at: timestamp('When it was made.'),
    health: AccountHealth,
  },
  { additionalProperties: false, description: 'An account as its host sees it.' },
)
export type OperatedAccount = Static<typeof OperatedAccount>

export const NewAccount = Type.Object(
  {
    name: accountName,
    monthly_intent_quota: withDefault(SentQuota, null),
    time_zone: Type.Optional(timeZone('An IANA name such as `Asia/Aden`; `""`: that of the service.')),
  },
  { description: 'An account to make. It has no members yet.' },
)

export const AccountQuota = Type.Object({ monthly_intent_quota: SentQuota })

export const OverallHealth = Type.Object(
  {
    accounts: Type.Integer({ description: 'Accounts that are active.' }),
    suspended_accounts: Type.Integer({ description: 'Accounts that are suspended.' }),
    intents_today: Type.Integer({ description: 'Intents made since midnight, in all accounts, counted to 100,000.' }),
    waiting_deliveries: Type.Integer({ description: 'Webhooks that are not finished, counted to 100,000.' }),
    failed_deliveries: Type.Integer({ description: 'Those of them that have failed so far and are tried again.' }),
    oldest_waiting_s: orNull(Type.Integer(), 'How long the oldest that is due has waited, in seconds.'),
    open_breakers: Type.Integer({ description: 'Endpoints that are left alone because they cannot be reached.' }),
    phones: Type.Integer({ description: 'Phones that are switched on.' }),
    silent_phones: Type.Integer({ description: 'Those of them that have said nothing for three minutes.' }),
    unread_alerts: Type.Integer({ description: 'Alerts that no template reads, counted to 10,000.' }),
  },
  { additionalProperties: false, description: 'How the whole service stands.' },
)
export type OverallHealth = Static<typeof OverallHealth>

const tag = 'Operators'
const access = 'operator' as const

export const listAccounts = operation({
  id: 'listAccounts',
  method: 'GET',
  path: '/operator/accounts/',
  access,
  tag,
  summary: 'All accounts and how they stand, the newest first',
  query: {
    search: { description: 'Part of the name, or an id.', schema: Type.String({ maxLength: 200 }) },
    status: { description: 'Only these.', schema: AccountStatus },
    ...pageQuery,
  },
  status: 200,
  answer: pageOf(OperatedAccount, 'Accounts, the newest first.'),
})
export const createAccount = operation({
  id: 'createAccount',
  method: 'POST',
  path: '/operator/accounts/',
  access,
  tag,
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
  access,
  tag,
  summary: 'One account and how it stands',
  status: 200,
  answer: OperatedAccount,
})
export const suspendAccount = operation({
  id: 'suspendAccount',
  method: 'POST',
  path: '/operator/accounts/{id}/suspend/',
  access,
  tag,
  summary: 'Suspend it: its keys, sessions and tokens stop within two seconds',
  description: 'What its phones report is stored and held. Once it is resumed, that is matched as if it had just come.',
  status: 200,
  answer: OperatedAccount,
})
export const resumeAccount = operation({
  id: 'resumeAccount',
  method: 'POST',
  path: '/operator/accounts/{id}/resume/',
  access,
  tag,
  summary: 'Let a suspended account go on',
  status: 200,
  answer: OperatedAccount,
})
export const setAccountQuota = operation({
  id: 'setAccountQuota',
  method: 'PUT',
  path: '/operator/accounts/{id}/quota/',
  access,
  tag,
  summary: 'Set or lift the quota of intents a calendar month',
  body: AccountQuota,
  example: { monthly_intent_quota: 5_000 },
  status: 200,
  answer: OperatedAccount,
})
export const listOperatorAudit = operation({
  id: 'listOperatorAudit',
  method: 'GET',
  path: '/operator/audit/',
  access,
  tag,
  summary: 'What operators changed that concerns no single account, the newest first',
  description: 'What they changed in an account is in the log of that account.',
  query: auditQuery,
  status: 200,
  answer: AuditPage,
})
export const showOverallHealth = operation({
  id: 'showOverallHealth',
  method: 'GET',
  path: '/operator/health/',
  access,
  tag,
  summary: 'How the whole service stands',
  status: 200,
  answer: OverallHealth,
})

export const operatedAccountOperations = [
  listAccounts,
  createAccount,
  showOperatedAccount,
  suspendAccount,
  resumeAccount,
  setAccountQuota,
  listOperatorAudit,
  showOverallHealth,
]
