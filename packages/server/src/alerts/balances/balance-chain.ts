/**
 * The balance chain of one wallet: the balance before and the movement of an alert must give the balance that the alert
 * shows. If they do not, a message is missing or this one is forged: the alert is flagged, and nothing else follows from that
 * alone. The callers store the chain. Pure.
 *
 * The known balance moves only by alerts that follow from it. An alert that does not follow from it starts a doubtful end
 * beside it. Later alerts may follow from that end, but that proves nothing: forged messages can agree with each other. A
 * doubtful end is accepted, and becomes the known balance (docs/decisions/0016):
 *
 * - when the missing messages arrive late or out of order and lead up to it;
 * - when it leads up to the balance before the first message of the chain: then it is older, and the known balance stays;
 * - when a member books one of its alerts;
 * - when it is a day old, nothing has followed from the known balance since, and a trusted alert follows from it.
 *
 * An unsigned alert without a balance does not move a balance that signed alerts show: whoever knows the app's address could break
 * the chain with it. It is kept beside the chain, and counts when a signed balance follows from it.
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms, minute_ms } from '../../core/duration.ts'
import type { AlertId } from '../../core/ids.ts'
import { type Minor, minor } from '../../core/money.ts'
import type { Direction } from '../templates/alert-template.ts'

/** Alerts that follow from one another, but not from the known balance. */
export type DoubtfulEnd = {
  /** The balance before the first alert, and after the last. */
  readonly from: Minor
  readonly to: Minor
  /** When the first alert arrived, and the last. */
  readonly since: Instant
  readonly at: Instant
  /** The amount that is missing before the first alert, and since when. */
  readonly missing: Minor
  readonly missingSince: Instant
  /** An alert has followed from the known balance since then: this end can no longer be proved by its age. */
  readonly denied: boolean
  readonly alerts: readonly AlertId[]
}

/** Movements without an alert, between two accepted balances. */
export type Unseen = { readonly from: Minor; readonly to: Minor; readonly until: Instant }

/** A movement without a balance that no signed alert has proved. */
export type Unproved = { readonly id: AlertId; readonly moved: Minor; readonly at: Instant }

export type Chain = {
  readonly balance: Minor
  /** When it was shown or calculated. */
  readonly at: Instant
  readonly ends: readonly DoubtfulEnd[]
  readonly unseen: readonly Unseen[]
  /** The balance before the first alert of the chain, and when that alert arrived. */
  readonly start?: { readonly from: Minor; readonly at: Instant }
  /** Alerts of doubtful ends that were accepted. If the doubt put them into review, they can be matched now. */
  readonly proved?: readonly AlertId[]
  /** When a signed alert last agreed with the chain. */
  readonly signedAt?: Instant
  readonly unproved?: readonly Unproved[]
}

export type Movement = {
  readonly id: AlertId
  readonly direction: Direction
  readonly amount: Minor
  readonly fee?: Minor
  /** The balance that the alert shows, if it shows one. */
  readonly balance?: Minor
  readonly at: Instant
  /** Whether the report was signed by the phone. */
  readonly trusted: boolean
  /** Unsigned alerts that this one supersedes. */
  readonly replaces?: readonly AlertId[]
}

export type Link =
  | { readonly kind: 'fits' }
  /** `missing` = shown - expected: the amount that came in (or, below zero, went out) without an alert. */
  | { readonly kind: 'break'; readonly missing: Minor; readonly since: Instant }
  /** It follows from a doubtful end; `missing` is the amount that is missing before that end. */
  | { readonly kind: 'doubtful'; readonly missing: Minor; readonly since: Instant }
  /** Nothing to compare: no balance known or none shown. */
  | { readonly kind: 'unknown' }

/** The age from which a doubtful end is proved by an alert that follows from it. An alert can be matched for as long. */
export const proven_ms = day_ms
/** A movement without a balance is taken for the missing one only if it comes within this time. */
const soon_ms = 10 * minute_ms
const mostEnds = 8
const mostUnseen = 8
const mostAlerts = 40
/** All sums of the unproved movements are compared with a signed balance: 2 to the power of this. */
const mostUnproved = 6

type Followed = { readonly link: Link; readonly chain: Chain | undefined }

/** How an alert follows from the chain, and the chain after it. */
export const followChain = (chain: Chain | undefined, movement: Movement): Followed => {
  const followed = follow(chain && withoutUnproved(chain, movement.replaces ?? []), movement)
  const isAgreed = followed.link.kind === 'fits' || followed.link.kind === 'unknown'
  if (!movement.trusted || !isAgreed || followed.chain === undefined) return followed
  return { ...followed, chain: { ...followed.chain, signedAt: movement.at } }
}

const follow = (chain: Chain | undefined, movement: Movement): Followed => {
  const { balance: shown, at } = movement
  if (chain === undefined)
    return { link: { kind: 'unknown' }, chain: shown === undefined ? undefined : firstChain(shown, movement) }
  if (shown === undefined)
    return {
      link: { kind: 'unknown' },
      chain: needsProof(chain, movement) ? withUnproved(chain, movement) : moveUnshown(chain, movement),
    }

  const [likely, ...befores] = beforesOf(shown, movement)
  const isBefore = (balance: Minor): boolean => balance === likely || befores.includes(balance)
  if (isBefore(chain.balance)) return { link: { kind: 'fits' }, chain: denyEnds(moveBalance(chain, shown, at)) }

  const { start } = chain
  if (start !== undefined && start.from === shown && at - start.at <= proven_ms)
    return { link: { kind: 'fits' }, chain: extendStart({ ...chain, start: { ...start, from: likely } }) }

  const proved = movement.trusted ? provedMovements(chain, isBefore) : undefined
  if (proved !== undefined)
    return { link: { kind: 'fits' }, chain: denyEnds(moveBalance(withoutUnproved(chain, proved), shown, at)) }

  const followed = chain.ends.findLast((end) => isBefore(end.to))
  if (followed !== undefined) {
    const end = { ...followed, to: shown, at, alerts: withAlert(followed.alerts, movement.id) }
    if (!end.denied && movement.trusted && at - end.since >= proven_ms)
      return { link: { kind: 'fits' }, chain: accept(chain, followed, end) }
    const { missing, missingSince: since } = end
    return { link: { kind: 'doubtful', missing, since }, chain: replace(chain, followed, end) }
  }

  const filled = chain.unseen.findLast(({ from, to }) => isBefore(from) || to === shown)
  if (filled !== undefined) {
    const left = isBefore(filled.from) ? { ...filled, from: shown } : { ...filled, to: likely }
    return { link: { kind: 'fits' }, chain: narrow(chain, filled, left) }
  }

  const link = breakOf(chain, movement, shown)
  const following = chain.ends.findLast((end) => end.from === shown)
  if (following !== undefined) {
    const alerts = withAlert(following.alerts, movement.id)
    return { link, chain: replace(chain, following, { ...following, from: likely, alerts }) }
  }
  const { missing, since: missingSince } = link
  const end = { from: likely, to: shown, since: at, at, missing, missingSince, denied: false, alerts: [movement.id] }
  return { link, chain: { ...chain, ends: limitEnds([...chain.ends, end]) } }
}

/** A member booked this alert: the doubtful end that it belongs to becomes the known balance. */
export const proveAlert = (chain: Chain, alert: AlertId): Chain => {
  const end = chain.ends.find(({ alerts }) => alerts.includes(alert))
  return end === undefined ? chain : accept(chain, end, end)
}

const firstChain = (balance: Minor, movement: Movement): Chain => {
  const { at } = movement
  return { balance, at, ends: [], unseen: [], start: { from: beforesOf(balance, movement)[0], at } }
}

/** An end that leads up to the start of the chain becomes part of it: its alerts are older and arrived late. */
const extendStart = (chain: Chain): Chain => {
  const { start } = chain
  const end = start && chain.ends.find(({ to }) => to === start.from)
  return end === undefined
    ? chain
    : extendStart({ ...withProved(without(chain, end), end), start: { ...start!, from: end.from } })
}

const changeOf = ({ direction, amount, fee = minor(0n) }: Movement, withFee: boolean): bigint =>
  (direction === 'credit' ? amount : -amount) - (withFee ? fee : 0n)

/** The possible balances before a movement, the likeliest first: for some providers the amount includes the fee. */
const beforesOf = (shown: Minor, movement: Movement): readonly [Minor, ...Minor[]] => {
  const before = (withFee: boolean): Minor => minor(shown - changeOf(movement, withFee))
  return [before(true), before(false)]
}

/** The break relative to the newest balance, known or doubtful. */
const breakOf = (chain: Chain, movement: Movement, shown: Minor) => {
  const open = chain.ends.filter(({ denied }) => !denied)
  const newest = open.reduce<DoubtfulEnd | undefined>((last, end) => (last && last.at > end.at ? last : end), undefined)
  const expected = (newest?.to ?? chain.balance) + changeOf(movement, true)
  return { kind: 'break', missing: minor(shown - expected), since: newest?.at ?? chain.at } as const
}

/** Moves the known balance, and then along the ends that begin at the new balance. */
const moveBalance = (chain: Chain, balance: Minor, at: Instant): Chain => {
  const next = chain.ends.find(({ from }) => from === balance)
  const moved = { ...chain, balance, at }
  if (next === undefined) return moved
  return moveBalance(withProved(without(moved, next), next), next.to, Math.max(at, next.at))
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
  const moved = changeOf(movement, true)
  const { at } = movement
  const filled = chain.unseen.findLast(({ from, to, until }) => to - from === moved && at - until <= soon_ms)
  if (filled !== undefined) return narrow(chain, filled, { ...filled, from: filled.to })
  const balance = minor(chain.balance + moved)
  if (chain.ends.some(({ from, since }) => from === balance && at - since <= soon_ms))
    return moveBalance(chain, balance, at)
  const ends = chain.ends.map((end) => (end.denied ? end : { ...end, to: minor(end.to + moved), at }))
  return { ...chain, balance, at, ends }
}

/** Whether the movement is unsigned, and a signed alert has agreed with the chain in the last day. Without signed alerts, unsigned
 *  ones move the balance. */
const needsProof = ({ signedAt }: Chain, { trusted, at }: Movement): boolean =>
  !trusted && signedAt !== undefined && at - signedAt < proven_ms

const withUnproved = (chain: Chain, movement: Movement): Chain => {
  const { id, at } = movement
  const recent = (chain.unproved ?? []).filter((other) => at - other.at < proven_ms)
  return { ...chain, unproved: [...recent, { id, moved: minor(changeOf(movement, true)), at }].slice(-mostUnproved) }
}

const withoutUnproved = (chain: Chain, ids: readonly AlertId[]): Chain => {
  const left = chain.unproved?.filter(({ id }) => !ids.includes(id))
  if (left === undefined || left.length === chain.unproved!.length) return chain
  const { unproved: _, ...rest } = chain
  return left.length === 0 ? rest : { ...rest, unproved: left }
}

/** The fewest unproved movements that lead from the known balance to the one before a signed alert; undefined: none do. */
const provedMovements = (chain: Chain, isBefore: (balance: Minor) => boolean): readonly AlertId[] | undefined => {
  let sums: { readonly ids: readonly AlertId[]; readonly balance: Minor }[] = [{ ids: [], balance: chain.balance }]
  for (const { id, moved } of chain.unproved ?? [])
    sums = [...sums, ...sums.map(({ ids, balance }) => ({ ids: [...ids, id], balance: minor(balance + moved) }))]
  const fitting = sums.filter(({ ids, balance }) => ids.length > 0 && isBefore(balance))
  return fitting.sort((a, b) => a.ids.length - b.ids.length)[0]?.ids
}

/** The end becomes the known balance; the difference is stored as unseen. Older ends can no longer be proved by age. */
const accept = (chain: Chain, was: DoubtfulEnd, end: DoubtfulEnd): Chain => {
  const others = without(chain, was).ends.map((other) => (other.at < end.at ? { ...other, denied: true } : other))
  const unseen = [...chain.unseen, { from: chain.balance, to: end.from, until: end.since }]
  const accepted = { ...chain, ends: others, unseen: unseen.slice(-mostUnseen) }
  return moveBalance(withProved(accepted, end), end.to, end.at)
}

const without = (chain: Chain, end: DoubtfulEnd): Chain => ({
  ...chain,
  ends: chain.ends.filter((other) => other !== end),
})

const replace = (chain: Chain, was: DoubtfulEnd, end: DoubtfulEnd): Chain => ({
  ...chain,
  ends: chain.ends.map((other) => (other === was ? end : other)),
})

const narrow = (chain: Chain, was: Unseen, left: Unseen): Chain => ({
  ...chain,
  unseen: chain.unseen.flatMap((other) => (other !== was ? [other] : left.from === left.to ? [] : [left])),
})

/** At most `mostAlerts`: the first and the latest. */
const withAlert = (alerts: readonly AlertId[], id: AlertId): readonly AlertId[] =>
  alerts.length < mostAlerts ? [...alerts, id] : [alerts[0]!, ...alerts.slice(2), id]

/** At most `mostEnds`: the oldest denied one is dropped first. */
const limitEnds = (ends: readonly DoubtfulEnd[]): readonly DoubtfulEnd[] => {
  if (ends.length <= mostEnds) return ends
  const dropped = ends.find(({ denied }) => denied) ?? ends[0]
  return ends.filter((end) => end !== dropped)
}

/** Everything except the known balance, as JSON; money as digits. */
export const writeDoubts = ({ balance: _, at: __, ...doubts }: Chain): string =>
  JSON.stringify(doubts, (_, value) => (typeof value === 'bigint' ? String(value) : value))

export const readDoubts = (json: string): Omit<Chain, 'balance' | 'at'> => ({
  ends: [],
  unseen: [],
  ...JSON.parse(json, (name, value) => (moneyNames.includes(name) ? minor(BigInt(value)) : value)),
})

const moneyNames: readonly string[] = ['from', 'to', 'missing', 'moved']
