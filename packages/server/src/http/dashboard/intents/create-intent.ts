/**
 * An intent made by hand: the rules, the quota and the idempotency key are those of the merchant API, and the audit log
 * says who made it. Written by the same verb, inside the transaction of its entry.
 */
import { createIntent } from '@sanad/contract/dashboard/money/intents'
import type { FastifyReply } from 'fastify'
import { isRefusal, refuse } from '../../../core/refusal.ts'
import { type Created, intentCreator, storedAnswer } from '../../../intents/create-intents.ts'
import { undoable } from '../../../postgres/query/undoable.ts'
import { walletLookup } from '../../../views/wallets/find-wallet.ts'
import { obstacle, type Wallet } from '../../../wallets/wallets/wallet.ts'
import { invalid, type Problem, type ProblemEntry, sendJson } from '../../answers.ts'
import { type IntentDraft, readCreateIntent, withWalletError } from '../../body/merchant/create-intent-body.ts'
import { intentText, itemsText } from '../../merchant/intent-answer.ts'
import { idempotencyKey } from '../../merchant/intents.ts'
import { answerTo, unknownWallet } from '../../merchant/refusals.ts'
import { sentBody } from '../../merchant/sent-body.ts'
import { actorIn, type Call, change, type Route, route } from '../route.ts'
import type { IntentDesk } from './intent-routes.ts'

type Key = ReturnType<typeof idempotencyKey>['key']
type Asked = { readonly draft: IntentDraft; readonly wallet: Wallet }

export const makingRoutes = (desk: IntentDesk): Route[] => [
  route(createIntent, async (call) => {
    const body = sentBody(call.request)
    const { key, errors } = idempotencyKey(call.request, body)
    const asked = await readAsked(desk, call, body, errors)
    if (!('draft' in asked)) {
      // A key that was answered keeps its answer, though the wallet may have been switched off since.
      const earlier = key && (await storedAnswer(desk.db, call.who.accountId, key, call.now))
      if (earlier === undefined || isRefusal(earlier)) throw asked
      return sendCreated(call.reply, earlier)
    }
    return sendCreated(call.reply, await make(desk, call, asked, key))
  }),
]

/** What is asked for, or all that is wrong with it. */
const readAsked = async (
  desk: IntentDesk,
  { who, now }: Call,
  body: Parameters<typeof readCreateIntent>[0],
  keyErrors: readonly ProblemEntry[],
): Promise<Asked | Problem> => {
  const reading = readCreateIntent(body)
  const walletId = reading.kind === 'ok' ? reading.draft.wallet : reading.wallet
  const wallet = walletId === undefined ? undefined : await desk.wallets.get(who.accountId, walletId, now)
  const stands = wallet === undefined ? 'wallet_unknown' : obstacle(wallet)
  const unknown = walletId !== undefined && stands === 'wallet_unknown' ? unknownWallet(walletId) : undefined
  const errors: ProblemEntry[] = []
  if (reading.kind === 'no') errors.push(...(unknown ? withWalletError(reading, unknown) : reading.errors))
  else if (unknown) errors.push(unknown)
  errors.push(...keyErrors)
  if (errors.length > 0) return invalid(errors)
  if (stands !== undefined || reading.kind === 'no' || wallet === undefined)
    return answerTo(refuse('wallet_not_monitored'))
  const { currency } = reading.draft
  if (currency !== undefined && currency !== wallet.currency)
    return answerTo(refuse('currency_mismatch', { currency: wallet.currency }))
  return { draft: reading.draft, wallet }
}

const make = async (desk: IntentDesk, call: Call, { draft, wallet }: Asked, key: Key): Promise<Created> => {
  const { now, who } = call
  const { quota, zone } = await desk.terms(who.accountId, now)
  const created = await change(desk, call, async (db, note) => {
    const within = undoable(db)
    const create = intentCreator({
      db: within,
      shared: within,
      wallets: walletLookup(within),
      zone: desk.zone,
      window_ms: desk.window_ms,
    })
    const { externalOrderId, notes } = draft
    const request = {
      accountId: who.accountId,
      quota,
      createdBy: actorIn(call).actor,
      draft: {
        walletId: wallet.id,
        total: draft.total,
        currency: wallet.currency,
        externalOrderId,
        notes,
        items: itemsText(draft.items),
      },
      wallet,
      idempotency: key,
      write: (intent: Parameters<typeof intentText>[0], seen: Wallet) => intentText(intent, seen, zone, now),
    }
    const done = await create(request, now)
    if (!isRefusal(done) && done.kind === 'created') {
      const made = JSON.parse(done.answer)
      note({
        action: 'intent.create',
        kind: 'intent',
        id: done.intentId,
        after: {
          payment_id: made.code,
          wallet: wallet.id,
          payable_amount: made.payable_amount,
          external_order_id: externalOrderId,
          notes,
        },
      })
    }
    return done
  })
  if (isRefusal(created)) throw answerTo({ ...created, facts: { wallet: wallet.id, ...created.facts } })
  return created
}

/** Byte for byte as the key keeps it. */
const sendCreated = (reply: FastifyReply, created: Created): FastifyReply => {
  if (created.kind === 'replayed') reply.header('idempotent-replayed', 'true')
  return sendJson(reply, 201, created.answer)
}
