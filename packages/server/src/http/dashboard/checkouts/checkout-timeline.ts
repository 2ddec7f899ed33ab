/**
 * The timeline of a checkout as entries that a screen can put into sentences: its creation, each wallet that was chosen,
 * what happened to the intent of that wallet, and the end of the checkout. Pure.
 */
import type { CheckoutEntry } from '@sanad/contract/dashboard/checkouts/checkouts'
import { type CheckoutIntent, pageActor, stateAt, type WithIntents } from '../../../checkouts/checkout.ts'
import type { Instant } from '../../../core/clock.ts'
import { formatMinor } from '../../../core/money.ts'
import type { Zone } from '../../../core/zone.ts'
import { statusAt } from '../../../intents/intent.ts'
import { arrivalFacts, byOf, type Move } from '../intent-timeline.ts'

type Entry = Omit<CheckoutEntry, 'at'> & { readonly at: Instant }
type Names = ReadonlyMap<string, string>

const kinds: Readonly<Record<Move['kind'], CheckoutEntry['kind']>> = {
  reference: 'reference',
  reference_moved: 'reference_moved',
  verified: 'verified',
  wrong_amount: 'wrong_amount',
  not_matched: 'not_matched',
  booked: 'booked',
  expired: 'intent_expired',
  cancelled: 'intent_cancelled',
}

const factsOf = (move: Move, intent: CheckoutIntent): Record<string, string> => {
  if (move.kind === 'reference' || move.kind === 'reference_moved') {
    const { reference = '' } = JSON.parse(move.facts) as { reference?: string }
    return { reference }
  }
  if (move.kind !== 'wrong_amount' && move.kind !== 'booked') return {}
  const paid = intent.paid ?? intent.arrival?.arrived ?? intent.payable
  const facts = { payable: formatMinor(intent.payable), paid: formatMinor(paid) }
  return move.kind === 'booked' ? { ...facts, ...arrivalFacts(intent.arrival) } : facts
}

const entriesOfIntent = (intent: CheckoutIntent, moves: readonly Move[], names: Names, now: Instant): Entry[] => {
  const entries: Entry[] = [
    {
      at: intent.createdAt,
      kind: 'wallet',
      by: byOf(pageActor, names),
      intent: intent.id,
      facts: { wallet: intent.walletName, amount: formatMinor(intent.payable) },
    },
    ...moves.map((move) => ({
      at: move.at,
      kind: kinds[move.kind],
      by: byOf(move.by, names),
      intent: intent.id,
      facts: factsOf(move, intent),
    })),
  ]
  // The window has closed; the background job has not stored the end yet.
  if (intent.status === 'PENDING' && statusAt(intent, now) === 'EXPIRED') {
    const by = { kind: 'clock', name: '' } as const
    entries.push({ at: intent.expiresAt, kind: 'intent_expired', by, intent: intent.id, facts: {} })
  }
  return entries
}

const ends = { COMPLETE: 'completed', EXPIRED: 'expired', CANCELLED: 'cancelled' } as const

export const checkoutTimeline = (
  { checkout, intents }: WithIntents,
  movesOf: ReadonlyMap<string, readonly Move[]>,
  names: Names,
  zone: Zone,
  now: Instant,
): CheckoutEntry[] => {
  const { status, endedAt } = stateAt(checkout, intents, now)
  const entries: Entry[] = [
    { at: checkout.createdAt, kind: 'created', by: byOf(checkout.createdBy, names), intent: null, facts: {} },
    ...intents.flatMap((intent) => entriesOfIntent(intent, movesOf.get(intent.id) ?? [], names, now)),
  ]
  if (status !== 'OPEN' && endedAt !== null)
    entries.push({ at: endedAt, kind: ends[status], by: { kind: 'clock', name: '' }, intent: null, facts: {} })
  // The sort is stable: entries of the same instant stay in the order in which they can happen.
  return entries.sort((a, b) => a.at - b.at).map((entry) => ({ ...entry, at: zone.format(new Date(entry.at)) }))
}
