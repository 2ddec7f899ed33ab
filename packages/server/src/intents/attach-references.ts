/**
 * Attaches the wallet's reference to a PENDING intent. Exactly one PENDING intent of a wallet holds a reference; the
 * database enforces it, so of two requests that race for one, one is refused.
 */
import type { Instant } from '../ground/clock.ts'
import { type AccountId, growingId } from '../ground/ids.ts'
import { referenceKey } from '../ground/reference-key.ts'
import { type Refusal, refuse } from '../ground/refusal.ts'
import { type Db, faultConstraint, type Session } from '../postgres/database.ts'
import { gather } from '../postgres/gather.ts'
import { type Intent, statusAt } from './intent.ts'
import { type Attachment, attachReferences, expireHolder, intentOf } from './intent-sql.ts'

export type AttachReference = (
  asked: { readonly accountId: AccountId; readonly id: string; readonly reference: string; readonly by: string },
  now: Instant,
) => Promise<Intent | Refusal<'intent_unknown' | 'intent_not_pending' | 'reference_already_used'>>

const attach = async (session: Session, asked: readonly Attachment[]): Promise<(Intent | undefined)[]> => {
  const rows = await attachReferences(session, asked)
  const changed = new Map<string, Intent>(rows.map((row) => [row.id, intentOf(row)]))
  return asked.map((one) => changed.get(one.id))
}

export const referenceAttacher = (rooms: {
  readonly db: Db
  readonly shared: Db
  readonly find: (accountId: AccountId, id: string) => Promise<Intent | undefined>
}): AttachReference => {
  const { db, shared, find } = rooms
  const attachShared = gather<Attachment, Intent | undefined>({
    together: (asked) => attach(shared, asked),
    alone: async (one) => (await attach(db, [one]))[0],
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
    // The same reference again: nothing to change. Another one: it was freed and taken again before us.
    return intent.reference === reference ? intent : refuse('reference_already_used')
  }
}
