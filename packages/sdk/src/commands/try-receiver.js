/**
 * Tries a program that receives webhooks, from this machine: a signed event must be accepted, a second time too, and one with a
 * wrong signature, an old time or a changed body must be refused. The event is made up and marked as a test.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { forward } from '../forward.js'
import { usualCurrency } from '../testing/described.js'
import { signedDelivery } from './sign-delivery.js'

/** @import { Finding } from './doctor-command.js' */

const part = 'receiver'
/** Older than the five minutes that a receiver tolerates. */
const old_ms = 3_600_000

const madeUpEvent = () =>
  JSON.stringify({
    event: 'payment.verified',
    payment_id: 'D0CT0RTEST',
    intent_id: randomUUID(),
    order_id: 'doctor-made-up',
    reference: 'TEST-0001',
    base_amount: '1.00',
    amount: '1.00',
    currency: usualCurrency,
    status: 'VERIFIED',
    verified_at: new Date().toISOString().replace('Z', '000+00:00'),
    manual_override: false,
  })

/** @param {string} url @param {string} secret @returns {Promise<Finding[]>} */
export const tryReceiver = async (url, secret) => {
  const body = madeUpEvent()
  const event = { agent: 'Sanad/doctor', eventId: randomUUID(), test: true, secrets: [secret], body }
  /** @param {Partial<typeof event> & { now?: number, sent?: string }} change */
  const post = async ({ sent, ...change }) => {
    const delivery = await signedDelivery({ now: Date.now(), deliveryId: randomUUID(), ...event, ...change })
    const answer = await forward(url, sent === undefined ? delivery : { ...delivery, body: Buffer.from(sent) })
    return answer.kind === 'failed' ? answer.error : answer.status
  }
  /** @param {string} what @param {string | number} answer @returns {Finding} */
  const mustAccept = (what, answer) =>
    typeof answer === 'number' && answer >= 200 && answer < 300
      ? { part, level: 'ok', says: `It accepts ${what} (${answer}).` }
      : {
          part,
          level: 'wrong',
          says: `It does not accept ${what}: ${answer}.`,
          cure: 'Check the address, the secret, and that the signature is checked over the body as it arrived.',
        }
  /** @param {string} what @param {string | number} answer @param {'wrong' | 'warning'} [level] @returns {Finding} */
  const mustRefuse = (what, answer, level = 'wrong') =>
    typeof answer === 'number' && answer >= 400 && answer < 500
      ? { part, level: 'ok', says: `It refuses ${what} (${answer}).` }
      : {
          part,
          level,
          says: `It does not refuse ${what}: ${answer}.`,
          cure:
            level === 'wrong'
              ? 'Anybody could tell your shop that an order is paid. Check with the SDK: webhooks.verify().'
              : 'Who has recorded a delivery could send it again: refuse what is older than five minutes, and drop repeats by their id.',
        }

  const first = await post({})
  if (typeof first === 'string') return [mustAccept('a signed event', first)]
  return [
    mustAccept('a signed event', first),
    mustAccept('the same event again', await post({})),
    mustRefuse('a wrong signature', await post({ secrets: [`whsec_${randomBytes(32).toString('base64url')}`] })),
    mustRefuse('a changed body', await post({ sent: body.replace('"1.00"', '"9.00"') })),
    mustRefuse('an event of an hour ago', await post({ now: Date.now() - old_ms }), 'warning'),
  ]
}
