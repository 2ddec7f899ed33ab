/**
 * Creates a sample event of a kind for a developer. It is sent as a test to every endpoint that subscribes to the kind, and
 * stored for an hour for developers who listen to the account's events. It is not an event of the account: no log shows it, and
 * no replay sends it.
 */
import type { Instant } from '../../core/clock.ts'
import { hour_ms } from '../../core/duration.ts'
import { type EndpointId, type EventId, timeOrderedId } from '../../core/ids.ts'
import { isRefusal } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import { endpointsOf } from '../endpoints/manage-endpoints.ts'
import { sampleBody, type TestDeps, type TestSent, testSend } from '../endpoints/test-send.ts'
import type { EventKind } from '../event.ts'
import { insertSampleEvent } from './event-feed-sql.ts'

/** How long sample events are stored. */
export const sampleLife_ms = hour_ms

export type Triggered = {
  readonly id: EventId
  readonly sent: readonly { readonly endpointId: EndpointId; readonly test: TestSent }[]
}

export const triggerSample = async (
  deps: TestDeps,
  scope: Scope,
  kind: EventKind,
  now: Instant,
): Promise<Triggered> => {
  const sample = {
    accountId: scope.accountId,
    id: timeOrderedId<EventId>(now),
    kind,
    body: sampleBody(kind, now, deps.zone),
    now,
  }
  await insertSampleEvent(deps.db, sample)
  const endpoints = (await endpointsOf(deps.db, scope, now)).filter((one) => one.enabled && one.kinds.includes(kind))
  // All at once: an endpoint that does not answer must not delay the others. An account has few endpoints.
  const sent = await Promise.all(
    endpoints.map(async ({ id }) => {
      const test = await testSend(deps, scope, id, kind)
      return isRefusal(test) ? [] : [{ endpointId: id, test }]
    }),
  )
  return { id: sample.id, sent: sent.flat() }
}
