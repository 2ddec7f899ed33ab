/**
 * `POST /heartbeat/{token}`: the heartbeat of a forwarding app that sends it to an address of its own, empty and unsigned (Incoming SMS to
 * URL Forwarder, from 2.4.0 on; every 1 to 60 minutes). It is a sign of life and proves nothing else: it is no message, signs
 * nothing, connects no phone and ends no other access. Its body is ignored. At most one in ten seconds is stored.
 */
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../../core/clock.ts'
import type { Heartbeats } from '../../../wallets/phones/heartbeat.ts'
import { isHeartbeatToken, phoneOfHeartbeat } from '../../../wallets/phones/heartbeat-address.ts'
import type { PhoneLookup } from '../../../wallets/phones/phone-lookup.ts'
import { sendJson, throttled } from '../../answers.ts'
import { smsToUrl } from '../adapters/sms-to-url.ts'
import { addPost, countedRefusal, type PhoneRouteDeps, take, wrongSignature } from '../phone-route.ts'

export type HeartbeatDeps = PhoneRouteDeps & { readonly knownPhones: PhoneLookup; readonly pulse: Heartbeats }

const storedEvery_ms = 10_000

export const heartbeatApi = (deps: HeartbeatDeps) => async (app: FastifyInstance) => {
  const stored = new LRUCache<string, Instant>({ max: 20_000 })
  addPost(app, {
    url: '/heartbeat/:token',
    handle: async (request, reply) => {
      const now = deps.clock.now()
      const { token } = request.params as { token: string }
      const id = phoneOfHeartbeat(token)
      const phone = id && (await deps.knownPhones.byId(id, now))
      const isRight =
        phone?.ingestTokenHash != null &&
        phone.ingestAdapter === smsToUrl.name &&
        isHeartbeatToken(token, phone.ingestTokenHash)
      if (phone === undefined || !isRight) throw await countedRefusal(deps, request, wrongSignature(), now)
      // Counted apart from the phone's messages: heartbeats must not use up their limit.
      const verdict = await take(deps, 'device', `heartbeat ${phone.id}`, now)
      if (!verdict.allowed) throw throttled(verdict.retryAfterS)
      const last = stored.get(phone.id)
      // After a clock was set back, the time must still be written.
      if (last === undefined || now < last || now - last >= storedEvery_ms) {
        stored.set(phone.id, now)
        await deps.pulse.beat(phone, {}, 'ping', now)
        await deps.pulse.seen(phone, false, now)
      }
      return sendJson(reply, 200, JSON.stringify({ ok: true }))
    },
  })
}
