/**
 * Decides which answer the counter gives to a typed text, from the search results and the state of the phones. An answer is
 * never more certain than the facts: a payment of another day is not assumed to be the one that the customer means, and
 * "nothing found" is a "no" only while the phone of every wallet reports. Pure.
 */
import { usualCurrency } from '@sanad/contract/currency'
import type { Answer } from '../../api/call.ts'
import { isSameAmount } from '../../parts/format/amounts.ts'
import { type Arrival, receivedAmount } from '../../parts/format/received-amount.ts'
import { mustBeRead } from '../unmatched/likely-reason.ts'

export type Found = Answer<'search'>
export type FoundIntent = Found['intents'][number]
export type FoundAlert = Found['alerts'][number]
export type CounterWallet = Answer<'showCounter'>['wallets'][number]

/** `money`: it has not paid an order yet. `wrong_amount`: not the payable amount. `aside`: a member dismissed it.
 *  `taken`: a member has just taken it as a sale, which can still be undone. */
export type HitKind = 'paid' | 'money' | 'waiting' | 'wrong_amount' | 'expired' | 'cancelled' | 'aside' | 'taken'

/** One search result: an order with its state, or money without an order. */
export type Hit = {
  /** Stays the same when the search is repeated. */
  readonly key: string
  readonly kind: HitKind
  readonly at: string
  readonly amount: string | null
  readonly currency: string
  readonly wallet: { readonly name: string; readonly is_test: boolean } | null
  readonly payer: string
  readonly reference: string
  readonly order: { readonly code: string; readonly external_order_id: string } | undefined
  readonly intent: FoundIntent | undefined
  readonly intentId: string | undefined
  readonly alert: FoundAlert | undefined
  /** What arrived for the order and what was forgiven; undefined: no order. */
  readonly arrival: Arrival | undefined
  /** Who handed the goods of a paid order over, and when; undefined: nobody yet. */
  readonly handedOver: Handover | undefined
}

type Handover = { readonly by: string; readonly at: string }
/** By the id of the intent. */
type Handovers = ReadonlyMap<string, Handover>

const kindOfIntent: Readonly<Record<FoundIntent['status'], HitKind>> = {
  VERIFIED: 'paid',
  PENDING: 'waiting',
  WRONG_AMOUNT: 'wrong_amount',
  EXPIRED: 'expired',
  CANCELLED: 'cancelled',
}

const intentHit = (intent: FoundIntent, alert: FoundAlert | undefined, handovers: Handovers): Hit => ({
  key: `intent-${intent.id}`,
  kind: kindOfIntent[intent.status],
  at: intent.verified_at ?? alert?.received_at ?? intent.created_at,
  amount: intent.status === 'WRONG_AMOUNT' ? intent.paid_amount : receivedAmount(intent),
  currency: intent.currency,
  wallet: intent.wallet,
  payer: alert?.payer ?? '',
  reference: intent.reference === '' ? (alert?.reference ?? '') : intent.reference,
  order: intent,
  intent,
  intentId: intent.id,
  alert,
  arrival: intent,
  handedOver: handovers.get(intent.id),
})

const kindOfAlert = ({ state, intent }: FoundAlert): HitKind => {
  if (state === 'matched' || state === 'booked') return intent === null ? 'taken' : 'paid'
  if (state === 'wrong_amount' || state === 'dismissed') return state === 'dismissed' ? 'aside' : 'wrong_amount'
  return 'money'
}

export const alertHit = (alert: FoundAlert, handovers: Handovers = new Map()): Hit => ({
  key: `alert-${alert.id}`,
  kind: kindOfAlert(alert),
  at: alert.received_at,
  amount: alert.amount,
  currency: alert.currency ?? usualCurrency,
  wallet: alert.wallet,
  payer: alert.payer,
  reference: alert.reference,
  order: alert.intent ?? undefined,
  intent: undefined,
  intentId: alert.intent?.id,
  alert,
  arrival: alert.intent ?? undefined,
  handedOver: handovers.get(alert.intent?.id ?? ''),
})

/** Each payment once: an order and the money that resolved it are one hit. Newest first. */
export const hitsOf = (found: Found): Hit[] => {
  const alertOf = new Map(found.alerts.flatMap((alert) => (alert.intent === null ? [] : [[alert.intent.id, alert]])))
  const handovers = new Map(found.handed_over.map((mark) => [mark.intent, mark]))
  const intentIds = new Set(found.intents.map(({ id }) => id))
  const otherAlerts = found.alerts.filter(({ intent }) => intent === null || !intentIds.has(intent.id))
  return [
    ...found.intents.map((intent) => intentHit(intent, alertOf.get(intent.id), handovers)),
    ...otherAlerts.map((alert) => alertHit(alert, handovers)),
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}

/** The hit with this key. Money that was booked meanwhile is found as its order. */
export const hitOf = (hits: readonly Hit[], key: string): Hit | undefined =>
  hits.find((hit) => hit.key === key || `alert-${hit.alert?.id}` === key || `intent-${hit.intentId}` === key)

/**
 * How a hit matches the text. `exact`: the whole order number, code or reference. `end`: the end of such a number, or of a
 * phone number. `amount`: the amount alone. `alike`: a name, which other payments have too. `part`: by chance, inside a longer
 * number.
 */
type Fit = 'exact' | 'end' | 'amount' | 'alike' | 'part'

const shortestEnd = 4

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

export const fitOf = (hit: Hit, typed: string): Fit => {
  const text = typed.trim().toLowerCase()
  const codes = [hit.reference, hit.order?.code ?? '', hit.order?.external_order_id ?? '']
    .filter((code) => code !== '')
    .map((code) => code.toLowerCase())
  if (codes.includes(text)) return 'exact'
  const amounts = [hit.amount, hit.intent?.payable_amount, hit.intent?.base_amount]
  if (amounts.some((amount) => amount !== null && amount !== undefined && isSameAmount(text, amount))) return 'amount'
  const numbers = [...codes, digitsOf(hit.payer)]
  if (text.length >= shortestEnd && numbers.some((code) => code.endsWith(text))) return 'end'
  // Digits in the middle of a longer number are chance; words are not.
  return /^[\d\s.,]+$/.test(text) && codes.some((code) => code.includes(text)) ? 'part' : 'alike'
}

/** An older payment is not the one that a customer at the counter has just made. */
export const freshFor_ms = 24 * 3_600_000
/** An older payment is shown with its age, and a match of only its name is not enough. */
export const justNow_ms = 3_600_000

const age = ({ at }: { readonly at: string }, now: number): number => now - Date.parse(at)

export const isJustNow = (hit: { readonly at: string }, now: number): boolean => age(hit, now) < justNow_ms

/** Whether a hit can be what the cashier searches for. */
const isCandidate = (hit: Hit, fit: Fit, now: number): boolean => {
  if (fit === 'exact' || fit === 'part') return fit === 'exact'
  if (hit.kind === 'waiting') return true
  return fit === 'alike' && hit.kind === 'paid' ? isJustNow(hit, now) : age(hit, now) < freshFor_ms
}

/** Why "not here" is not certain. */
export type Doubt =
  | { readonly kind: 'phone_silent' | 'phone_off' | 'unmonitored'; readonly wallet: CounterWallet }
  /** No wallet collects money. */
  | { readonly kind: 'no_wallet' }
  /** The answer is from before the connection was lost. */
  | { readonly kind: 'line_down' }

const isDoubtful = (state: CounterWallet['state']): state is 'phone_silent' | 'phone_off' | 'unmonitored' =>
  state === 'phone_silent' || state === 'phone_off' || state === 'unmonitored'

/** The facts that an answer needs besides the search results. */
export type AnswerContext = {
  readonly wallets: readonly CounterWallet[]
  readonly isConnected: boolean
  readonly now: number
}

/** The reasons why a payment may have arrived unseen. The test wallet has no phone. */
export const doubtsOf = ({ wallets, isConnected }: Omit<AnswerContext, 'now'>): Doubt[] => {
  const real = wallets.filter((wallet) => !wallet.is_test && wallet.active)
  return [
    ...(isConnected ? [] : [{ kind: 'line_down' as const }]),
    ...(real.length === 0 ? [{ kind: 'no_wallet' as const }] : []),
    ...real.flatMap((wallet) => (isDoubtful(wallet.state) ? [{ kind: wallet.state, wallet }] : [])),
  ]
}

export type CounterAnswer =
  | { readonly kind: 'one'; readonly hit: Hit; readonly others: readonly Hit[] }
  /** `compare`: they fit by their amount alone, and are compared with the buyer's screen. */
  | {
      readonly kind: 'several'
      readonly hits: readonly Hit[]
      readonly others: readonly Hit[]
      readonly compare: boolean
    }
  /** Without doubts it is a certain no. */
  | { readonly kind: 'none'; readonly doubts: readonly Doubt[]; readonly others: readonly Hit[] }

/** The only paid attempt of one order, if all other attempts have ended: those do not matter. */
const paidOf = (hits: readonly Hit[]): Hit | undefined => {
  const [first, ...rest] = hits.filter(({ kind }) => kind === 'paid')
  const order = first?.order?.external_order_id ?? ''
  if (first === undefined || rest.length > 0 || order === '') return undefined
  const isOver = ({ kind }: Hit): boolean => kind === 'expired' || kind === 'cancelled'
  return hits.every((hit) => hit === first || (isOver(hit) && hit.order?.external_order_id === order))
    ? first
    : undefined
}

export const answerOf = (found: Found, typed: string, context: AnswerContext): CounterAnswer => {
  const all = hitsOf(found).map((hit) => {
    const fit = fitOf(hit, typed)
    return { hit, fit, isCandidate: isCandidate(hit, fit, context.now) }
  })
  const rank = (fit: Fit): number => (fit === 'exact' ? 0 : 1)
  const hits = all
    .filter((entry) => entry.isCandidate)
    .sort((a, b) => rank(a.fit) - rank(b.fit))
    .map(({ hit }) => hit)
  const others = all.filter((entry) => !entry.isCandidate).map(({ hit }) => hit)
  const [only] = hits
  if (only === undefined) return { kind: 'none', doubts: doubtsOf(context), others }
  const one = hits.length === 1 ? only : paidOf(hits)
  const compare = hits.some((hit) => fitOf(hit, typed) === 'amount')
  // Whoever knows an amount has not paid it: only a payment that is alone, new and not handed over is shown as paid.
  const isUnclear =
    one?.kind === 'paid' &&
    fitOf(one, typed) === 'amount' &&
    (one.handedOver !== undefined || !isJustNow(one, context.now) || found.more)
  return one === undefined || isUnclear
    ? { kind: 'several', hits, others, compare }
    : { kind: 'one', hit: one, others: [...hits.filter((hit) => hit !== one), ...others] }
}

/** Unspent money can be booked; a held alert must be released first. */
export const isUnspent = ({ kind, amount, alert }: Hit): boolean =>
  kind === 'money' && amount !== null && (alert?.state === 'waiting' || alert?.state === 'review')

type Bookable = {
  readonly amount: string | null
  readonly doubts: readonly unknown[]
  readonly reason: { readonly code: string }
}
type Target = {
  readonly status: string
  readonly payable_amount: string
  readonly reasons: readonly { readonly code: string }[]
}

const reasonsAgainst: readonly string[] = ['other_phone', 'other_name', 'other_reference']

/** Whether nothing speaks against a booking: the same amount, a waiting order, no doubts, and no words that must be read first. The
 *  question comes all the same. */
export const isPlainBooking = (alert: Bookable, target: Target): boolean =>
  target.status === 'PENDING' &&
  alert.amount === target.payable_amount &&
  alert.doubts.length === 0 &&
  !mustBeRead(alert) &&
  !target.reasons.some(({ code }) => reasonsAgainst.includes(code))
