/**
 * Attaches the wallet's reference to a PENDING intent, and resolves the intent at once if the alert is already there. In a real
 * wallet, one reference is held by at most one PENDING intent: the database enforces it, so one of two requests for one reference
 * is refused, and its claim is kept for the members of the account. An alert that arrives at the same time takes the same lock: the
 * second one finds what the first wrote. An alert that only ended an intent as WRONG_AMOUNT is not spent, and can verify another
 * intent of its amount.
 */
import type { Instant } from '../../core/clock.ts'
import { timeOrderedId } from '../../core/ids.ts'
import { referenceKey } from '../../core/reference-key.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import type { Attachment } from '../../intents/attachment.ts'
import { insertEndEvents } from '../../intents/end-events.ts'
import { type Intent, type Matched, statusAt } from '../../intents/intent.ts'
import { intentOf } from '../../intents/intent-sql.ts'
import {
  attachReferences,
  expireHolder,
  type lockedColumns,
  lockForReferences,
  mostReferences,
} from '../../intents/reference-sql.ts'
import { type Db, faultConstraint, type Tx } from '../../postgres/connection/database.ts'
import { gather } from '../../postgres/query/gather.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { judge } from '../rules/judge.ts'
import { referenceLock, sortedLocks } from './alert-locks.ts'
import { claimFacts, keepClaim } from './keep-claim.ts'
import { endsIntent, type Resolution, resolutionOf } from './resolution.ts'
import { writeResolutions } from './write-resolutions.ts'

export type AttachReference = (
  request: { readonly scope: Scope; readonly id: string; readonly reference: string; readonly by: string },
  now: Instant,
) => Promise<
  AttachedIntent | Refusal<'intent_unknown' | 'intent_not_pending' | 'reference_already_used' | 'reference_limit'>
>

/** `repeated`: the intent had this reference already, and nothing was changed. */
export type AttachedIntent = Intent & { readonly repeated?: true }

const attachmentLocks = (attachments: readonly Attachment[]): bigint[] =>
  sortedLocks(attachments.map(({ accountId, referenceKey }) => referenceLock(accountId, referenceKey)))

/** The intent afterwards; 'too many': it has had the most references already; undefined: it cannot get this reference. */
type Attached = AttachedIntent | 'too many' | undefined

/** Returns the results in the order of the attachments. The caller holds `attachmentLocks(attachments)`. */
export const attach = async (tx: Tx, attachments: readonly Attachment[], zone: Zone): Promise<Attached[]> => {
  // Rows of intents are locked in the order of their ids, as in take-reference.ts.
  const inOrder = attachments.toSorted((a, b) => (a.id.toLowerCase() < b.id.toLowerCase() ? -1 : 1))
  const rows = await lockForReferences(tx, inOrder)
  const byId = new Map(attachments.map((attachment) => [attachment.id, attachment]))
  const results = new Map<string, Attached>()
  const withoutAlert: Attachment[] = []
  const resolutions: Resolution[] = []
  for (const row of rows) {
    const { matched: alert, ...before } = intentOf(row)
    const attachment = byId.get(before.id)!
    // The same reference again: nothing to change.
    if (before.reference === attachment.reference) {
      results.set(before.id, { ...before, matched: null, repeated: true })
      continue
    }
    if (row.tried >= mostReferences && !row.tried_before) {
      results.set(before.id, 'too many')
      continue
    }
    const intent: Intent = { ...before, reference: attachment.reference, matched: null }
    const resolution = alert === null ? undefined : resolutionBy(alert, row, intent, attachment, zone)
    if (alert === null || resolution === undefined) {
      withoutAlert.push(attachment)
      results.set(intent.id, intent)
    } else {
      resolutions.push(resolution)
      const { status, paid, arrival, verifiedAt } = resolution.intent
      results.set(intent.id, { ...intent, status, paid, arrival, verifiedAt, matched: alert })
    }
  }
  if (withoutAlert.length > 0) attachReferences.atEnd(tx, withoutAlert)
  writeResolutions(tx, resolutions)
  return attachments.map(({ id }) => results.get(id))
}

/** The resolution of an intent by the alert with its reference; undefined: the alert does not end the intent. */
const resolutionBy = (
  alert: Matched,
  row: RowOf<typeof lockedColumns>,
  intent: Intent,
  attachment: Attachment,
  zone: Zone,
): Resolution | undefined => {
  // It may be a payment that was booked under another alert: a member decides.
  if (alert.amount === null || row.matched_similar !== null) return undefined
  const { now } = attachment
  const trusted = row.matched_trusted === true
  const outcome = judge(intent, { amount: alert.amount, receivedAt: alert.receivedAt, trusted }, now)
  if (!endsIntent(outcome)) return undefined
  return resolutionOf(
    intent,
    {
      accountId: intent.accountId,
      id: alert.id,
      from: row.matched_state,
      trusted,
      chain: row.matched_chain,
      chainMissing: row.matched_missing,
      phoneNew: row.matched_phone_new === true,
      senderNew: row.matched_sender_new === true,
      deniedBy: row.matched_denied_by,
      similarTo: row.matched_similar,
      referenceKey: attachment.referenceKey,
    },
    outcome,
    { way: 'reference', referencesTried: row.tried + Number(!row.tried_before), attachment },
    now,
    zone,
  )
}

export const referenceAttacher = (deps: {
  readonly db: Db
  readonly shared: Db
  readonly zone: Zone
  readonly find: (scope: Scope, id: string) => Promise<Intent | undefined>
}): AttachReference => {
  const { db, shared, zone, find } = deps
  const attachShared = gather<Attachment, Attached>({
    together: (attachments) => shared.transaction((tx) => attach(tx, attachments, zone), attachmentLocks(attachments)),
    alone: async (attachment) =>
      (await db.transaction((tx) => attach(tx, [attachment], zone), attachmentLocks([attachment])))[0],
    mark: ({ id }) => id,
    caller: ({ accountId }) => accountId,
    most: 64,
    parallel: 4,
    soon_ms: 0,
  })

  /** Another intent has the reference or its money. `facts` tell what the claim is about, if it was kept. */
  const refuseUsed = async (attachment: Attachment): Promise<Refusal<'reference_already_used'>> => {
    const kept = await db.transaction((tx) => keepClaim(tx, attachment), attachmentLocks([attachment]))
    return kept === undefined ? refuse('reference_already_used') : refuse('reference_already_used', claimFacts(kept))
  }

  return async ({ scope, id, reference, by }, now) => {
    // The wallet of an intent never changes, so this holds below.
    if ((scope.wallets !== null || scope.today !== null) && (await find(scope, id)) === undefined)
      return refuse('intent_unknown')
    const key = referenceKey(reference)
    const attachment = {
      accountId: scope.accountId,
      id,
      reference,
      referenceKey: key,
      entryId: timeOrderedId<string>(now),
      by,
      now,
    }
    for (let tries = 0; tries < 2; tries++) {
      try {
        const changed = await attachShared(attachment)
        if (changed === 'too many') return refuse('reference_limit', { most: String(mostReferences) })
        if (changed !== undefined) return changed
        break
      } catch (fault) {
        if (faultConstraint(fault) !== 'intents_reference_held') throw fault
        // An intent whose window has closed does not keep the reference, even if its expiry is not stored yet.
        const holder = {
          accountId: scope.accountId,
          intentId: id,
          referenceKey: key,
          entryId: timeOrderedId<string>(now),
        }
        const { held } = await db.transaction(async (tx) => {
          const [result] = await expireHolder(tx, holder, now)
          const { ended_id: ended, subscribed } = result!
          if (ended !== null)
            await insertEndEvents(
              tx,
              'payment.expired',
              [{ account_id: scope.accountId, id: ended, subscribed }],
              zone,
              now,
            )
          return result!
        })
        if (held) return refuseUsed(attachment)
      }
    }
    const intent = await find(scope, id)
    if (intent === undefined) return refuse('intent_unknown')
    if (statusAt(intent, now) !== 'PENDING') return refuse('intent_not_pending')
    // Another intent has the reference or its money, unless this intent already had the reference.
    return intent.reference === reference ? intent : refuseUsed(attachment)
  }
}
