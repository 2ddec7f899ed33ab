/**
 * The balance chain of one wallet: the balance before and the movement of an alert must give the balance that the alert
 * shows. If they do not, a message is missing or this one is forged: the alert is flagged, and nothing is decided by that
 * alone. Pure; others store the chain.
 *
 * The known balance moves only by alerts that follow from it. An alert that does not starts a doubtful end beside it: later
 * alerts may follow from that end, but two forged messages that agree with each other prove nothing. A doubtful end becomes
 * the known balance (docs/decisions/0016):
 *
 * - when the missing messages arrive late or out of order and lead up to it, or when it leads up to the balance before the
 *   very first message;
 * - when a member books one of its alerts;
 * - when it is a day old, nothing has followed from the known balance since, and a trusted alert follows from it.
 */
import type { Instant } from '../../core/clock.ts'
import type { AlertId } from '../../core/ids.ts'
import { type Minor, minor } from '../../core/money.ts'
import type { Direction } from '../templates/alert-template.ts'

/** Alerts that follow from one another, but not from the known balance. */
export type DoubtfulEnd = {
  /** The balance before the first of them, and after the last. */
  readonly from: Minor
  readonly to: Minor
  /** When the first came, and the last. */
  readonly since: Instant
  readonly at: Instant
  /** What is missing before the first of them, and since when. */
  readonly missing: Minor
  readonly missingSince: Instant
  /** An alert has followed from the known balance since: time alone does not prove this end any more. */
  readonly denied: boolean
  readonly alerts: readonly AlertId[]
}

/** Movements without an alert, between two accepted balances. */
export type Unseen = { readonly from: Minor; readonly to: Minor; readonly until: Instant }

export type Chain = {
  readonly balance: Minor
  /** When it was shown or calculated. */
  readonly at: Instant
  readonly ends: readonly DoubtfulEnd[]
  readonly unseen: readonly Unseen[]
  /** The balance before the first alert, and when that came. */
  readonly start?: { readonly from: Minor; readonly at: Instant }
  /** Alerts of doubtful ends that were accepted: if they are in review because of the doubt, they can be matched now. Absent:
   *  none. */
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
  /** Whether the report was signed by the phone. */
  readonly trusted: boolean
}

export type Link =
  | { readonly kind: 'fits' }
  /** `missing` = shown - expected: what came in, or below zero went out, without an alert. */
  | { readonly kind: 'break'; readonly missing: Minor; readonly since: Instant }
  /** It follows from a doubtful end; `missing` is what is missing before that. */
  | { readonly kind: 'doubtful'; readonly missing: Minor; readonly since: Instant }
  /** Nothing to compare: no balance known or none shown. */
  | { readonly kind: 'unknown' }

/** The age at which an alert that follows from a doubtful end proves it: as long as an alert can be matched. */
export const proven_ms = 24 * 3_600_000
/** A movement without a balance is taken for the missing one only if it comes within this time. */
const soon_ms = 10 * 60_000
const mostEnds = 8
const mostUnseen = 8
const mostAlerts = 40

/** How an alert follows from the chain, and the chain after it. */
export const followChain = (
  chain: Chain | undefined,
  movement: Movement,
): { readonly link: Link; readonly chain: Chain | undefined } => {
  const { balance: shown, at } = movement
  if (chain === undefined)
    return { link: { kind: 'unknown' }, chain: shown === undefined ? undefined : firstChain(shown, movement) }
  if (shown === undefined) return { link: { kind: 'unknown' }, chain: moveUnshown(chain, movement) }

  const [likely, ...befores] = beforesOf(shown, movement)
  const isBefore = (balance: Minor): boolean => balance === likely || befores.includes(balance)
  if (isBefore(chain.balance)) return { link: { kind: 'fits' }, chain: denyEnds(reach(chain, shown, at)) }

  const { start } = chain
  if (start !== undefined && start.from === shown && at - start.at <= proven_ms)
    return { link: { kind: 'fits' }, chain: leadUp({ ...chain, start: { ...start, from: likely } }) }

  const followed = chain.ends.findLast((end) => isBefore(end.to))
  if (followed !== undefined) {
    const end = { ...followed, to: shown, at, alerts: withAlert(followed.alerts, movement.id) }
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
    return { link, chain: replace(chain, led, { ...led, from: likely, alerts: withAlert(led.alerts, movement.id) }) }
  const { missing, since: missingSince } = link
  const made = { from: likely, to: shown, since: at, at, missing, missingSince, denied: false, alerts: [movement.id] }
  return { link, chain: { ...chain, ends: limitEnds([...chain.ends, made]) } }
}

/** A member confirmed this alert: the end that it belongs to becomes the balance. */
export const proveAlert = (chain: Chain, alert: AlertId): Chain => {
  const end = chain.ends.find(({ alerts }) => alerts.includes(alert))
  return end === undefined ? chain : accept(chain, end, end)
}

const firstChain = (balance: Minor, movement: Movement): Chain => {
  const { at } = movement
  return { balance, at, ends: [], unseen: [], start: { from: beforesOf(balance, movement)[0], at } }
}

/** Alerts from before the first one arrived late: an end that leads up to the start of the chain becomes part of it. */
const leadUp = (chain: Chain): Chain => {
  const { start } = chain
  const end = start && chain.ends.find(({ to }) => to === start.from)
  return end === undefined
    ? chain
    : leadUp({ ...withProved(without(chain, end), end), start: { ...start!, from: end.from } })
}

const movedBy = ({ direction, amount, fee = minor(0n) }: Movement, taken: boolean): bigint =>
  (direction === 'credit' ? amount : -amount) - (taken ? fee : 0n)

/** The possible balances before, likeliest first: providers differ in whether the amount includes the fee. */
const beforesOf = (shown: Minor, movement: Movement): readonly [Minor, ...Minor[]] => {
  const before = (taken: boolean): Minor => minor(shown - movedBy(movement, taken))
  return movement.fee === undefined || movement.fee === 0n ? [before(false)] : [before(true), before(false)]
}

/** The break relative to the newest balance, known or doubtful. */
const breakOf = (chain: Chain, movement: Movement, shown: Minor) => {
  const open = chain.ends.filter(({ denied }) => !denied)
  const newest = open.reduce<DoubtfulEnd | undefined>((last, end) => (last && last.at > end.at ? last : end), undefined)
  const expected = (newest?.to ?? chain.balance) + movedBy(movement, true)
  return { kind: 'break', missing: minor(shown - expected), since: newest?.at ?? chain.at } as const
}

/** Moves the known balance, and on along the ends that start where it arrives. */
const reach = (chain: Chain, balance: Minor, at: Instant): Chain => {
  const next = chain.ends.find(({ from }) => from === balance)
  const moved = { ...chain, balance, at }
  if (next === undefined) return moved
  return reach(withProved(without(moved, next), next), next.to, Math.max(at, next.at))
}

const mostProved = 200

const withProved = (chain: Chain, { alerts }: DoubtfulEnd): Chain => ({
  ...chain,
  proved: [...(chain.proved ?? []), ...alerts].slice(-mostProved),
})

const denyEnds = (chain: Chain): Chain =>
  chain.ends.every(({ denied }) => denied)
    ? chain
    : { ...chain, ends: chain.ends.map((end) => ({ ...end, denied: true })) }

/** A movement without a balance moves the known balance, and every end that is not denied. */
const moveUnshown = (chain: Chain, movement: Movement): Chain => {
  const moved = movedBy(movement, true)
  const { at } = movement
  const filled = chain.unseen.findLast((one) => one.to - one.from === moved && at - one.until <= soon_ms)
  if (filled !== undefined) return narrow(chain, filled, { ...filled, from: filled.to })
  const balance = minor(chain.balance + moved)
  if (chain.ends.some(({ from, since }) => from === balance && at - since <= soon_ms)) return reach(chain, balance, at)
  const ends = chain.ends.map((end) => (end.denied ? end : { ...end, to: minor(end.to + moved), at }))
  return { ...chain, balance, at, ends }
}

/** The end becomes the balance; what lies between was not seen. Older ends can no longer be proved by age. */
const accept = (chain: Chain, was: DoubtfulEnd, end: DoubtfulEnd): Chain => {
  const others = without(chain, was).ends.map((other) => (other.at < end.at ? { ...other, denied: true } : other))
  const unseen = [...chain.unseen, { from: chain.balance, to: end.from, until: end.since }]
  const kept = { ...chain, ends: others, unseen: unseen.slice(-mostUnseen) }
  return reach(withProved(kept, end), end.to, end.at)
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

/** At most `mostAlerts`: the first and the latest. */
const withAlert = (alerts: readonly AlertId[], id: AlertId): readonly AlertId[] =>
  alerts.length < mostAlerts ? [...alerts, id] : [alerts[0]!, ...alerts.slice(2), id]

/** At most `mostEnds`: the oldest denied one is dropped first. */
const limitEnds = (ends: readonly DoubtfulEnd[]): readonly DoubtfulEnd[] => {
  if (ends.length <= mostEnds) return ends
  const gone = ends.find(({ denied }) => denied) ?? ends[0]
  return ends.filter((end) => end !== gone)
}

/** Everything but the known balance, as JSON; money as digits. */
export const spellDoubts = ({ ends, unseen, start, proved }: Omit<Chain, 'balance' | 'at'>): string =>
  ends.length === 0 && unseen.length === 0 && start === undefined && proved === undefined
    ? '{}'
    : JSON.stringify({ ends, unseen, start, proved }, (_, value) => (typeof value === 'bigint' ? String(value) : value))

export const readDoubts = (spelled: string): Omit<Chain, 'balance' | 'at'> =>
  spelled === '{}'
    ? { ends: [], unseen: [] }
    : JSON.parse(spelled, (name, value) => (moneyNames.includes(name) ? minor(BigInt(value)) : value))

const moneyNames: readonly string[] = ['from', 'to', 'missing']
