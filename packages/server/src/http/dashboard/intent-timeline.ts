/**
 * The timeline of an intent as entries that a screen can put into sentences, in any language: its creation, each change
 * of its state, and the alert that resolved it. Pure.
 */
import type { By } from '@sanad/contract/dashboard/money/by'
import type { TimelineEntry } from '@sanad/contract/dashboard/money/intents'
import type { MoveKind } from '@sanad/contract/kinds'
import type { RequestMove } from '@sanad/contract/request-kinds'
import { pageActor } from '../../checkouts/checkout.ts'
import type { Instant } from '../../core/clock.ts'
import { formatMinor } from '../../core/money.ts'
import type { Zone } from '../../core/zone.ts'
import type { Arrival } from '../../intents/arrival.ts'
import { type Intent, statusAt } from '../../intents/intent.ts'

/** A row of `intent_moves`: a timeline entry as it is stored. */
export type Move = {
  readonly at: Instant
  readonly kind: MoveKind
  readonly by: string
  readonly alert_id: string | null
  readonly facts: string
}

/** An entry that is stored elsewhere: handing over, the public address of the voucher, and requests. */
export type Mark = {
  readonly at: Instant
  readonly kind: 'handed_over' | 'voucher_shared' | 'voucher_revoked' | RequestMove
  readonly by: string
  readonly facts?: Facts
}

type Facts = Record<string, string>
type Entry = { readonly at: Instant; readonly kind: TimelineEntry['kind']; readonly by: By; readonly facts: Facts }

const keyActor = /^key ([0-9a-f]{32})$/

/** The client ids of all API keys in the timeline. */
export const keysIn = (by: readonly string[]): string[] => [
  ...new Set(by.flatMap((actor) => keyActor.exec(actor)?.[1] ?? [])),
]

/** `by` as it is stored: a key by its client id, a user by their name, or what resolved the intent automatically. */
export const byOf = (by: string, keys: ReadonlyMap<string, string>): By => {
  const client = keyActor.exec(by)?.[1]
  if (client !== undefined) return { kind: 'key', name: keys.get(client) ?? client }
  if (by === pageActor) return { kind: 'buyer', name: '' }
  if (by === 'clock' || by === 'alert' || by === 'reference' || by === 'amount') return { kind: by, name: '' }
  return { kind: 'person', name: by }
}

/** What a sentence about a booking says beside what arrived. */
export const arrivalFacts = (arrival: Arrival | null): Facts => ({
  ...(arrival === null || arrival.forgiven === 0n ? {} : { forgiven: formatMinor(arrival.forgiven) }),
  ...(arrival === null || arrival.excess === 0n ? {} : { excess: formatMinor(arrival.excess) }),
})

const factsOf = (move: Move, intent: Intent): Facts => {
  const facts = JSON.parse(move.facts)
  if (move.kind === 'not_matched') return { ...facts, alert: move.alert_id ?? '' }
  if (move.kind !== 'wrong_amount' && move.kind !== 'booked') return facts
  const paid = intent.matched?.amount ?? null
  return {
    payable: formatMinor(intent.payable),
    ...(paid === null ? {} : { paid: formatMinor(paid) }),
    ...(move.kind === 'booked' ? arrivalFacts(intent.arrival) : {}),
    ...facts,
  }
}

const arrival = ({ matched, currency }: Intent): Entry[] =>
  matched === null
    ? []
    : [
        {
          at: matched.receivedAt,
          kind: 'alert',
          by: { kind: 'alert', name: '' },
          facts: {
            alert: matched.id,
            ...(matched.amount === null ? {} : { amount: formatMinor(matched.amount), currency }),
            sender: matched.sender,
            reference: matched.reference ?? '',
            phone: matched.phone.name,
          },
        },
      ]

/** Entries with the same time are shown in the order in which they can happen. */
const rank: readonly TimelineEntry['kind'][] = ['created', 'reference', 'alert', 'request_asked', 'request_confirmed']
const rankOf = (kind: TimelineEntry['kind']): number => (rank.includes(kind) ? rank.indexOf(kind) : rank.length)

export const timelineOf = (
  intent: Intent,
  createdBy: string,
  moves: readonly Move[],
  keys: ReadonlyMap<string, string>,
  zone: Zone,
  now: Instant,
  marks: readonly Mark[] = [],
): TimelineEntry[] => {
  const entries: Entry[] = [
    {
      at: intent.createdAt,
      kind: 'created',
      by: byOf(createdBy, keys),
      facts: {
        amount: formatMinor(intent.payable),
        currency: intent.currency,
        ...(intent.base === intent.payable ? {} : { base: formatMinor(intent.base) }),
      },
    },
    ...moves.map((move) => ({ at: move.at, kind: move.kind, by: byOf(move.by, keys), facts: factsOf(move, intent) })),
    ...arrival(intent),
    ...marks.map(({ at, kind, by, facts = {} }) => ({ at, kind, by: byOf(by, keys), facts })),
  ]
  // The window has closed; the background job has not stored the end yet.
  if (statusAt(intent, now) === 'EXPIRED' && intent.status === 'PENDING')
    entries.push({ at: intent.expiresAt, kind: 'expired', by: { kind: 'clock', name: '' }, facts: {} })
  return entries
    .sort((a, b) => a.at - b.at || rankOf(a.kind) - rankOf(b.kind))
    .map((entry) => ({ ...entry, at: zone.format(new Date(entry.at)) }))
}
