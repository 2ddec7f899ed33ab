/**
 * Attaches the wallet's reference to a PENDING intent, and resolves it at once when the alert is already there. Exactly one
 * PENDING intent of a real wallet holds a reference; the database enforces it, so of two requests that race for one, one is
 * refused. An alert that comes at the same time waits for the same lock: whoever is second finds the first. Money that only
 * ended an intent of another amount is not spent: it still verifies one of its own amount.
 */
import type { Instant } from '../../core/clock.ts'
import { type AccountId, type EventId, growingId } from '../../core/ids.ts'
import { referenceKey } from '../../core/reference-key.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Zone } from '../../core/zone.ts'
import { type Intent, type Matched, statusAt } from '../../intents/intent.ts'
import { intentOf } from '../../intents/intent-sql.ts'
import {
  type Attachment,
  attachReferences,
  expireHolder,
  type heldColumns,
  holdForReferences,
  mostReferences,
} from '../../intents/reference-sql.ts'
import { type Db, faultConstraint, type Tx } from '../../postgres/connection/database.ts'
import { gather } from '../../postgres/query/gather.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { verifiedBody } from '../../webhooks/event.ts'
import { doubtFacts, doubtsOf } from '../rules/doubts.ts'
import { judge } from '../rules/judge.ts'
import { type Claim, claimReferences } from './reference-claim-sql.ts'
import { inOrder, referenceLock } from './settle.ts'

export type AttachReference = (
  asked: { readonly accountId: AccountId; readonly id: string; readonly reference: string; readonly by: string },
  now: Instant,
) => Promise<Intent | Refusal<'intent_unknown' | 'intent_not_pending' | 'reference_already_used' | 'reference_limit'>>

const locksOf = (asked: readonly Attachment[]): bigint[] =>
  inOrder(asked.map((one) => referenceLock(one.accountId, one.referenceKey)))

/** What became of an attachment; undefined: nothing changed. */
type Attached = Intent | 'too many' | undefined

/** What became of each, in the order asked. The caller holds the locks. */
const attach = async (tx: Tx, asked: readonly Attachment[], zone: Zone): Promise<Attached[]> => {
  const rows = await holdForReferences(tx, asked)
  const byId = new Map(asked.map((one) => [one.id, one]))
  const intents = new Map<string, Attached>()
  const alone: Attachment[] = []
  const awaited: Awaited[] = []
  for (const row of rows) {
    const { matched, ...intent } = intentOf(row)
    const own = byId.get(intent.id)!
    if (row.tried >= mostReferences && !row.tried_before) intents.set(intent.id, 'too many')
    else if (matched !== null) awaited.push({ asked: own, intent: { ...intent, matched: null }, waiting: matched, row })
    else {
      alone.push(own)
      intents.set(intent.id, { ...intent, reference: own.reference, matched })
    }
  }
  if (alone.length > 0) attachReferences.atEnd(tx, alone)
  for (const intent of claim(tx, awaited, zone)) intents.set(intent.id, intent)
  return asked.map((one) => intents.get(one.id))
}

/** An intent as it was before its reference came, and the alert that waits for just that reference. */
type Awaited = {
  readonly asked: Attachment
  readonly intent: Intent
  readonly waiting: Matched
  readonly row: RowOf<typeof heldColumns>
}

/** What speaks against the alert, and how many references the intent has had, this one included. */
const factsOf = (row: RowOf<typeof heldColumns>): string =>
  doubtFacts(
    doubtsOf(
      {
        trusted: row.matched_trusted === true,
        chain: row.matched_chain,
        chainMissing: row.matched_missing,
        phoneNew: row.matched_phone_new === true,
        similarTo: row.matched_similar,
      },
      row.tried + Number(!row.tried_before),
    ),
  )

/** What becomes of each intent with the alert that waits for it; one that is not for it gets its reference alone. */
const claim = (tx: Tx, awaited: readonly Awaited[], zone: Zone): Intent[] => {
  if (awaited.length === 0) return []
  const claims: Claim[] = []
  const intents: Intent[] = []
  for (const { asked, intent: before, waiting, row } of awaited) {
    const { now } = asked
    const intent = { ...before, reference: asked.reference }
    const outcome =
      waiting.amount === null
        ? ({ kind: 'late' } as const)
        : judge(
            intent,
            { amount: waiting.amount, receivedAt: waiting.receivedAt, trusted: row.matched_trusted === true },
            now,
          )
    const ids = { resolvedMoveId: growingId<string>(now), eventId: growingId<EventId>(now) }
    const attached = { ...asked, ...ids, body: '', facts: factsOf(row) }
    if (outcome.kind === 'late' || outcome.kind === 'unproved') {
      claims.push({ ...attached, status: 'PENDING', alertId: null, paid: null })
      intents.push(intent)
    } else if (outcome.kind === 'verified') {
      const body = verifiedBody(intent, now, zone)
      claims.push({ ...attached, status: 'VERIFIED', alertId: waiting.id, paid: null, body })
      intents.push({ ...intent, status: 'VERIFIED', verifiedAt: now, matched: waiting })
    } else {
      const { paid } = outcome
      claims.push({ ...attached, status: 'WRONG_AMOUNT', alertId: waiting.id, paid })
      intents.push({ ...intent, status: 'WRONG_AMOUNT', paid, matched: waiting })
    }
  }
  claimReferences.atEnd(tx, claims)
  return intents
}

export const referenceAttacher = (deps: {
  readonly db: Db
  readonly shared: Db
  readonly zone: Zone
  readonly find: (accountId: AccountId, id: string) => Promise<Intent | undefined>
}): AttachReference => {
  const { db, shared, zone, find } = deps
  const attachShared = gather<Attachment, Attached>({
    together: (asked) => shared.transaction((tx) => attach(tx, asked, zone), locksOf(asked)),
    alone: async (one) => (await db.transaction((tx) => attach(tx, [one], zone), locksOf([one])))[0],
    mark: ({ id }) => id,
    most: 64,
    parallel: 4,
    soon_ms: 0,
  })

  return async ({ accountId, id, reference, by }, now) => {
    const key = referenceKey(reference)
    const asked = { accountId, id, reference, referenceKey: key, moveId: growingId<string>(now), by, now }
    for (let tries = 0; tries < 2; tries++) {
      try {
        const changed = await attachShared(asked)
        if (changed === 'too many') return refuse('reference_limit', { most: String(mostReferences) })
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
