/** A test service with functions that create a checkout, use its page as a browser without scripts does, and pay. */
import { randomUUID } from 'node:crypto'
import { endDueCheckouts } from '../../src/checkouts/end-checkouts.ts'
import type { AccountId } from '../../src/core/ids.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { expireIntents } from '../../src/intents/expire-intents.ts'
import { phone } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { type Answer, type Ask, askAt, openTestService } from '../support/story.ts'

const sendForm = (url: string, fields: Record<string, string>, headers: Record<string, string>): Promise<Answer> =>
  askAt(url, 'POST', {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en', ...headers },
  })

export const openCheckouts = async (
  env: Record<string, string> = {},
  overrides: Parameters<typeof openTestService>[1] = {},
) => {
  const service = await openTestService({ SANAD_LIMITS: 'off', ...env }, overrides)
  const { clock, demo, origin, token } = service
  const shopPhone = phone(origin, clock.now, demo.device)
  const zone = zoneOf('Asia/Aden')
  const ask = (method: string, path: string, options: Ask = {}): Promise<Answer> =>
    askAt(`${origin}/api/v1/checkout${path}`, method, { token, ...options })

  return {
    ...service,
    zone,
    shopPhone,
    askCheckout: ask,
    createCheckout: (body: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Answer> =>
      ask('POST', '/sessions/', { body: { amount: '1500.00', ...body }, headers }),
    /** Creates a checkout; throws if it is refused. `page`: the path of the buyer's page. */
    async newCheckout(body: Record<string, unknown> = {}): Promise<{ readonly id: string; readonly page: string }> {
      const { status, body: created, text } = await ask('POST', '/sessions/', { body: { amount: '1500.00', ...body } })
      if (status !== 201) throw new Error(`no checkout: ${status} ${text}`)
      return { id: created.id, page: new URL(created.url).pathname }
    },
    read: async (id: string) => (await ask('GET', `/sessions/${id}/`)).body,
    /** GET, as a browser with English as its language. */
    open: (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
      askAt(`${origin}${path}`, 'GET', { headers: { 'accept-language': 'en', ...headers } }),
    /** Sends a form as the script of the page does: a refusal is answered with the page itself. */
    send: (path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> =>
      sendForm(`${origin}${path}`, fields, { 'x-requested-with': 'fetch', ...headers }),
    /** Sends a form as a browser without scripts does: it is always answered with a redirect. */
    submit: (path: string, fields: Record<string, string>): Promise<Answer> =>
      sendForm(`${origin}${path}`, fields, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }),
    /** The wallet's message reaches the shop's phone. */
    pay: (amount: string, reference: string): Promise<Answer> =>
      shopPhone.alerts([
        {
          client_id: randomUUID(),
          kind: 'sms',
          sender: 'Jawali',
          text: purchaseText(amount, reference),
          sim_slot: 'SIM1',
          received_at: Math.floor(clock.now() / 1000),
        },
      ]),
    /** Expires intents and ends checkouts once, as the background loops do. */
    async sweep(): Promise<void> {
      await expireIntents(service.db, 500, clock.now(), zone)
      await endDueCheckouts(service.db, zone, 500, clock.now(), () => {})
    },
    events: async (): Promise<{ kind: string; body: Record<string, unknown> }[]> =>
      (await service.sql("select kind, body from events where kind like 'checkout.%' order by id")).map(
        ([kind, body]) => ({ kind: String(kind), body: JSON.parse(String(body)) }),
      ),
    accountId: (
      await service.sql('select account_id from devices where id = $1', [demo.device.id])
    )[0]![0] as AccountId,
  }
}

/** The visible text of a page: all texts between tags, joined. */
export const textOf = (page: string): string =>
  page
    .replace(/<(style|script|title)>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
    .trim()
