/**
 * The settings of an account: its name, its time zone, its status. Keys, sessions and tokens of a suspended account
 * stop working on every node within two seconds, because no cache is older. Alerts that its phones report are stored
 * and held; when the account is resumed they are released (matching/reread/release-suspended.ts).
 */
import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Db, Session } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import type { Note } from '../audit/audit.ts'
import {
  findSettings,
  lockSettings,
  markResumed,
  markSuspended,
  saveSettings,
  type settingsColumns,
} from './settings-sql.ts'

export type Settings = RowOf<typeof settingsColumns>

/** As the audit log shows it. */
const shownInLog = ({ name, time_zone, country, status, monthly_intent_quota }: Settings) => ({
  name,
  time_zone,
  country,
  status,
  monthly_intent_quota,
})

export const settingsOf = async (db: Db, id: AccountId): Promise<Settings | Refusal<'account_unknown'>> =>
  (await findSettings(db, id))[0] ?? refuse('account_unknown')

type Changed = {
  readonly name?: string | undefined
  readonly timeZone?: string | undefined
  readonly country?: string | undefined
}

/** Logs nothing if nothing changed. */
const save = (
  db: Db,
  note: Note,
  id: AccountId,
  changed: Changed & { readonly status?: Settings['status'] },
  action: string,
  onStatusChange?: (tx: Session) => Promise<unknown>,
): Promise<Settings | Refusal<'account_unknown'>> =>
  db.transaction(async (tx) => {
    const [before] = await lockSettings(tx, id)
    if (before === undefined) return refuse('account_unknown')
    const [after] = await saveSettings(tx, id, changed)
    if (before.status !== after!.status) await onStatusChange?.(tx)
    if (JSON.stringify(before) !== JSON.stringify(after))
      note({ action, kind: 'account', id, accountId: id, before: shownInLog(before), after: shownInLog(after!) })
    return after!
  })

export const changeSettings = (db: Db, note: Note, id: AccountId, changed: Changed) =>
  save(db, note, id, changed, 'account.update')

export const suspendAccount = (db: Db, note: Note, id: AccountId, now: Instant) =>
  save(db, note, id, { status: 'SUSPENDED' }, 'account.suspend', (tx) => markSuspended(tx, id, now))

export const resumeAccount = (db: Db, note: Note, id: AccountId, _now: Instant) =>
  save(db, note, id, { status: 'ACTIVE' }, 'account.resume', (tx) => markResumed(tx, id))

/** The audit entry of a new quota, which intents/totals/set-quota.ts writes. */
export const noteQuotaChange = (note: Note, before: Settings, quota: number | null): void => {
  if (before.monthly_intent_quota === quota) return
  note({
    action: 'account.quota',
    kind: 'account',
    id: before.id,
    accountId: before.id,
    before: { monthly_intent_quota: before.monthly_intent_quota },
    after: { monthly_intent_quota: quota },
  })
}
