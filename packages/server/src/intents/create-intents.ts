/**
 * Creates intents. One statement writes the intent and its idempotency key, together with those of other requests of
 * the same moment: a crash leaves both or neither. The answer is built before the intent is written, because the key
 * stores it byte for byte; if the wallet changed in between, nothing is written and the answer is built again.
 */
import { quotaMonth } from '../accounts/tenants/quota-month.ts'
import type { Instant } from '../core/clock.ts'
import { type AccountId, paymentCode } from '../core/ids.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import { sameFingerprint } from '../core/seal.ts'
import type { Zone } from '../core/zone.ts'
import { type Db, faultCode, faultConstraint, type Session, type Tx } from '../postgres/connection/database.ts'
import { gather } from '../postgres/query/gather.ts'
import { obstacle, type Wallet } from '../wallets/wallets/wallet.ts'
import type { WalletLookup } from '../wallets/wallets/wallet-lookup.ts'
import { type Draft, type Intent, newIntent } from './intent.ts'
import { findAnswer, insertIntents, type NewIntent } from './intent-sql.ts'
import { openMonth, takeFromQuota } from './totals/quota-sql.ts'

export const keyLife_ms = 24 * 3_600_000

export type CreateRequest = {
  readonly accountId: AccountId
  /** Null: the account has no quota. */
  readonly quota: number | null
  readonly createdBy: string
  readonly draft: Draft
  readonly wallet: Wallet
  readonly idempotency: { readonly key: string; readonly fingerprint: Buffer } | undefined
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

type Attempt = { readonly made: NewIntent; readonly now: Instant }

const insert = async (session: Session, attempts: readonly Attempt[]): Promise<boolean[]> => {
  const now = Math.max(...attempts.map((one) => one.now))
  const rows = await insertIntents(
    session,
    attempts.map((one) => one.made),
    now,
    now - keyLife_ms,
  )
  const ids = new Set<string>(rows.map((row) => row.id))
  return attempts.map((one) => ids.has(one.made.intent.id))
}

export const intentCreator = (deps: {
  /** Waits long for a lock: another request with the same key may be running. */
  readonly db: Db
  /** Waits briefly for a lock: many requests share its statements. */
  readonly shared: Db
  readonly wallets: WalletLookup
  readonly window_ms: number
  readonly zone: Zone
}): CreateIntent => {
  const { db, shared, wallets, window_ms, zone } = deps

  const session = shared.pipelined()
  const insertShared = gather<Attempt, boolean>({
    together: (attempts) => insert(session, attempts),
    alone: async (attempt) => (await insert(db, [attempt]))[0]!,
    mark: ({ made }) => made.idempotency && `${made.intent.accountId}/${made.idempotency.key}`,
    most: 64,
    parallel: 3,
    ahead: 2,
  })

  /**
   * With a quota, the month's row is locked while the intent is created: two requests cannot both take the last one.
   */
  const countAndInsert = (attempt: Attempt): Promise<boolean | 'quota_exceeded'> => {
    const { accountId } = attempt.made.intent
    const month = quotaMonth(zone, attempt.now).name
    const work = async (tx: Tx): Promise<boolean> => {
      await openMonth(tx, accountId, month)
      const taken = await takeFromQuota(tx, accountId, month)
      if (taken.length === 0) throw quotaUsedUp
      const [made] = await insert(tx, [attempt])
      if (!made) throw nothingCreated
      return true
    }
    return db.transaction(work).catch((fault) => {
      if (fault === quotaUsedUp) return 'quota_exceeded'
      if (fault === nothingCreated) return false
      throw fault
    })
  }

  // A few at a time: requests that wait for one account's month must not take every connection.
  const insertCounted = gather<Attempt, boolean | 'quota_exceeded'>({
    together: async ([attempt]) => [await countAndInsert(attempt!)],
    alone: countAndInsert,
    most: 1,
    parallel: 3,
  })

  return async (request, now) => {
    const { accountId, idempotency } = request
    let wallet = request.wallet
    let intent = newIntent(accountId, request.draft, window_ms, now)

    // A changed wallet or a taken code needs another try; neither happens three times in a row.
    for (let tries = 0; tries < 4; tries++) {
      const answer = request.write(intent, wallet)
      const made: NewIntent = {
        intent,
        wallet,
        createdBy: request.createdBy,
        idempotency: idempotency && { ...idempotency, answer },
      }
      const counted = request.quota !== null && !wallet.isTest
      try {
        const done = await (counted ? insertCounted : insertShared)({ made, now })
        if (done === true) return { kind: 'created', intentId: intent.id, answer }
        const earlier = idempotency && (await storedAnswer(db, accountId, idempotency, now))
        if (earlier !== undefined) return earlier
        if (done === 'quota_exceeded') return refuse('quota_exceeded', { quota: String(request.quota) })
      } catch (fault) {
        if (faultCode(fault) === '55P03' && idempotency !== undefined) return refuse('idempotency_in_progress')
        if (faultConstraint(fault) !== 'intents_code_key') throw fault
        intent = { ...intent, code: paymentCode() }
        continue
      }
      wallets.forget(accountId, wallet.id)
      const fresh = await wallets.get(accountId, wallet.id, now)
      if (fresh === undefined) return refuse('wallet_unknown')
      const reason = obstacle(fresh)
      if (reason !== undefined) return refuse(reason)
      wallet = fresh
    }
    throw new Error(`wallet ${wallet.id} changed again and again while an intent was made for it`)
  }
}

const quotaUsedUp = new Error('the quota is used up')
const nothingCreated = new Error('nothing was made')

/** The stored answer of an idempotency key; a refusal if it was stored for another body. */
export const storedAnswer = async (
  db: Session,
  accountId: AccountId,
  idempotency: { readonly key: string; readonly fingerprint: Buffer },
  now: Instant,
): Promise<Created | Refusal<'idempotency_key_reused'> | undefined> => {
  const [stored] = await findAnswer(db, accountId, idempotency.key, now - keyLife_ms)
  if (stored === undefined) return undefined
  if (!sameFingerprint(stored.fingerprint, idempotency.fingerprint)) return refuse('idempotency_key_reused')
  return { kind: 'replayed', intentId: stored.intent_id, answer: stored.answer }
}
