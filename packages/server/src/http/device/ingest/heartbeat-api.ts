/**
 * `POST /heartbeat/{token}`: the heartbeat of a forwarding app that sends it to an address of its own, empty and unsigned (Incoming SMS to
 * URL Forwarder, from 2.4.0 on; every 1 to 60 minutes). It is a sign of life and proves nothing else: it is no message, signs
 * nothing, connects no phone and ends no other access. Its body is ignored. At most one in ten seconds is stored.
 */
import { appHeartbeat } from '@sanad/contract/device/operations'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../../core/clock.ts'
import type { Zone } from '../../../core/zone.ts'
import type { Heartbeats } from '../../../wallets/phones/heartbeat.ts'
import { isHeartbeatToken, phoneOfHeartbeat } from '../../../wallets/phones/heartbeat-address.ts'
import type { KnownPhone, PhoneLookup } from '../../../wallets/phones/phone-lookup.ts'
import { throttled } from '../../answers.ts'
import { requireNotMoved } from '../../moved-account.ts'
import { type Api, addRoutes } from '../../routes/add-routes.ts'
import type { OpenCall } from '../../routes/route.ts'
import { smsToUrl } from '../adapters/sms-to-url.ts'
import { countedRefusal, type PhoneRouteDeps, take, wrongSignature } from '../phone-route.ts'

export type HeartbeatDeps = PhoneRouteDeps & {
  readonly zone: Zone
  readonly knownPhones: PhoneLookup
  readonly pulse: Heartbeats
}

type HeartbeatCall = OpenCall & { readonly phone: KnownPhone }

const storedEvery_ms = 10_000

export const heartbeatApi = (deps: HeartbeatDeps) => async (app: FastifyInstance) => {
  const stored = new LRUCache<string, Instant>({ max: 20_000 })
  const run = async ({ phone, now }: HeartbeatCall): Promise<{ ok: true }> => {
    const last = stored.get(phone.id)
    // After a clock was set back, the time must still be written.
    if (last === undefined || now < last || now - last >= storedEvery_ms) {
      stored.set(phone.id, now)
      await deps.pulse.beat(phone, {}, 'ping', now)
      await deps.pulse.seen(phone, false, now)
    }
    return { ok: true }
  }
  addRoutes(app, steps(deps), [{ operation: appHeartbeat, run }])
}

const steps = (deps: HeartbeatDeps): Api<HeartbeatCall> => ({
  clock: deps.clock,
  configOf: () => ({}),
  authenticate: async (request, _, now) => ({
    phone: await phoneOf(deps, request, now),
    now,
    zone: () => deps.zone,
  }),
  // Counted apart from the phone's messages: heartbeats must not use up their limit.
  async count({ phone }, _request, _operation, now) {
    const verdict = await take(deps, 'device', `heartbeat ${phone.id}`, now)
    if (!verdict.allowed) throw throttled(verdict.retryAfterS)
  },
  permit: (caller) => caller,
})

const phoneOf = async (deps: HeartbeatDeps, request: FastifyRequest, now: Instant): Promise<KnownPhone> => {
  const { token } = request.params as { token: string }
  const id = phoneOfHeartbeat(token)
  const phone = id && (await deps.knownPhones.byId(id, now))
  if (phone !== undefined) requireNotMoved(request.server, phone.accountId)
  const isRight =
    phone?.ingestTokenHash != null &&
    phone.ingestAdapter === smsToUrl.name &&
    isHeartbeatToken(token, phone.ingestTokenHash)
  if (phone === undefined || !isRight) throw await countedRefusal(deps, request, wrongSignature(), now)
  return phone
}
