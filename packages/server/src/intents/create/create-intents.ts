/**
 * Creates intents. One statement writes an intent and its idempotency key, so that a crash leaves both or neither; requests
 * of the same moment share the statement. The answer is built before the intent is written, because the key stores it byte
 * for byte. If the wallet changed in between, nothing is written and the answer is built again.
 *
 * On a wallet with unique amounts (docs/decisions/0042) the amounts of a batch are chosen first, in the same transaction and
 * under the lock of the real wallet.
 */
import { quotaMonth } from '../../accounts/tenants/quota-month.ts'
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import { paymentCode } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import { sameFingerprint } from '../../core/seal.ts'
import type { Zone } from '../../core/zone.ts'
import { type Db, faultCode, faultConstraint, type Session, type Tx } from '../../postgres/connection/database.ts'
import { gather } from '../../postgres/query/gather.ts'
import type { WalletLookup } from '../../wallets/entries/wallet-lookup.ts'
import { obstacle, type Wallet } from '../../wallets/wallet.ts'
import { type Draft, type Intent, newIntent } from '../intent.ts'
import { amountUses, openAmounts } from '../payable/amounts-sql.ts'
import { amountKey, amountLocks, candidatesOf, chooseAmounts } from '../payable/choose-amounts.ts'
import { restClass } from '../payable/unique-amounts.ts'
import { openQuotaMonth, takeFromQuota } from '../totals/quota-sql.ts'
import { findAnswer, insertIntents, insertUniqueIntents, type NewIntent } from './create-intents-sql.ts'

/** How long an idempotency key is remembered. */
export const keyLife_ms = day_ms

export type CreateRequest = {
  readonly scope: Scope
  /** Null: the account has no quota. */
  readonly quota: number | null
  readonly createdBy: string
  readonly draft: Draft
  readonly wallet: Wallet
  /** The intent ends then at the latest. Undefined: when its window is over. */
  readonly endsBy?: Instant
  readonly idempotency: { readonly key: string; readonly fingerprint: Buffer } | undefined
  /** Builds the answer. */
  readonly write: (intent: Intent, wallet: Wallet) => string
}

export type Created =
  | { readonly kind: 'created'; readonly intentId: string; readonly answer: string }
  | { readonly kind: 'replayed'; readonly intentId: string; readonly answer: string }

export type CreateIntent = (
  request: CreateRequest,
  now: Instant,
) => Promise<Created | Refusal<'wallet_unknown' | 'wallet_not_monitored' | KeyRefusal | 'quota_exceeded'>>

type KeyRefusal = 'idempotency_key_reused' | 'idempotency_in_progress'

const mostTries = 20

/** An intent that is ready to be written, with the answer for the merchant. */
type PreparedIntent = NewIntent & { readonly answer: string }

type Attempt = {
  readonly prepared: PreparedIntent
  readonly now: Instant
  /** The same intent with another amount and an answer for it. */
  readonly withPayable: (payable: Minor) => PreparedIntent
}

/** Each intent as it was written; undefined: it was not written. */
const insert = async (
  session: Session,
  attempts: readonly Attempt[],
  intents: readonly PreparedIntent[] = attempts.map(({ prepared }) => prepared),
  insertRows = insertIntents,
): Promise<(PreparedIntent | undefined)[]> => {
  const now = Math.max(...attempts.map((attempt) => attempt.now))
  const rows = await insertRows(session, intents, now, now - keyLife_ms)
  const ids = new Set<string>(rows.map((row) => row.id))
  return intents.map((prepared) => (ids.has(prepared.intent.id) ? prepared : undefined))
}

const hasUniqueAmounts = ({ prepared }: Attempt): boolean => prepared.wallet.uniqueAmounts !== null

const locksOf = (attempts: readonly Attempt[]): bigint[] =>
  amountLocks(attempts.filter(hasUniqueAmounts).map(({ prepared }) => prepared.wallet.identity))

/** For wallets with unique amounts. The caller has taken the locks `locksOf(attempts)` before. */
const insertUnique = async (
  tx: Tx,
  attempts: readonly Attempt[],
  window_ms: number,
): Promise<(PreparedIntent | undefined)[]> => {
  const now = Math.max(...attempts.map((attempt) => attempt.now))
  const requests = attempts.map(({ prepared: { intent, wallet } }) => ({
    accountId: intent.accountId,
    identity: wallet.identity,
    base: intent.base,
    setting: wallet.uniqueAmounts!,
  }))
  const candidates = candidatesOf(requests).map(({ request, amount }) => ({ ...request, amount }))
  const wallets = [...new Map(attempts.map(({ prepared: { wallet } }) => [wallet.id, wallet])).values()]
  const [rows, open] = await Promise.all([amountUses(tx, candidates, window_ms, now), openAmounts(tx, wallets)])
  const classes = new Map<string, number>()
  for (const { identity, payable, unpaid_at, paid_at, ...row } of rows) {
    const key = amountKey(identity, payable)
    const restOfUse = restClass({ open: row.open, unpaidAt: unpaid_at, paidAt: paid_at }, now)
    classes.set(key, Math.max(classes.get(key) ?? 0, restOfUse))
  }
  const amounts = chooseAmounts(requests, classes, open)
  const intents = attempts.map((attempt, i) => attempt.withPayable(amounts[i]!))
  return insert(tx, attempts, intents, insertUniqueIntents)
}

export const intentCreator = (deps: {
  /** Waits for a lock for several seconds: another request with the same key may be running. */
  readonly db: Db
  /** Waits briefly for a lock: many requests share its statements. */
  readonly shared: Db
  readonly wallets: WalletLookup
  readonly window_ms: number
  readonly zone: Zone
}): CreateIntent => {
  const { db, shared, wallets, window_ms, zone } = deps

  /** Two requests with one key must not be in one batch. */
  const mark = ({ prepared }: Attempt) =>
    prepared.idempotency && `${prepared.intent.accountId}/${prepared.idempotency.key}`

  const caller = ({ prepared }: Attempt) => prepared.intent.accountId

  const session = shared.pipelined()
  const insertShared = gather<Attempt, PreparedIntent | undefined>({
    together: (attempts) => insert(session, attempts),
    alone: async (attempt) => (await insert(db, [attempt]))[0],
    mark,
    caller,
    most: 64,
    parallel: 3,
    ahead: 2,
  })

  const inTransaction = (on: Db, attempts: readonly Attempt[]) =>
    on.transaction((tx) => insertUnique(tx, attempts, window_ms), locksOf(attempts))

  const insertUniqueShared = gather<Attempt, PreparedIntent | undefined>({
    together: (attempts) => inTransaction(shared, attempts),
    alone: async (attempt) => (await inTransaction(db, [attempt]))[0],
    mark,
    caller,
    most: 64,
    // More batches at once would mostly wait for each other's locks.
    parallel: 2,
  })

  /**
   * For an account with a quota. The month's row is locked while the intent is created, so that two requests cannot both
   * take the last intent of the quota.
   */
  const countAndInsert = (attempt: Attempt): Promise<PreparedIntent | undefined | 'quota_exceeded'> => {
    const { accountId } = attempt.prepared.intent
    const month = quotaMonth(zone, attempt.now).name
    const work = async (tx: Tx): Promise<PreparedIntent> => {
      await openQuotaMonth(tx, wholeAccount(accountId), month)
      const taken = await takeFromQuota(tx, wholeAccount(accountId), month)
      if (taken.length === 0) throw quotaUsedUp
      const [written] = hasUniqueAmounts(attempt)
        ? await insertUnique(tx, [attempt], window_ms)
        : await insert(tx, [attempt])
      if (written === undefined) throw nothingCreated
      return written
    }
    return db.transaction(work, locksOf([attempt])).catch((fault) => {
      if (fault === quotaUsedUp) return 'quota_exceeded'
      if (fault === nothingCreated) return undefined
      throw fault
    })
  }

  // A few at a time, and of an account one after the other: requests that wait for one account's month must not take every
  // connection, nor the turns of other accounts.
  const insertCounted = gather<Attempt, PreparedIntent | undefined | 'quota_exceeded'>({
    together: async ([attempt]) => [await countAndInsert(attempt!)],
    alone: countAndInsert,
    caller,
    parallelOfCaller: 1,
    most: 1,
    parallel: 3,
  })

  return async (request, now) => {
    const { scope, idempotency } = request
    let wallet = request.wallet
    let intent = newIntent(scope.accountId, request.draft, window_ms, now, request.endsBy)

    // A changed wallet or a taken payment code needs another try. Neither happens often, but a wallet may change several times
    // while many requests wait for its amounts.
    for (let tries = 0; tries < mostTries; tries++) {
      const attempt = attemptOf(request, intent, wallet, now)
      const counted = request.quota !== null && !wallet.isTest
      const write = counted ? insertCounted : hasUniqueAmounts(attempt) ? insertUniqueShared : insertShared
      try {
        const result = await write(attempt)
        if (typeof result === 'object') return { kind: 'created', intentId: intent.id, answer: result.answer }
        const earlier = idempotency && (await storedAnswer(db, scope, idempotency, now))
        if (earlier !== undefined) return earlier
        if (result === 'quota_exceeded') return refuse('quota_exceeded', { quota: String(request.quota) })
      } catch (fault) {
        if (faultCode(fault) === '55P03' && idempotency !== undefined) return refuse('idempotency_in_progress')
        if (faultConstraint(fault) !== 'intents_code_key') throw fault
        intent = { ...intent, code: paymentCode() }
        continue
      }
      wallets.forget(scope, wallet.id)
      const fresh = await wallets.get(scope, wallet.id, now)
      if (fresh === undefined) return refuse('wallet_unknown')
      const reason = obstacle(fresh)
      if (reason !== undefined) return refuse(reason)
      wallet = fresh
    }
    throw new Error(`wallet ${wallet.id} changed again and again while an intent was created for it`)
  }
}

const attemptOf = (request: CreateRequest, intent: Intent, wallet: Wallet, now: Instant): Attempt => {
  const { createdBy, idempotency } = request
  const withPayable = (payable: Minor): PreparedIntent => {
    const payableIntent = payable === intent.payable ? intent : { ...intent, payable }
    const answer = request.write(payableIntent, wallet)
    return { intent: payableIntent, wallet, createdBy, answer, idempotency: idempotency && { ...idempotency, answer } }
  }
  return { prepared: withPayable(intent.payable), now, withPayable }
}

const quotaUsedUp = new Error('the quota is used up')
const nothingCreated = new Error('nothing was created')

/** The stored answer of an idempotency key; a refusal if it was stored for another body. */
export const storedAnswer = async (
  db: Session,
  scope: Scope,
  idempotency: { readonly key: string; readonly fingerprint: Buffer },
  now: Instant,
): Promise<Created | Refusal<'idempotency_key_reused'> | undefined> => {
  const [stored] = await findAnswer(db, wholeAccount(scope.accountId), idempotency.key, now - keyLife_ms)
  if (stored === undefined) return undefined
  if (!sameFingerprint(stored.fingerprint, idempotency.fingerprint)) return refuse('idempotency_key_reused')
  return { kind: 'replayed', intentId: stored.intent_id, answer: stored.answer }
}
