/**
 * The settings of an account: its name, its time zone, its country, its status. Keys, sessions and tokens of a suspended
 * account stop working on every node within two seconds, because no cached row is older than that. Alerts that its phones
 * report are stored and held; when the account is resumed they are released (matching/reread/release-suspended.ts).
 */
import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import type { WriteAudit } from '../audit/audit.ts'
import {
  findAccountSettings,
  lockAccountSettings,
  markResumed,
  markSuspended,
  saveAccountSettings,
  type settingsColumns,
} from './settings-sql.ts'

export type Settings = RowOf<typeof settingsColumns>

/** The settings that the audit log shows. */
const auditedSettings = ({ name, time_zone, country, status, monthly_intent_quota }: Settings) => ({
  name,
  time_zone,
  country,
  status,
  monthly_intent_quota,
})

export const settingsOf = async (db: Session, id: AccountId): Promise<Settings | Refusal<'account_unknown'>> =>
  (await findAccountSettings(db, id))[0] ?? refuse('account_unknown')

type Changed = {
  readonly name?: string | undefined
  readonly timeZone?: string | undefined
  readonly country?: string | undefined
}

/** Logs nothing if nothing changed. */
const save = async (
  tx: Tx,
  audit: WriteAudit,
  id: AccountId,
  changed: Changed & { readonly status?: Settings['status'] },
  action: string,
  onStatusChange?: () => Promise<unknown>,
): Promise<Settings | Refusal<'account_unknown'>> => {
  const [before] = await lockAccountSettings(tx, id)
  if (before === undefined) return refuse('account_unknown')
  const [after] = await saveAccountSettings(tx, id, changed)
  if (before.status !== after!.status) await onStatusChange?.()
  if (JSON.stringify(before) !== JSON.stringify(after))
    audit({
      action,
      kind: 'account',
      id,
      accountId: id,
      before: auditedSettings(before),
      after: auditedSettings(after!),
    })
  return after!
}

export const changeSettings = (tx: Tx, audit: WriteAudit, id: AccountId, changed: Changed) =>
  save(tx, audit, id, changed, 'account.update')

export const suspendAccount = (tx: Tx, audit: WriteAudit, id: AccountId, now: Instant) =>
  save(tx, audit, id, { status: 'SUSPENDED' }, 'account.suspend', () => markSuspended(tx, id, now))

export const resumeAccount = (tx: Tx, audit: WriteAudit, id: AccountId, _now: Instant) =>
  save(tx, audit, id, { status: 'ACTIVE' }, 'account.resume', () => markResumed(tx, id))

/** Notes the audit entry of a quota that intents/totals/set-quota.ts has changed. */
export const auditQuotaChange = (audit: WriteAudit, before: Settings, quota: number | null): void => {
  if (before.monthly_intent_quota === quota) return
  audit({
    action: 'account.quota',
    kind: 'account',
    id: before.id,
    accountId: before.id,
    before: { monthly_intent_quota: before.monthly_intent_quota },
    after: { monthly_intent_quota: quota },
  })
}
