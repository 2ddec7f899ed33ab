/**
 * Our signatures are checked with another implementation of the same scheme, the Stripe SDK: for each attempt, both
 * secrets of a rotation, and a test send. Our SDK accepts what the Stripe SDK signs.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook } from '@sanad/sdk'
import fc from 'fast-check'
import Stripe from 'stripe'
import { signatureHeader } from '../../src/webhooks/calling/signature.ts'
import { runs } from '../support/runs.ts'
import { askAt } from '../support/story.ts'
import { senderStory } from './sender-story.ts'

const { webhooks: foreign } = Stripe
const { service, clock, demo, sql, answers, at, callsAt, pay, until, waiting } = await senderStory()
const header = 'x-service-signature'
type ReceivedCall = ReturnType<typeof callsAt>[number]

const askDashboard = async (method: string, path: string, body?: object) => {
  const answer = await askAt(`${service.origin}/api/v1/dashboard/webhooks/${path}`, method, {
    token: demo.dashboard.user_token,
    ...(body && { body }),
  })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}
/** The event as the other SDK reads it; undefined if it refuses the signature. */
const readByForeignSdk = (
  { headers, body }: Pick<ReceivedCall, 'headers' | 'body'>,
  secret: string,
): object | undefined => {
  try {
    return foreign.constructEvent(Buffer.from(body), String(headers[header]), secret, 300, undefined, clock.now())
  } catch (fault) {
    if (fault instanceof Stripe.errors.StripeSignatureVerificationError) return undefined
    throw fault
  }
}

test('another SDK accepts each attempt, a test send and both secrets of a rotation, and refuses other secrets', async () => {
  const { webhook, secret } = await askDashboard('POST', '', { url: at('/foreign') })
  answers.set('/foreign', (response, times) => void response.writeHead(times === 1 ? 500 : 200).end())
  const node = await service.startNode()
  node.service.work()
  const paid = await pay()
  await until('the first attempt is made', () => callsAt('/foreign').length === 1)
  await until(
    'it is due again',
    async () => (await sql('select 1 from deliveries where lease_id is null')).length === 1,
  )
  clock.advance(10_000)
  await until('it arrives', async () => callsAt('/foreign').length === 2 && (await waiting()) === 0)
  const [first, second] = callsAt('/foreign') as [ReceivedCall, ReceivedCall]
  assert.notEqual(first.headers[header], second.headers[header], 'each attempt has a new signature')
  for (const call of [first, second]) {
    assert.deepEqual(readByForeignSdk(call, secret), JSON.parse(call.body))
    assert.equal(JSON.parse(call.body).reference, paid.reference)
    assert.equal(readByForeignSdk(call, `${secret}x`), undefined)
    assert.equal(readByForeignSdk({ ...call, body: call.body.replace('1500.00', '9500.00') }, secret), undefined)
  }

  const rotated = await askDashboard('POST', `${webhook.id}/rotate/`, { overlap_s: 60 })
  assert.notEqual(rotated.secret, secret)
  await pay()
  await askDashboard('POST', `${webhook.id}/test/`)
  await until('both arrive', async () => callsAt('/foreign').length === 4 && (await waiting()) === 0)
  for (const call of callsAt('/foreign').slice(2))
    for (const known of [secret, rotated.secret]) assert.deepEqual(readByForeignSdk(call, known), JSON.parse(call.body))

  clock.advance(60_000)
  await pay()
  await until('it arrives', async () => callsAt('/foreign').length === 5 && (await waiting()) === 0)
  const last = callsAt('/foreign').at(-1)!
  assert.equal(readByForeignSdk(last, secret), undefined, 'the overlap is over')
  assert.deepEqual(readByForeignSdk(last, rotated.secret), JSON.parse(last.body))
  clock.advance(301_000)
  assert.equal(readByForeignSdk(last, rotated.secret), undefined, 'too old')
  await node.close()
})

test('what one SDK signs the other accepts, in both directions, with the same tolerance', async () => {
  const secrets = fc.string({ unit: 'grapheme', minLength: 1 }).filter((secret) => secret.trim() !== '')
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme' }),
      secrets,
      fc.integer({ min: 1, max: 4_000_000_000 }),
      fc.nat(600),
      async (text, secret, t, age_s) => {
        const body = JSON.stringify({ event: 'payment.verified', text })
        const now = (t + age_s) * 1000
        const theirs = foreign.generateTestHeaderString({ payload: body, secret, timestamp: t })
        const ours = signatureHeader([secret], t, body)
        for (const signed of [ours, theirs]) {
          const foreignVerify = (): object => foreign.constructEvent(body, signed, secret, 300, undefined, now)
          const ourVerify = (): Promise<object> => verifyWebhook(body, signed, secret, { toleranceS: 300, now })
          if (age_s <= 300) {
            assert.deepEqual(foreignVerify(), JSON.parse(body))
            assert.deepEqual(await ourVerify(), JSON.parse(body))
          } else {
            assert.throws(foreignVerify, /tolerance/)
            await assert.rejects(ourVerify, { code: 'too_old' })
          }
        }
      },
    ),
    { numRuns: runs(100, 30) },
  )
})
