/**
 * Payments on the testing wallet with a test key: the call of the developer API, and `sanad phone` and `sanad doctor` as a
 * merchant's developer runs them, without a database. Nothing here can pay a real wallet.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook, WebhookError } from '@sanad/sdk'
import { runCommand } from '@sanad/sdk/commands'
import { openMerchantServer } from '../support/merchant-server.ts'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({
  SANAD_LIMITS: '{"test_payment": {"burst": 14}}',
  SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
})
const { demo, origin, clock } = service
const { owner } = await createMembers(service)

const newKey = async (limits: object) => {
  const { status, body, text } = await owner.ask('POST', '/keys/', { body: { name: 'Shop', ...limits } })
  assert.equal(status, 201, text)
  const [id, secret] = [body.key.client_id as string, body.client_secret as string]
  return { id, secret, token: await service.tokenFor(id, secret) }
}
const testKey = await newKey({ test: true })
const payments = (body: unknown, token: string = testKey.token): Promise<Answer> =>
  askAt(`${origin}/api/v1/developer/test-payments/`, 'POST', { token, body })
const merchant = (method: string, path: string, body?: unknown): Promise<Answer> =>
  askAt(`${service.base}${path}`, method, { token: testKey.token, body })
const [{ id: testWallet }] = (await merchant('GET', '/wallets/?include_test=1')).body

const intentFor = async (reference: string, amount = '1500.00'): Promise<string> => {
  const { body } = await merchant('POST', '/intents/', { wallet: testWallet, amount })
  assert.equal((await merchant('PATCH', `/intents/${body.id}/`, { reference })).status, 200)
  return body.id
}
const statusOf = async (id: string): Promise<string> => (await merchant('GET', `/intents/${id}/`)).body.status

const command = async (args: readonly string[], env: Record<string, string> = {}) => {
  const lines: string[] = []
  const errors: string[] = []
  const { write } = process.stderr
  process.stderr.write = (text: string | Uint8Array) => errors.push(String(text)) > 0
  const key = { SANAD_URL: origin, SANAD_CLIENT_ID: testKey.id, SANAD_CLIENT_SECRET: testKey.secret }
  const code = await runCommand(args, { env: { ...key, ...env }, say: (line) => lines.push(line) }).finally(() => {
    process.stderr.write = write
  })
  return { code, out: lines.join('\n'), error: errors.join('') }
}

test('a test key pays on the testing wallet, before and after the reference is attached, once', async () => {
  const intent = await intentFor('TEST-0001')
  const paid = await payments({ amount: '1500.00', reference: 'TEST-0001' })
  assert.deepEqual([paid.status, paid.body.state, paid.body.intent], [201, 'matched', intent], paid.text)
  assert.match(paid.body.text, /1,500\.00.*TEST-0001/)
  assert.equal(await statusOf(intent), 'VERIFIED')

  const again = await payments({ amount: '1500.00', reference: 'TEST-0001' })
  assert.deepEqual([again.status, again.body.state, again.body.intent], [201, 'duplicate', null])

  assert.deepEqual((await payments({ amount: 20, reference: 'TEST-0002' })).body.state, 'waiting')
  assert.equal(await statusOf(await intentFor('TEST-0002', '20.00')), 'VERIFIED')

  const wrong = await intentFor('TEST-0003')
  await payments({ amount: '1400.00', reference: 'TEST-0003' })
  assert.equal(await statusOf(wrong), 'WRONG_AMOUNT')
})

test('no other key pays, and no other wallet can be named', async () => {
  const live = await payments({ amount: '1.00', reference: 'TEST-0100' }, service.token)
  assert.deepEqual([live.status, errorsOf(live)], [403, ['permission_denied@null']], live.text)
  assert.match(live.body.errors[0].detail, /needs a test key/)
  for (const limits of [{ wallets: [demo.wallets.main] }, { test: true, read_only: true }])
    assert.equal((await payments({ amount: '1.00', reference: 'TEST-0100' }, (await newKey(limits)).token)).status, 403)

  const named = await payments({ wallet: demo.wallets.main, amount: '1.00', reference: 'TEST-0101' })
  assert.deepEqual([named.status, named.headers['x-service-ignored']], [201, 'wallet'])
  const [alert] = await service.sql(
    'select w.is_test from alerts a join wallets w on w.id = a.wallet_id where a.id = $1',
    [named.body.alert],
  )
  assert.deepEqual(alert, ['t'])

  // The testing wallet of another account does not get it.
  const seen = await service.sql('select count(*) from alerts where reference = $1', ['TEST-0101'])
  assert.deepEqual(seen, [['1']])
})

test('a wrong body is refused with all errors at once, and changes nothing', async () => {
  const before = await service.sql('select count(*) from alerts')
  const answer = await payments({})
  assert.deepEqual([answer.status, errorsOf(answer)], [400, ['required@amount', 'required@reference']])
  assert.deepEqual(errorsOf(await payments({ amount: '0', reference: 'TEST' })), [
    'min_value@amount',
    'invalid@reference',
  ])
  assert.deepEqual(await service.sql('select count(*) from alerts'), before)
})

test('sanad phone: pays, says what became of it, and refuses wrong options with one sentence', async () => {
  const intent = await intentFor('TEST-0200')
  const paid = await command(['phone', '--amount', '1,500', '--reference', 'TEST-0200'])
  assert.equal(paid.code, 0, paid.error)
  assert.match(paid.out, new RegExp(`The message: .*TEST-0200[^]*It verified the intent ${intent}\\.`))

  // As the quick start prints it, for the folder of an installation.
  const printed = await command(['phone', '--wallet', testWallet, '--amount', '1500.00', '--reference', 'TEST-0201'])
  assert.deepEqual([printed.code, printed.error], [0, ''])

  const unknown = await command(['phone', '--amount', '7.50', '--json'])
  assert.match(JSON.parse(unknown.out).reference, /^TEST-\d{10}$/)
  const free = await command(['phone', '--amount', '7.50'])
  assert.match(free.out, /No intent has this reference yet\. Attach it: PATCH \/intents\/\{id\}\/ with "TEST-\d{10}"\./)

  for (const [args, sentence] of [
    [[], /Say how much arrives with --amount/],
    [['--amount', '0'], /amount above 0/],
    [['--amount', '1.005'], /two decimals/],
    [['--amount', '1', '--reference', 'abcd'], /one digit at least/],
    [['--amount', '1', '--wallet', demo.wallets.main], /is not the testing wallet of this key: nothing was paid/],
  ] as const) {
    const refused = await command(['phone', ...args])
    assert.equal(refused.code, 1)
    assert.match(refused.error, sentence)
  }
  const live = { SANAD_CLIENT_ID: demo.client_id, SANAD_CLIENT_SECRET: demo.client_secret }
  const refused = await command(['phone', '--amount', '1'], live)
  assert.equal(refused.code, 1)
  assert.match(
    refused.error,
    /\(403\): A test payment needs a test key: create one in the dashboard under API keys\.\n$/,
  )
})

test('test payments of an account are limited: a 429 says when to come again', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 15; i++)
    statuses.push((await payments({ amount: '1.00', reference: `TEST-03${String(i).padStart(2, '0')}` })).status)
  assert.equal(statuses.at(-1), 429)
  clock.advance(61_000)
  assert.equal((await payments({ amount: '1.00', reference: 'TEST-0399' })).status, 201)
})

const secret = 'whsec_made-up-secret-of-a-test'
const receiver = await openMerchantServer(async ({ path, headers, body }, response) => {
  const answer = async (): Promise<number> => {
    if (path === '/careless') return 200
    try {
      await verifyWebhook(body, String(headers['x-service-signature']), [secret])
      return 204
    } catch (fault) {
      if (fault instanceof WebhookError) return 400
      throw fault
    }
  }
  response.writeHead(await answer())
  response.end()
})

test('sanad doctor: key, wallets and a right receiver are fine; it says what it did not try', async () => {
  const healthy = await command(['doctor', '--webhook', receiver.at('/right'), '--secret', secret])
  assert.equal(healthy.code, 0, healthy.out)
  assert.match(healthy.out, /^ok +API key: The service accepts it\.$/m)
  assert.match(healthy.out, /^ok +wallets: Only the testing wallet can be paid into/m)
  assert.match(healthy.out, /^ok +receiver: It refuses a wrong signature \(400\)\.$/m)
  assert.match(healthy.out, /^not tried +endpoints: With --send/m)
  assert.equal(receiver.callsAt('/right').length, 5)
  assert.ok(receiver.callsAt('/right').every(({ headers }) => headers['x-service-test'] === 'true'))
})

test('sanad doctor: a receiver that checks no signature is wrong, and so is a key that the service does not accept', async () => {
  const careless = await command(['doctor', '--webhook', receiver.at('/careless'), '--secret', secret, '--json'])
  assert.equal(careless.code, 1)
  const { ok, findings } = JSON.parse(careless.out) as { ok: boolean; findings: { level: string; says: string }[] }
  assert.equal(ok, false)
  assert.deepEqual(
    findings.filter(({ level }) => level === 'wrong').map(({ says }) => says),
    ['It does not refuse a wrong signature: 200.', 'It does not refuse a changed body: 200.'],
  )

  const closed = await command(['doctor', '--webhook', 'http://127.0.0.1:1/hooks', '--secret', secret])
  assert.match(closed.out, /WRONG +receiver: It does not accept a signed event: nothing listens there\./)

  const wrongKey = await command(['doctor'], { SANAD_CLIENT_SECRET: 'wrong' })
  assert.equal(wrongKey.code, 1)
  assert.match(wrongKey.out, /WRONG +API key: .*does not accept this client id and secret/)
  const noService = await command(['doctor'], { SANAD_URL: 'http://127.0.0.1:1' })
  assert.match(noService.out, /WRONG +clock: The service cannot be reached/)
})

test('sanad doctor --send: the service tries each endpoint, and without one the doctor says so', async () => {
  const live = { SANAD_CLIENT_ID: demo.client_id, SANAD_CLIENT_SECRET: demo.client_secret }
  const none = await command(['doctor', '--send'], live)
  assert.match(none.out, /WRONG +endpoints: No endpoint subscribes to payment\.verified\./)
  const made = await owner.ask('POST', '/webhooks/', {
    body: { url: receiver.at('/careless'), events: ['payment.verified'] },
  })
  assert.equal(made.status, 201, made.text)
  const reached = await command(['doctor', '--send'], live)
  assert.equal(reached.code, 0, reached.out)
  assert.match(reached.out, /^ok +endpoint: http:\/\/127\.0\.0\.1:\d+\/careless accepted a made-up event \(200\)\.$/m)
})
