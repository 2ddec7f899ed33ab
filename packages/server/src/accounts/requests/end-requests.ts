/** Ends requests without doing their act, each with its audit entries. The callers open the transactions. */
import type { Instant } from '../../core/clock.ts'
import type { UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { type Change, recordChange } from '../audit/audit.ts'
import type { GivenWallets } from '../people/wallet-limit.ts'
import type { LimitRequest } from './limit-request.ts'
import {
  endLimitRequest,
  lockLimitRequest,
  lockRequestsOfMember,
  type RequestEnd,
  requestOf,
} from './limit-request-sql.ts'

/** Locks a request that waits. `change`: as it was stored. */
export const lockOpenRequest = async (
  tx: Tx,
  scope: Scope,
  id: string,
  now: Instant,
): Promise<
  { readonly request: LimitRequest; readonly change: string } | Refusal<'request_unknown' | 'request_over'>
> => {
  const [row]: RowOf<typeof lockLimitRequest.columns>[] = await lockLimitRequest(tx, scope, id)
  if (row === undefined) return refuse('request_unknown')
  const request = requestOf(row, now)
  return request.state === 'open'
    ? { request, change: row.change }
    : refuse('request_over', { state: request.state, by: request.decidedName })
}

const actions: Readonly<Record<LimitRequest['state'], string>> = {
  open: 'request.ask',
  confirmed: 'request.confirm',
  refused: 'request.refuse',
  withdrawn: 'request.withdraw',
  expired: 'request.expire',
  over: 'request.over',
}

/** The entries about a request as it is now: its own, and those of its money, its order and its checkout. */
export const requestEntries = (request: LimitRequest): Change[] => {
  const { id, act, alertId, intentId, checkoutId, reason, askedName } = request
  const action = actions[request.state]
  const after = {
    act,
    limits: request.limits.join(', '),
    asked_by: askedName,
    ...(reason === '' ? {} : { reason }),
    ...(alertId === null ? {} : { alert: alertId }),
    ...(intentId === null ? {} : { intent: intentId }),
  }
  const about = { action, after: { act, request: id, asked_by: askedName } }
  return [
    { action, kind: 'request', id, after },
    ...(alertId === null ? [] : [{ ...about, kind: 'alert' as const, id: alertId }]),
    ...(intentId === null ? [] : [{ ...about, kind: 'intent' as const, id: intentId }]),
    ...(checkoutId === null ? [] : [{ ...about, kind: 'checkout' as const, id: checkoutId }]),
  ]
}

/** The caller has locked it. */
export const endLocked = async (
  tx: Tx,
  request: LimitRequest,
  end: RequestEnd,
  now: Instant,
): Promise<LimitRequest> => {
  const [row] = await endLimitRequest(tx, wholeAccount(request.accountId), request.id, end, now)
  if (row === undefined) throw new Error('a request changed while its row was locked')
  return requestOf(row, now)
}

/**
 * The service ends a request: nobody decided in time, or it is no longer possible. Undefined: somebody was first.
 */
export const endByService = async (
  tx: Session,
  { accountId, id }: Pick<LimitRequest, 'accountId' | 'id'>,
  state: 'expired' | 'over',
  reason: string,
  now: Instant,
): Promise<LimitRequest | undefined> => {
  const end = { state, userId: null, by: '', reason, resultId: null }
  const [row] = await endLimitRequest(tx, wholeAccount(accountId), id, end, now)
  if (row === undefined) return undefined
  const request = requestOf(row, now)
  const actor = { accountId, userId: null, actor: 'service', via: 'command', address: '', agent: '' } as const
  for (const change of requestEntries(request)) await recordChange(tx, actor, change, now)
  return request
}

/** Whether who asked still sees what a request is about. One without a wallet is about a checkout for every wallet. */
export const askerSees = ({ walletId }: Pick<LimitRequest, 'walletId'>, wallets: GivenWallets): boolean =>
  wallets === null || (walletId !== null && wallets.includes(walletId))

/**
 * Ends what waits of a member who may no longer ask for it, in the transaction that takes the right away. `sees`: the wallets that they
 * still have; 'nothing': they are no member any more, or may not ask. The caller has locked the account, as confirming does: either it
 * was confirmed before, or it can no longer be.
 */
export const endRequestsOfMember = async (
  tx: Session,
  scope: Scope,
  userId: UserId,
  sees: GivenWallets | 'nothing',
  now: Instant,
): Promise<number> => {
  const waiting = await lockRequestsOfMember(tx, scope, userId)
  const lost = waiting.filter(({ wallet_id: walletId }) => sees === 'nothing' || !askerSees({ walletId }, sees))
  for (const { id } of lost) await endByService(tx, { accountId: scope.accountId, id }, 'over', 'asker', now)
  return lost.length
}
