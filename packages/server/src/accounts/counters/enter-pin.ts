/**
 * A cashier enters a PIN at a counter. The try is counted and committed before the PIN is checked (pin-tries.ts), because hashing is
 * slow and runs outside of any transaction; a node that dies in between leaves the try counted. The answer and the time are the same
 * for a wrong PIN and for a cashier who is not on the list.
 */
import type { Instant } from '../../core/clock.ts'
import type { UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { passwordFits } from '../people/password.ts'
import type { OpenCounter } from './counter.ts'
import {
  addTry,
  deleteOneTry,
  deleteTries,
  lockCounterTries,
  lockPin,
  saveCounterTries,
  savePinTries,
  setCashier,
  triesOfCounter,
} from './pin-sql.ts'
import {
  type Counted,
  countTry,
  isPaused,
  mostTypos,
  mostTyposAtCounter,
  type Tries,
  takesBack,
  tellOwnersAt,
  triesAtCounter,
  triesInRound,
  withoutTry,
} from './pin-tries.ts'
import type { PinSealer } from './sealed-pin.ts'

type TriesRow = {
  readonly pauses: number
  readonly paused_until: Instant | null
  readonly wrong_total: number
  readonly tried_at: Instant | null
  readonly day_wrong: number
  readonly day_since: Instant | null
}
const triesOf = (row: TriesRow, wrong: number): Tries => ({
  wrong,
  pauses: row.pauses,
  pausedUntil: row.paused_until,
  total: row.wrong_total,
  triedAt: row.tried_at,
  dayWrong: row.day_wrong,
  daySince: row.day_since,
})

type Pin = RowOf<(typeof lockPin)['columns']>

/** A try that was counted. */
export type PinTry = {
  readonly scope: Scope
  readonly counter: OpenCounter
  /** Whose tries these are: the cashier, or the counter itself for a cashier who is not on its list. */
  readonly triedFor: string
  readonly pin: Pin | undefined
  readonly ofPin: Counted | undefined
  readonly ofCounter: Counted
  /** When a wrong PIN was last tried before: of this cashier, and at this counter. */
  readonly before: { readonly ofPin: Instant | null; readonly ofCounter: Instant | null }
}

/** Both counts under their locks: the counter's first, then the PIN's. */
const lockTries = async (tx: Tx, scope: Scope, counter: OpenCounter, cashierId: string) => {
  const [row] = await lockCounterTries(tx, scope, counter.id)
  if (row === undefined) return undefined
  const [pin] = await lockPin(tx, scope, cashierId)
  const round = await triesOfCounter(tx, scope, counter.id)
  const wrong = round.reduce((sum, tried) => sum + tried.wrong, 0)
  return { row, pin, ofCounter: triesOf(row, wrong), ofPin: pin === undefined ? undefined : triesOf(pin, pin.wrong) }
}

/** Counts a try. During a pause of the cashier or of the counter it is refused and not counted. */
export const countPinTry = async (
  tx: Tx,
  counter: OpenCounter,
  cashierId: string,
  now: Instant,
): Promise<PinTry | Refusal<'pin_paused' | 'counter_unknown'>> => {
  const scope = wholeAccount(counter.accountId)
  const locked = await lockTries(tx, scope, counter, cashierId)
  if (locked === undefined) return refuse('counter_unknown')
  const { pin } = locked
  // Of two pauses the longer one is told: it decides when the next try is possible.
  const [pause] = [
    { of: 'counter', tries: locked.ofCounter },
    { of: 'cashier', tries: locked.ofPin },
  ]
    .flatMap(({ of, tries }) =>
      tries !== undefined && isPaused(tries, now) ? [{ of, until: tries.pausedUntil! }] : [],
    )
    .sort((one, other) => other.until - one.until)
  if (pause !== undefined)
    return refuse('pin_paused', { of: pause.of, seconds: String(Math.ceil((pause.until - now) / 1000)) })
  const ofCounter = countTry(locked.ofCounter, now, triesAtCounter)
  const ofPin = locked.ofPin === undefined ? undefined : countTry(locked.ofPin, now, triesInRound)
  const triedFor = pin?.user_id ?? counter.id
  if (ofCounter.newRound) await deleteTries(tx, scope, counter.id, null)
  await addTry(tx, scope, counter.id, triedFor)
  await saveCounterTries(tx, scope, counter.id, ofCounter)
  if (pin !== undefined) await savePinTries(tx, scope, pin.user_id, ofPin!, null)
  const before = { ofPin: locked.ofPin?.triedAt ?? null, ofCounter: locked.ofCounter.triedAt }
  return { scope, counter, triedFor, pin, ofPin, ofCounter, before }
}

/** Slow. 'busy': nothing was checked. */
export const isPinRight = (tried: PinTry, digits: string, pins: Pick<PinSealer, 'hashOf'>): Promise<boolean | 'busy'> =>
  passwordFits(tried.pin === undefined ? null : pins.hashOf(tried.pin), digits)

/** The PIN was right: its cashier has the counter, and the tries for this cashier are taken back. */
export const signInAtCounter = async (
  tx: Tx,
  tried: PinTry,
  now: Instant,
): Promise<{ readonly userId: UserId; readonly name: string; readonly email: string } | Refusal<'pin_wrong'>> => {
  const { scope, counter, ofPin, ofCounter, before } = tried
  const locked = await lockTries(tx, scope, counter, tried.triedFor)
  // The counter was ended, the cashier removed or the PIN changed while it was checked.
  if (locked?.pin === undefined || locked.pin.id !== tried.pin?.id) return refuse('pin_wrong')
  const { user_id: userId, name, email } = locked.pin
  const atCounter = withoutTry(locked.ofCounter, ofCounter, before.ofCounter)
  let takenBack = 0
  if (takesBack(locked.ofCounter, mostTyposAtCounter)) {
    const back = await deleteTries(tx, scope, counter.id, userId)
    takenBack = back.reduce((sum, { wrong }) => sum + wrong, 0) - 1
  } else await deleteOneTry(tx, scope, counter.id, userId)
  await saveCounterTries(tx, scope, counter.id, { ...atCounter, total: Math.max(0, atCounter.total - takenBack) })
  const own = withoutTry(locked.ofPin!, ofPin!, before.ofPin)
  const forgiven = takesBack(locked.ofPin!, mostTypos) ? { wrong: 0, pausedUntil: null, total: 0 } : {}
  await savePinTries(tx, scope, userId, { ...own, ...forgiven }, now)
  await setCashier(tx, scope, counter.id, userId, now)
  return { userId, name, email }
}

/** Nothing was checked: the try does not count. */
export const takeTryBack = async (tx: Tx, tried: PinTry): Promise<void> => {
  const { scope, counter, triedFor, ofPin, ofCounter, before } = tried
  const locked = await lockTries(tx, scope, counter, triedFor)
  if (locked === undefined) return
  await deleteOneTry(tx, scope, counter.id, triedFor)
  await saveCounterTries(tx, scope, counter.id, withoutTry(locked.ofCounter, ofCounter, before.ofCounter))
  if (locked.pin !== undefined && ofPin !== undefined)
    await savePinTries(tx, scope, locked.pin.user_id, withoutTry(locked.ofPin!, ofPin, before.ofPin), null)
}

/** Whether owners get a notice of a wrong PIN: the counter was paused, or somebody guesses. A cashier who mistypes is none. */
export const isForOwners = (tried: PinTry): boolean => tried.ofCounter.begins || isWorthTelling(tried) === 'guessed'

/** What the audit log says of a wrong PIN: that a pause began, or that somebody guesses. Most wrong PINs say nothing. */
export const isWorthTelling = ({ ofPin, ofCounter }: PinTry): 'guessed' | 'paused' | undefined => {
  if (ofPin?.dayWrong === tellOwnersAt || ofCounter.total === tellOwnersAt) return 'guessed'
  return ofPin?.begins || ofCounter.begins ? 'paused' : undefined
}
