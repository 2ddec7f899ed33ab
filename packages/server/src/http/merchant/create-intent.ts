/**
 * Creates an intent from a request, for the merchant API and for the dashboard alike: reads the body and the idempotency
 * key, looks the wallet up, and reports all errors in the order of the merchant API. The caller decides how the intent is
 * written: with which quota, in which transaction.
 */
import { errorOf } from '@sanad/contract/error-sentences'
import type { FastifyRequest } from 'fastify'
import type { Instant } from '../../core/clock.ts'
import { isRefusal, refuse } from '../../core/refusal.ts'
import { type Scope, seesWallet } from '../../core/scope.ts'
import { fingerprint } from '../../core/seal.ts'
import {
  type Created,
  type CreateIntent,
  type CreateRequest,
  storedAnswer,
} from '../../intents/create/create-intents.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { WalletLookup } from '../../wallets/entries/wallet-lookup.ts'
import { obstacle, type Wallet } from '../../wallets/wallet.ts'
import { invalid, type Problem, type ProblemEntry } from '../answers.ts'
import { canonical, type Json } from '../body/json.ts'
import { type IntentDraft, readCreateIntent, withWalletError } from '../body/merchant/create-intent-body.ts'
import { itemsText } from './intent-answer.ts'
import { answerTo, unknownWallet } from './refusals.ts'

const keyHeader = 'SERVICE-IDEMPOTENCY-KEY'
const longestKey = 128

type IdempotencyKey = NonNullable<CreateRequest['idempotency']>

/** The parts of a `CreateRequest` that were read from the body and the header, and found valid. */
export type CheckedRequest = Pick<CreateRequest, 'draft' | 'wallet' | 'idempotency'>

type CreateDeps = { readonly db: Db; readonly wallets: WalletLookup }
type CreateCall = {
  readonly request: FastifyRequest
  readonly body: Json
  readonly scope: Scope
  readonly now: Instant
}

/** Throws a problem if the intent is refused. */
export const createFromRequest = async (
  deps: CreateDeps,
  call: CreateCall,
  write: (checked: CheckedRequest) => ReturnType<CreateIntent>,
): Promise<Created> => {
  const { scope, body, now } = call
  const { key, errors: keyErrors } = idempotencyKey(call.request, body)
  const checked = await readDraft(deps, call, keyErrors)
  if (!('wallet' in checked)) {
    // A used key gets its first answer again, even if the wallet was switched off or changed since.
    // Not for a wallet that the caller does not see: another key of the account has used it.
    const replays = key !== undefined && checked.seen
    const earlier = replays ? await storedAnswer(deps.db, scope, key, now) : undefined
    if (earlier === undefined || isRefusal(earlier)) throw checked.problem
    return earlier
  }
  const { draft, wallet } = checked
  const created = await write({
    draft: {
      walletId: wallet.id,
      total: draft.total,
      currency: wallet.currency,
      externalOrderId: draft.externalOrderId,
      notes: draft.notes,
      items: itemsText(draft.items),
    },
    wallet,
    idempotency: key,
  })
  if (isRefusal(created)) throw answerTo({ ...created, facts: { wallet: wallet.id, ...created.facts } })
  return created
}

/** The draft and its wallet, or the problem with all errors of the request. */
const readDraft = async (
  { wallets }: CreateDeps,
  { body, scope, now }: CreateCall,
  keyErrors: readonly ProblemEntry[],
): Promise<
  | { readonly draft: IntentDraft; readonly wallet: Wallet }
  /** `seen`: the caller may know of the wallet that the request names. */
  | { readonly problem: Problem; readonly seen: boolean }
> => {
  const reading = readCreateIntent(body)
  const walletId = reading.kind === 'ok' ? reading.draft.wallet : reading.wallet
  const wallet = walletId === undefined ? undefined : await wallets.get(scope, walletId, now)
  const walletObstacle = wallet === undefined ? 'wallet_unknown' : obstacle(wallet)
  const unknown = walletId !== undefined && walletObstacle === 'wallet_unknown' ? unknownWallet(walletId) : undefined

  const refused = (problem: Problem) => ({ problem, seen: walletId === undefined || seesWallet(scope, walletId) })
  const errors: ProblemEntry[] = []
  if (reading.kind === 'no' && unknown) errors.push(...withWalletError(reading, unknown))
  // The idempotency key is a field like the others. A rule over several fields is only checked when every field is valid.
  else if (reading.kind === 'no' && (reading.rule === 'field' || keyErrors.length === 0)) errors.push(...reading.errors)
  else if (unknown) errors.push(unknown)
  errors.push(...keyErrors)
  if (errors.length > 0) return refused(invalid(errors))
  if (walletObstacle !== undefined || reading.kind === 'no' || wallet === undefined)
    return refused(answerTo(refuse('wallet_not_monitored')))
  const { draft } = reading
  if (draft.currency !== undefined && draft.currency !== wallet.currency)
    return refused(answerTo(refuse('currency_mismatch', { currency: wallet.currency })))
  return { draft, wallet }
}

export const idempotencyKey = (
  request: FastifyRequest,
  body: Json,
): { readonly key: IdempotencyKey | undefined; readonly errors: readonly ProblemEntry[] } => {
  const sent = request.headers[keyHeader.toLowerCase()]
  if (typeof sent !== 'string' || sent === '') return { key: undefined, errors: [] }
  if (sent.length > longestKey) {
    return { key: undefined, errors: [{ ...errorOf('too_long', { max: longestKey }), attr: keyHeader }] }
  }
  return { key: { key: sent, fingerprint: fingerprint(canonical(body)) }, errors: [] }
}
