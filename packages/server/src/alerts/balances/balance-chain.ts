/**
 * The running balance of one wallet: what it was, and what an alert moved, must make what the alert shows. An alert that does
 * not follow means that a message is missing, or that this one was made up: it is flagged, never decisive. Pure; storing is
 * left to others.
 *
 * The known balance moves only by what follows from it. What does not is remembered beside it, as a doubtful end: later alerts
 * may follow from that one, but two made-up messages that agree with each other prove nothing. A doubtful end becomes the
 * known balance (docs/decisions/0016):
 *
 * - when the missing messages come after all and lead up to it (out of order, or late), or when it leads up to the balance before
 *   the very first message that was seen;
 * - when a person books one of its alerts;
 * - when it has stood for a day, nothing has followed from the known balance meanwhile, and a trusted alert follows from it.
 */
import type { Instant } from '../../core/clock.ts'
import type { AlertId } from '../../core/ids.ts'
import { type Minor, minor } from '../../core/money.ts'
import type { Direction } from '../templates/alert-template.ts'

/** Messages that follow from one another, but not from the known balance. */
export type DoubtfulEnd = {
  /** The balance before the first of them, and after the last. */
  readonly from: Minor
  readonly to: Minor
  /** When the first came, and the last. */
  readonly since: Instant
  readonly at: Instant
  /** What the first of them missed, and since when. */
  readonly missing: Minor
  readonly missingSince: Instant
  /** Something has followed from the known balance since: time alone does not prove this end any more. */
  readonly denied: boolean
  readonly alerts: readonly AlertId[]
}

/** Movements that nobody saw, between two balances that are believed. */
export type Unseen = { readonly from: Minor; readonly to: Minor; readonly until: Instant }

export type Chain = {
  readonly balance: Minor
  /** When it was shown or worked out. */
  readonly at: Instant
  readonly ends: readonly DoubtfulEnd[]
  readonly unseen: readonly Unseen[]
  /** The balance before the first message that was seen, and when that came. */
  readonly start?: { readonly from: Minor; readonly at: Instant }
  /** Alerts of doubtful ends that became the balance: what waited because of the doubt may go on. Absent: none. */
  readonly proved?: readonly AlertId[]
}

export type Movement = {
  readonly id: AlertId
  readonly direction: Direction
  readonly amount: Minor
  readonly fee?: Minor
  /** As the alert shows it, if it does. */
  readonly balance?: Minor
  readonly at: Instant
  /** Whether the phone proved that these are its words. */
  readonly trusted: boolean
}

export type Link =
  | { readonly kind: 'fits' }
  /** `missing` = shown - expected: what came in unseen, or, below zero, went out unseen. */
  | { readonly kind: 'break'; readonly missing: Minor; readonly since: Instant }
  /** It follows from a balance that nobody has proved; what is missing before that. */
  | { readonly kind: 'doubtful'; readonly missing: Minor; readonly since: Instant }
  /** Nothing to compare: no balance known or none shown. */
  | { readonly kind: 'unknown' }

/** So long a doubtful end must stand before a further alert proves it: as long as money waits for whoever claims it. */
export const proven_ms = 24 * 3_600_000
/** A movement that shows no balance is taken for what was missing only if it comes this soon after. */
const soon_ms = 10 * 60_000
const mostEnds = 8
const mostUnseen = 8
const mostAlerts = 40

/** What an alert is to the chain, and the chain after it. */
export const followChain = (
  chain: Chain | undefined,
  movement: Movement,
): { readonly link: Link; readonly chain: Chain | undefined } => {
  const { balance: shown, at } = movement
  if (chain === undefined)
    return { link: { kind: 'unknown' }, chain: shown === undefined ? undefined : begin(shown, movement) }
  if (shown === undefined) return { link: { kind: 'unknown' }, chain: carryOn(chain, movement) }

  const [likely, ...befores] = beforesOf(shown, movement)
  const isBefore = (balance: Minor): boolean => balance === likely || befores.includes(balance)
  if (isBefore(chain.balance)) return { link: { kind: 'fits' }, chain: deny(reach(chain, shown, at)) }

  const { start } = chain
  if (start !== undefined && start.from === shown && at - start.at <= proven_ms)
    return { link: { kind: 'fits' }, chain: leadUp({ ...chain, start: { ...start, from: likely } }) }

  const followed = chain.ends.findLast((end) => isBefore(end.to))
  if (followed !== undefined) {
    const end = { ...followed, to: shown, at, alerts: listed(followed.alerts, movement.id) }
    if (!end.denied && movement.trusted && at - end.since >= proven_ms)
      return { link: { kind: 'fits' }, chain: accept(chain, followed, end) }
    const { missing, missingSince: since } = end
    return { link: { kind: 'doubtful', missing, since }, chain: replace(chain, followed, end) }
  }

  const filled = chain.unseen.findLast((one) => isBefore(one.from) || one.to === shown)
  if (filled !== undefined) {
    const left = isBefore(filled.from) ? { ...filled, from: shown } : { ...filled, to: likely }
    return { link: { kind: 'fits' }, chain: narrow(chain, filled, left) }
  }

  const link = breakOf(chain, movement, shown)
  const led = chain.ends.findLast((end) => end.from === shown)
  if (led !== undefined)
    return { link, chain: replace(chain, led, { ...led, from: likely, alerts: listed(led.alerts, movement.id) }) }
  const { missing, since: missingSince } = link
  const made = { from: likely, to: shown, since: at, at, missing, missingSince, denied: false, alerts: [movement.id] }
  return { link, chain: { ...chain, ends: bounded([...chain.ends, made]) } }
}

/** A person took this alert for real money: the end that it belongs to is the balance. */
export const proveAlert = (chain: Chain, alert: AlertId): Chain => {
  const end = chain.ends.find(({ alerts }) => alerts.includes(alert))
  return end === undefined ? chain : accept(chain, end, end)
}

const begin = (balance: Minor, movement: Movement): Chain => {
  const { at } = movement
  return { balance, at, ends: [], unseen: [], start: { from: beforesOf(balance, movement)[0], at } }
}

/** Messages from before the first one: an end that leads up to where the chain starts is part of it. */
const leadUp = (chain: Chain): Chain => {
  const { start } = chain
  const end = start && chain.ends.find(({ to }) => to === start.from)
  return end === undefined
    ? chain
    : leadUp({ ...proving(without(chain, end), end), start: { ...start!, from: end.from } })
}

const movedBy = ({ direction, amount, fee = minor(0n) }: Movement, taken: boolean): bigint =>
  (direction === 'credit' ? amount : -amount) - (taken ? fee : 0n)

/** What the balance may have been before, likeliest first: providers differ in whether the amount includes the fee. */
const beforesOf = (shown: Minor, movement: Movement): readonly [Minor, ...Minor[]] => {
  const before = (taken: boolean): Minor => minor(shown - movedBy(movement, taken))
  return movement.fee === undefined || movement.fee === 0n ? [before(false)] : [before(true), before(false)]
}

/** The newest balance that anything was shown to follow from, proved or not: what is missing is missing since then. */
const breakOf = (chain: Chain, movement: Movement, shown: Minor) => {
  const open = chain.ends.filter(({ denied }) => !denied)
  const newest = open.reduce<DoubtfulEnd | undefined>((last, end) => (last && last.at > end.at ? last : end), undefined)
  const expected = (newest?.to ?? chain.balance) + movedBy(movement, true)
  return { kind: 'break', missing: minor(shown - expected), since: newest?.at ?? chain.at } as const
}

/** The known balance gets there, and on from there by whatever was waiting for it. */
const reach = (chain: Chain, balance: Minor, at: Instant): Chain => {
  const next = chain.ends.find(({ from }) => from === balance)
  const moved = { ...chain, balance, at }
  if (next === undefined) return moved
  return reach(proving(without(moved, next), next), next.to, Math.max(at, next.at))
}

const mostProved = 200

const proving = (chain: Chain, { alerts }: DoubtfulEnd): Chain => ({
  ...chain,
  proved: [...(chain.proved ?? []), ...alerts].slice(-mostProved),
})

const deny = (chain: Chain): Chain =>
  chain.ends.every(({ denied }) => denied)
    ? chain
    : { ...chain, ends: chain.ends.map((end) => ({ ...end, denied: true })) }

/** A movement without a balance: what is known moves by it, and so does every end that may be true. */
const carryOn = (chain: Chain, movement: Movement): Chain => {
  const moved = movedBy(movement, true)
  const { at } = movement
  const filled = chain.unseen.findLast((one) => one.to - one.from === moved && at - one.until <= soon_ms)
  if (filled !== undefined) return narrow(chain, filled, { ...filled, from: filled.to })
  const balance = minor(chain.balance + moved)
  if (chain.ends.some(({ from, since }) => from === balance && at - since <= soon_ms)) return reach(chain, balance, at)
  const ends = chain.ends.map((end) => (end.denied ? end : { ...end, to: minor(end.to + moved), at }))
  return { ...chain, balance, at, ends }
}

/** An end is the balance; what lies between is what nobody saw. Ends that are older than it prove nothing by age. */
const accept = (chain: Chain, was: DoubtfulEnd, end: DoubtfulEnd): Chain => {
  const others = without(chain, was).ends.map((other) => (other.at < end.at ? { ...other, denied: true } : other))
  const unseen = [...chain.unseen, { from: chain.balance, to: end.from, until: end.since }]
  const kept = { ...chain, ends: others, unseen: unseen.slice(-mostUnseen) }
  return reach(proving(kept, end), end.to, end.at)
}

const without = (chain: Chain, end: DoubtfulEnd): Chain => ({
  ...chain,
  ends: chain.ends.filter((one) => one !== end),
})

const replace = (chain: Chain, was: DoubtfulEnd, end: DoubtfulEnd): Chain => ({
  ...chain,
  ends: chain.ends.map((one) => (one === was ? end : one)),
})

const narrow = (chain: Chain, was: Unseen, left: Unseen): Chain => ({
  ...chain,
  unseen: chain.unseen.flatMap((one) => (one !== was ? [one] : left.from === left.to ? [] : [left])),
})

/** The first of them and the latest. */
const listed = (alerts: readonly AlertId[], id: AlertId): readonly AlertId[] =>
  alerts.length < mostAlerts ? [...alerts, id] : [alerts[0]!, ...alerts.slice(2), id]

/** Too many: the oldest that something speaks against goes first. */
const bounded = (ends: readonly DoubtfulEnd[]): readonly DoubtfulEnd[] => {
  if (ends.length <= mostEnds) return ends
  const gone = ends.find(({ denied }) => denied) ?? ends[0]
  return ends.filter((end) => end !== gone)
}

/** What is beside the known balance, as text; money as its digits. */
export const spellDoubts = ({ ends, unseen, start, proved }: Omit<Chain, 'balance' | 'at'>): string =>
  ends.length === 0 && unseen.length === 0 && start === undefined && proved === undefined
    ? '{}'
    : JSON.stringify({ ends, unseen, start, proved }, (_, value) => (typeof value === 'bigint' ? String(value) : value))

export const readDoubts = (spelled: string): Omit<Chain, 'balance' | 'at'> =>
  spelled === '{}'
    ? { ends: [], unseen: [] }
    : JSON.parse(spelled, (name, value) => (moneyNames.includes(name) ? minor(BigInt(value)) : value))

const moneyNames: readonly string[] = ['from', 'to', 'missing']
