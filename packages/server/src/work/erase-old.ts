/**
 * Erases what an account has kept for longer than it wants to. One step is one transaction: it locks the row of one account and kind,
 * erases a bounded batch, and stores how far it has come, so that a node that is killed loses nothing, another goes on, and no two do
 * the same. Days are counted by the clock of the database, as ids are.
 */
import { maskOldAudit } from '../accounts/audit/mask-audit.ts'
import { allowPruning, pruneAudit } from '../accounts/audit/prune-audit-sql.ts'
import { type Retention, type RetentionKind, undecidedDays } from '../accounts/retention/retention.ts'
import {
  beginRetention,
  type ErasedKind,
  lockRetentionStep,
  saveRetentionStep,
} from '../accounts/retention/retention-sql.ts'
import { eraseAlerts } from '../alerts/erasing/erase-alerts.ts'
import type { Hiding } from '../alerts/hidden/hidden-text.ts'
import { pruneApiCalls } from '../calls/api-calls-sql.ts'
import { eraseCustomers } from '../checkouts/erasing/erase-customers.ts'
import type { Instant } from '../core/clock.ts'
import { day_ms, hour_ms } from '../core/duration.ts'
import { firstIdAt } from '../core/ids.ts'
import { type Scope, wholeAccount } from '../core/scope.ts'
import { eraseClaimedPayers } from '../matching/payers/claimed-payer-sql.ts'
import type { Db, Tx } from '../postgres/connection/database.ts'

export type EraseOldDeps = {
  readonly db: Db
  readonly hiding: Hiding
  /** What holds for an account that has set nothing. */
  readonly retention: Retention
}

/** How often an account is looked at once everything of it that is old was erased. */
const again_ms = hour_ms

type Step = {
  readonly scope: Scope
  readonly range: { readonly after: string; readonly before: string; readonly most: number }
  readonly now: Instant
}

/** `last`: where the next step begins; undefined: there is no more to do. */
type Erased = { readonly last: string | undefined; readonly erased: number }

/** Of rows that are deleted there is nothing to pass by: the next step begins where this one did. */
const deleted = (rows: readonly unknown[], { range }: Step): Erased => ({
  last: rows.length < range.most ? undefined : range.after,
  erased: rows.length,
})

type Eraser = {
  /** The setting that says how many days are kept. */
  readonly setting: RetentionKind
  readonly more_days?: number
  readonly erase: (deps: EraseOldDeps, tx: Tx, step: Step) => Promise<Erased>
}

const ofAlerts =
  (kind: 'texts' | 'late_texts' | 'no_money'): Eraser['erase'] =>
  (deps, tx, { scope, range, now }) =>
    eraseAlerts(tx, deps.hiding, scope, kind, range, now)

export const erasers: Readonly<Record<ErasedKind, Eraser>> = {
  texts: { setting: 'texts', erase: ofAlerts('texts') },
  late_texts: { setting: 'texts', more_days: undecidedDays, erase: ofAlerts('late_texts') },
  no_money: { setting: 'no_money', erase: ofAlerts('no_money') },
  payers: {
    setting: 'payers',
    erase: async (_, tx, step) =>
      deleted(await eraseClaimedPayers(tx, step.scope, step.range.after, step.range.before, step.range.most), step),
  },
  customers: { setting: 'payers', erase: (_, tx, { scope, range }) => eraseCustomers(tx, scope, range) },
  audit_payers: { setting: 'payers', erase: (_, tx, { scope, range }) => maskOldAudit(tx, scope, range) },
  api_calls: {
    setting: 'api_calls',
    erase: async (_, tx, step) =>
      deleted(await pruneApiCalls(tx, step.scope, step.range.before, step.range.most), step),
  },
  audit: {
    setting: 'audit',
    erase: async (_, tx, step) => {
      await allowPruning(tx)
      return deleted(await pruneAudit(tx, step.scope, step.range.before, step.range.most), step)
    },
  },
}

/** Erases one batch, at most `most` rows. Returns true if there may be more to do. */
export const eraseOld = async (deps: EraseOldDeps, most: number, now: Instant): Promise<boolean> => {
  const worked = await deps.db.transaction(async (tx) => {
    const [row] = await lockRetentionStep(tx, now)
    if (row === undefined) return false
    const { setting, more_days = 0, erase } = erasers[row.kind]
    const scope = wholeAccount(row.account_id)
    const days = (row[setting] ?? deps.retention[setting]) + more_days
    const range = { after: row.erased_to, before: firstIdAt(now - days * day_ms), most }
    const { last } = range.before <= range.after ? { last: undefined } : await erase(deps, tx, { scope, range, now })
    // Nothing older comes later: ids begin with the time. The end of this stretch is where the next run begins.
    const erasedTo = last ?? (range.before > range.after ? range.before : range.after)
    await saveRetentionStep(tx, scope, row.kind, erasedTo, last === undefined ? now + again_ms : now)
    return true
  })
  if (worked) return true
  return (await beginRetention(deps.db, Object.keys(erasers) as ErasedKind[], now, most)).length > 0
}
