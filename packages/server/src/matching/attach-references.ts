/**
 * Attaches the wallet's reference to a PENDING intent, and resolves it at once when the alert is already there. Exactly one
 * PENDING intent of a wallet holds a reference; the database enforces it, so of two requests that race for one, one is
 * refused. An alert that comes at the same time waits for the same lock: whoever is second finds the first.
 */
import type { Instant } from '../ground/clock.ts'
import { type AccountId, type EventId, growingId } from '../ground/ids.ts'
import { referenceKey } from '../ground/reference-key.ts'
import { type Refusal, refuse } from '../ground/refusal.ts'
import type { Zone } from '../ground/zone.ts'
import { type Intent, statusAt } from '../intents/intent.ts'
import { type Attachment, attachReferences, expireHolder, intentOf } from '../intents/intent-sql.ts'
import { type Db, faultConstraint, type Tx } from '../postgres/database.ts'
import { gather } from '../postgres/gather.ts'
import { type NewEvent, verifiedBody } from '../webhooks/event.ts'
import { insertEvents } from '../webhooks/event-sql.ts'
import { judge } from './judge.ts'
import {
  alertsByReference,
  lockKeys,
  type MovedAlert,
  moveAlerts,
  type Resolved,
  resolveIntents,
} from './matching-sql.ts'
import { expectAll, inOrder, referenceLock } from './settle.ts'

export type AttachReference = (
  asked: { readonly accountId: AccountId; readonly id: string; readonly reference: string; readonly by: string },
  now: Instant,
) => Promise<Intent | Refusal<'intent_unknown' | 'intent_not_pending' | 'reference_already_used'>>

/** The intents that changed, in the order asked; undefined for one that did not. */
const attach = async (tx: Tx, asked: readonly Attachment[], zone: Zone): Promise<(Intent | undefined)[]> => {
  await lockKeys(tx, inOrder(asked.map((one) => referenceLock(one.accountId, one.referenceKey))))
  const changed = (await attachReferences(tx, asked)).map(intentOf)
  const known = new Map<string, Intent>(changed.map((intent) => [intent.id, intent]))
  if (changed.length > 0) for (const intent of await claim(tx, asked, known, zone)) known.set(intent.id, intent)
  return asked.map((one) => known.get(one.id))
}

/** Gives each intent the alert that waits for its reference, if there is one. */
const claim = async (
  tx: Tx,
  asked: readonly Attachment[],
  changed: ReadonlyMap<string, Intent>,
  zone: Zone,
): Promise<Intent[]> => {
  const spots = asked.flatMap((one) => {
    const intent = changed.get(one.id)
    return intent === undefined
      ? []
      : [{ intent, walletId: intent.walletId, referenceKey: one.referenceKey, now: one.now }]
  })
  const waiting = (await alertsByReference(tx, spots)).filter((alert) => alert.state === 'waiting')
  const moved: MovedAlert[] = []
  const resolved: Resolved[] = []
  const events: NewEvent[] = []
  const intents: Intent[] = []
  for (const alert of waiting) {
    const spot = spots.find((one) => one.walletId === alert.wallet_id && one.referenceKey === alert.reference_key)
    if (spot === undefined) continue
    const { intent, now } = spot
    const outcome = judge(intent, { amount: alert.amount, receivedAt: alert.received_at }, now)
    if (outcome.kind === 'late') continue
    const verified = outcome.kind === 'verified'
    const own = { accountId: intent.accountId, alertId: alert.id }
    moved.push({
      accountId: intent.accountId,
      id: alert.id,
      from: 'waiting',
      state: verified ? 'matched' : 'wrong_amount',
      reason: '',
      intentId: intent.id,
      duplicateOf: null,
      unmatchedOwed: false,
    })
    resolved.push({
      ...own,
      intentId: intent.id,
      status: verified ? 'VERIFIED' : 'WRONG_AMOUNT',
      paid: verified ? null : outcome.paid,
      verifiedAt: verified ? now : null,
      manual: false,
      moveId: growingId(now),
      kind: verified ? 'verified' : 'wrong_amount',
      by: 'reference',
      at: now,
    })
    if (verified) {
      events.push({
        ...own,
        id: growingId<EventId>(now),
        kind: 'payment.verified',
        walletId: intent.walletId,
        intentId: intent.id,
        body: verifiedBody(intent, now, zone),
        createdAt: now,
      })
    }
    intents.push({
      ...intent,
      status: verified ? 'VERIFIED' : 'WRONG_AMOUNT',
      paid: verified ? null : outcome.paid,
      verifiedAt: verified ? now : null,
      matched: {
        id: alert.id,
        amount: alert.amount,
        sender: alert.sender,
        reference: alert.reference,
        receivedAt: alert.received_at,
        device: { id: alert.device_id, name: alert.device_name },
      },
    })
  }
  if (resolved.length === 0) return []
  expectAll(await moveAlerts(tx, moved), moved, 'an alert changed while its lock was held')
  expectAll(await resolveIntents(tx, resolved), resolved, 'an intent changed while its row was held')
  if (events.length > 0) await insertEvents(tx, events)
  return intents
}

export const referenceAttacher = (rooms: {
  readonly db: Db
  readonly shared: Db
  readonly zone: Zone
  readonly find: (accountId: AccountId, id: string) => Promise<Intent | undefined>
}): AttachReference => {
  const { db, shared, zone, find } = rooms
  const attachShared = gather<Attachment, Intent | undefined>({
    together: (asked) => shared.transaction((tx) => attach(tx, asked, zone)),
    alone: async (one) => (await db.transaction((tx) => attach(tx, [one], zone)))[0],
    mark: ({ id }) => id,
    most: 64,
    parallel: 2,
  })

  return async ({ accountId, id, reference, by }, now) => {
    const key = referenceKey(reference)
    const asked = { accountId, id, reference, referenceKey: key, moveId: growingId<string>(now), by, now }
    for (let tries = 0; tries < 2; tries++) {
      try {
        const changed = await attachShared(asked)
        if (changed !== undefined) return changed
        break
      } catch (fault) {
        if (faultConstraint(fault) !== 'intents_reference_held') throw fault
        // A holder whose window has closed holds nothing, even if no sweep has written that yet.
        const holder = { accountId, intentId: id, referenceKey: key, moveId: growingId<string>(now) }
        const [live] = await expireHolder(db, holder, now)
        if (live!.held) return refuse('reference_already_used')
      }
    }
    const intent = await find(accountId, id)
    if (intent === undefined) return refuse('intent_unknown')
    if (statusAt(intent, now) !== 'PENDING') return refuse('intent_not_pending')
    // The same reference again: nothing to change. Another one: its money was claimed before us.
    return intent.reference === reference ? intent : refuse('reference_already_used')
  }
}
