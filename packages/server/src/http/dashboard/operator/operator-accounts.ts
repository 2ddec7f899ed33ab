/** `/operator/accounts/` and `/operator/health/`: accounts, their quotas, and their health. */

import * as operations from '@sanad/contract/dashboard/operator/accounts'
import type { WriteAudit } from '../../../accounts/audit/audit.ts'
import {
  auditQuotaChange,
  changeSettings,
  resumeAccount,
  settingsOf,
  suspendAccount,
} from '../../../accounts/tenants/settings.ts'
import { lockAccountSettings } from '../../../accounts/tenants/settings-sql.ts'
import type { Instant } from '../../../core/clock.ts'
import { type AccountId, firstIdAt } from '../../../core/ids.ts'
import { type Refusal, refuse } from '../../../core/refusal.ts'
import { wholeAccount } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import { createdSince } from '../../../intents/list/intent-list.ts'
import { setQuota } from '../../../intents/totals/set-quota.ts'
import { backupAge, recordsAhead_ms } from '../../../postgres/backup/backup-age.ts'
import { latestBackup, latestVerified } from '../../../postgres/backup/backups-sql.ts'
import { agreementOf } from '../../../postgres/clock/clock-agreement.ts'
import { listNodeClocks } from '../../../postgres/clock/node-clocks-sql.ts'
import type { Tx } from '../../../postgres/connection/database.ts'
import type { ListIntents } from '../../../views/intents/list-intents.ts'
import {
  type AccountOverview,
  findAccountOverview,
  listAccountOverviews,
} from '../../../views/operator/account-overview.ts'
import { countIntentsSince, serviceFigures } from '../../../views/operator/account-overview-sql.ts'
import { createAccount } from '../../../wallets/entries/create-account.ts'
import { queueState } from '../../../webhooks/sending/delivery-sql.ts'
import { notFound } from '../../answers.ts'
import { accepted } from '../refusals.ts'
import { change, type DashboardContext, operatorAsker, type Route, type UserCall, userRoute } from '../route.ts'

export type OperatorDeps = DashboardContext & {
  readonly zone: Zone
  readonly list: ListIntents
  /** A last backup that is older needs a person; undefined: no age does. */
  readonly backupMaxAge_ms: number | undefined
}

export const operatorAccountRoutes = (deps: OperatorDeps): Route[] => [
  userRoute(operations.listAccounts, async (call) => {
    const { query, now } = call
    const { search, status, after, page_size: size } = query
    const requested = { search, status, before: after && { createdAt: after[0], id: after[1] }, size }
    return deps.reads.read('operator', operatorAsker(call), async ({ db, list }) => {
      const { accounts, more } = await listAccountOverviews(db, now, requested)
      const results: operations.OperatedAccount[] = []
      for (const account of accounts) results.push(await operatedAnswer({ zone: deps.zone, list }, account, now))
      const last = accounts.at(-1)
      return { next: more && last !== undefined ? `${last.created_at}.${last.id}` : null, results }
    })
  }),
  userRoute(operations.createAccount, async (call) => {
    const { name, monthly_intent_quota: quota, time_zone: timeZone } = call.body
    const accountId = await change(deps, call, async (db, audit) => {
      const id = await createAccount(db, name, quota, call.now)
      if (timeZone !== undefined) await changeSettings(db, () => {}, id, { timeZone })
      const after = { name, monthly_intent_quota: quota, time_zone: timeZone ?? '' }
      audit({ action: 'account.create', kind: 'account', id, accountId: id, after })
      return id
    })
    return accountAnswer(deps, accountId, call.now)
  }),
  userRoute(operations.showOperatedAccount, ({ path, now }) => accountAnswer(deps, path.id, now)),
  userRoute(operations.suspendAccount, (call) => changeWithAudit(deps, call, suspendAccount)),
  userRoute(operations.resumeAccount, (call) => changeWithAudit(deps, call, resumeAccount)),
  userRoute(operations.setAccountQuota, accountIn(deps), async (call, { id }) => {
    const { monthly_intent_quota: quota } = call.body
    return changeWithAudit(deps, call, async (tx, audit) => {
      const [before] = await lockAccountSettings(tx, id)
      if (before === undefined) return refuse('account_unknown')
      await setQuota(tx, wholeAccount(id), quota, deps.zone, call.now)
      auditQuotaChange(audit, before, quota)
      return before
    })
  }),
  userRoute(operations.showOverallHealth, async (call) => {
    const { now } = call
    const { db, zone } = deps
    const { whole, today } = await deps.reads.read('operator', operatorAsker(call), async (from) => {
      const [whole] = await serviceFigures(from.db, now)
      const [today] = await countIntentsSince(from.db, firstIdAt(midnight(zone, now)))
      return { whole, today }
    })
    const [queue] = await queueState(db, now)
    const nodes = await listNodeClocks(db)
    const { accounts, suspended, phones, silent_phones, unread_alerts } = whole!
    return {
      accounts,
      suspended_accounts: suspended,
      intents_today: today!.made,
      waiting_deliveries: queue!.unfinished,
      failed_deliveries: queue!.failed,
      oldest_waiting_s: secondsSince(queue!.oldest_due_at, now),
      open_breakers: queue!.open_breakers,
      phones,
      silent_phones,
      unread_alerts,
      last_backup: await lastBackupAnswer(deps, now),
      nodes: nodes.map(({ node_id, host, offset_ms, error_ms }) => ({
        id: node_id,
        host,
        offset_ms,
        state: agreementOf(offset_ms, error_ms),
      })),
    }
  }),
]

const lastBackupAnswer = async (
  { db, zone, backupMaxAge_ms }: OperatorDeps,
  now: Instant,
): Promise<operations.OverallHealth['last_backup']> => {
  const [last] = await latestBackup(db, now + recordsAhead_ms)
  if (last === undefined) return null
  const [verified] = await latestVerified(db, now + recordsAhead_ms)
  const { age_ms, isOld } = backupAge(last, now, backupMaxAge_ms)
  const text = (at: Instant): string => zone.format(new Date(at))
  return {
    made_at: text(last.made_at),
    age_s: Math.floor(age_ms / 1000),
    old: isOld,
    made_by: last.made_by,
    file: last.file,
    bytes: last.file_bytes,
    rows: last.row_count,
    encrypted: last.encrypted,
    verified: last.verified_ok,
    last_verified_at: verified === undefined ? null : text(verified.verified_at),
  }
}

const secondsSince = (then: Instant | null, now: Instant): number | null =>
  then === null ? null : Math.max(0, Math.floor((now - then) / 1000))

const midnight = (zone: Zone, now: Instant): Instant => {
  const [year, month, day] = zone.format(new Date(now)).slice(0, 10).split('-').map(Number)
  return zone.instantOf({ year: year!, month: month!, day: day! }).getTime()
}

const operatedAnswer = async (
  { list, zone }: Pick<OperatorDeps, 'zone'> & { readonly list: Pick<ListIntents, 'count'> },
  account: AccountOverview,
  now: Instant,
): Promise<operations.OperatedAccount> => ({
  id: account.id,
  name: account.name,
  status: account.status,
  time_zone: account.time_zone === '' ? zone.name : account.time_zone,
  monthly_intent_quota: account.monthly_intent_quota,
  created_at: zone.format(new Date(account.created_at)),
  health: {
    intents_today: await list.count(createdSince(wholeAccount(account.id), midnight(zone, now)), now),
    oldest_waiting_s: secondsSince(account.oldest_due_at, now),
    phones: account.phones,
    silent_phones: account.silent_phones,
    unread_alerts: account.unread_alerts,
  },
})

const accountAnswer = async (deps: OperatorDeps, id: AccountId, now: Instant): Promise<operations.OperatedAccount> => {
  const account = await findAccountOverview(deps.db, now, id)
  if (account === undefined) throw notFound()
  return operatedAnswer(deps, account, now)
}

type AccountPath = { readonly path: { readonly id: AccountId } }

/** The account that the path names. */
const accountIn =
  ({ db }: OperatorDeps) =>
  async ({ path }: AccountPath) =>
    accepted(await settingsOf(db, path.id))

const changeWithAudit = async (
  deps: OperatorDeps,
  call: UserCall & AccountPath,
  verb: (tx: Tx, audit: WriteAudit, id: AccountId, now: Instant) => Promise<object | Refusal<'account_unknown'>>,
): Promise<operations.OperatedAccount> => {
  const { id } = call.path
  await change(deps, call, (tx, audit) => verb(tx, audit, id, call.now))
  return accountAnswer(deps, id, call.now)
}
