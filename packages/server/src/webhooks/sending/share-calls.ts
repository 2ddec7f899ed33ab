/**
 * Which endpoints may be called next: the free calls are shared among the endpoints with due deliveries, a few each, in turn. No
 * endpoint and no account gets more than its share, however long its queue. Pure; the caller keeps the order of turns.
 */
import type { AccountId, EndpointId } from '../../core/ids.ts'
import type { WebhookSettings } from '../settings.ts'

export type ReadyEndpoint = {
  readonly id: EndpointId
  readonly accountId: AccountId
  /** How many calls to the endpoint may be under way at once: fewer than usual while it recovers. */
  readonly callLimit: number
}

export type Share = { readonly id: EndpointId; readonly most: number; readonly underWay: number }

export const shareCalls = (
  /** In the order of their turns. */
  ready: Iterable<ReadyEndpoint>,
  free: number,
  underWay: {
    readonly byEndpoint: ReadonlyMap<EndpointId, number>
    readonly byAccount: ReadonlyMap<AccountId, number>
  },
  settings: Pick<
    WebhookSettings,
    'calls' | 'calls_per_endpoint' | 'claim_per_endpoint' | 'claim_most' | 'account_share'
  >,
): Share[] => {
  const perAccount = Math.max(1, Math.floor(settings.calls * settings.account_share))
  const sharedByAccount = new Map<AccountId, number>()
  const shares: Share[] = []
  let freeCalls = Math.min(free, settings.claim_most)
  for (const { id, accountId, callLimit } of ready) {
    if (freeCalls <= 0) break
    const endpointCalls = underWay.byEndpoint.get(id) ?? 0
    const accountCalls = (underWay.byAccount.get(accountId) ?? 0) + (sharedByAccount.get(accountId) ?? 0)
    const most = Math.min(
      freeCalls,
      settings.claim_per_endpoint,
      Math.min(callLimit, settings.calls_per_endpoint) - endpointCalls,
      perAccount - accountCalls,
    )
    if (most <= 0) continue
    shares.push({ id, most, underWay: endpointCalls })
    sharedByAccount.set(accountId, (sharedByAccount.get(accountId) ?? 0) + most)
    freeCalls -= most
  }
  return shares
}
