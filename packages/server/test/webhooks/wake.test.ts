/** The webhook of a payment that one node verified is sent by another at once, because of a NOTIFY. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { openNotifier } from '../../src/postgres/notify/notifier.ts'
import { nodeWaker } from '../../src/postgres/notify/wake-nodes.ts'
import { phone } from '../support/phone.ts'
import { until } from '../support/pure/until.ts'
import { listenHere } from '../support/servers/listen-here.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { askAt, openTestService } from '../support/story.ts'

// Ten minutes between two polls: what arrives was sent because of a notification.
const service = await openTestService({
  SANAD_LIMITS: 'off',
  SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  SANAD_WEBHOOKS: '{"poll_ms": 600000}',
})
const { clock, demo, sql } = service
const worker = await service.startNode()
worker.service.work()

const received: string[] = []
const receiver = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    received.push(String(request.headers['x-service-event-id']))
    response.end()
  })
})
const hook = await listenHere(receiver)
const listeners = async (): Promise<number> =>
  Number(
    (
      await sql(`select count(*) from pg_stat_activity where application_name = 'sanad notify'
                        and datname = current_database() and state = 'idle' and query <> ''`)
    )[0]![0],
  )

let count = 0
const newReference = (): string => String(770_000_000_000 + ++count)
const attach = async (reference: string): Promise<void> => {
  const intent = (await service.create()).body
  await service.ask('PATCH', `/intents/${intent.id}/`, { body: { reference } })
}
const report = async (amount: string, reference: string): Promise<void> => {
  const text = purchaseText(amount, reference)
  const received_at = new Date(clock.now()).toISOString()
  const alert = { client_id: reference, kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1', received_at }
  await phone(service.origin, clock.now, demo.device).alerts([alert])
}
const pay = async (): Promise<void> => {
  const reference = newReference()
  await attach(reference)
  await report('1500.00', reference)
}

test('the webhook of a payment on a serving node is sent by the working node before its next poll', async () => {
  await until('both listen', async () => (await listeners()) === 2)
  const created = await askAt(`${service.origin}/api/v1/dashboard/webhooks/`, 'POST', {
    token: demo.dashboard.user_token,
    body: { url: `${hook}/` },
  })
  assert.equal(created.status, 201, created.text)
  await pay()
  await until('it arrives', () => received.length === 1)
})

test('a broken LISTEN connection is opened again, and what was committed meanwhile is sent', async () => {
  await sql(`select pg_terminate_backend(pid) from pg_stat_activity
              where application_name = 'sanad notify' and datname = current_database()`)
  await pay()
  await until('it arrives', () => received.length === 2)
  await until('both listen again', async () => (await listeners()) === 2)
  await pay()
  await until('the next arrives', () => received.length === 3)
})

test('so is the webhook of a wrong amount, whichever of alert and reference came first', async () => {
  const receivedBefore = received.length
  await sql(`update webhook_endpoints set kinds = '{payment.wrong_amount}'`)
  const first = newReference()
  await attach(first)
  await report('1400.00', first)
  await until('it arrives', () => received.length === receivedBefore + 1)
  const second = newReference()
  await report('1400.00', second)
  await attach(second)
  await until('it arrives', () => received.length === receivedBefore + 2)
})

test('a thousand notifications at once are combined, and a node does not notify itself', async () => {
  const open = async (onWoken: () => void) => {
    const notifier = await openNotifier({ url: service.databaseUrl, onFault: () => {} })
    const waker = await nodeWaker({ notifier: notifier, channel: 'sanad_test', atMostEvery_ms: 50, onWoken })
    const close = (): Promise<void> => {
      waker.close()
      return notifier.close()
    }
    return { ...waker, close }
  }
  let [own, others] = [0, 0]
  const sender = await open(() => {
    own++
  })
  const listener = await open(() => {
    others++
  })
  for (let n = 0; n < 1000; n++) sender.wake()
  await until('the last is heard', () => others === 2)
  // Closing sends what is still pending.
  sender.wake()
  sender.wake()
  await sender.close()
  await until('the pending notification is heard', () => others >= 3)
  await listener.close()
  assert.equal(own, 0)
  assert.ok(others <= 4)
})
