/**
 * A merchant and a phone that call a running service, for traffic during crashes: each call is tried again by its caller until it
 * is answered, and all calls are recorded. A refusal (4xx) throws.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Demo } from '../../src/commands/shop/demo.ts'
import { phone } from './phone.ts'
import { type Answer, askAt } from './story.ts'

/** One call: when it was sent and answered, and whether with 2xx. Milliseconds of `performance.now()`. */
export type Sample = {
  readonly sentAt: number
  readonly endedAt: number
  readonly ok: boolean
  readonly status: number
}

export const trafficClient = async (origin: string, shop: Demo) => {
  const base = `${origin}/api/v1/merchant`
  const token = (
    await askAt(`${base}/token`, 'POST', {
      headers: { 'SERVICE-CLIENT-ID': shop.client_id, 'SERVICE-CLIENT-SECRET': shop.client_secret },
    })
  ).body.access_token
  // The real time: the service runs as a process, whose clock a test cannot move.
  const now = (): number => performance.timeOrigin + performance.now()
  const samples: Sample[] = []
  return {
    samples,
    now,
    phone: phone(origin, now, shop.device),
    /** True when the call was answered with 2xx; any other result promises nothing. */
    async succeeds(call: () => Promise<{ status: number }>): Promise<boolean> {
      const sentAt = performance.now()
      const { status } = await call().catch(() => ({ status: 0 }))
      const ok = status >= 200 && status < 300
      samples.push({ sentAt, endedAt: performance.now(), ok, status })
      if (!ok && status !== 0 && status < 500) throw new Error(`refused with ${status}`)
      if (!ok) await delay(20)
      return ok
    },
    createIntent: ({ key, amount }: { readonly key: string; readonly amount: string }): Promise<Answer> =>
      askAt(`${base}/intents/`, 'POST', {
        token,
        body: { wallet: shop.wallets.main, amount },
        headers: { 'SERVICE-IDEMPOTENCY-KEY': key },
      }),
    attachReference: (id: string, reference: string): Promise<Answer> =>
      askAt(`${base}/intents/${id}/`, 'PATCH', { token, body: { reference } }),
    /** The report of an SMS, as in the body of a request. */
    smsReport: (clientId: string, text: string) => ({
      client_id: clientId,
      kind: 'sms',
      sender: 'Jawali',
      text,
      sim_slot: 'SIM1',
      received_at: new Date(now()).toISOString(),
    }),
  }
}
