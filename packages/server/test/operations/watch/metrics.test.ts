/** What an operator can watch: alerts by their state, silent phones, connections, the event loop, the version. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openMetrics } from '../../../src/http/metrics.ts'
import { phone } from '../../support/phone.ts'
import { purchaseText } from '../../support/sms-texts.ts'
import { openTestService } from '../../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, create, demo, figures, origin, sql, ask } = service
const value = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1) ?? Number.NaN,
  )

test('alerts are counted by their first state; a message that is reported again is counted as repeated', async () => {
  const reporter = phone(origin, clock.now, demo.device)
  const reference = '220700055501'
  const intent = (await create({ amount: '1500.00' })).body
  await ask('PATCH', `/intents/${intent.id}/`, { body: { reference } })
  const report = (text: string, id = randomUUID()) =>
    reporter.alerts([
      {
        client_id: id,
        kind: 'sms',
        sender: 'Jawali',
        text,
        sim_slot: 'SIM1',
        received_at: new Date(clock.now()).toISOString(),
      },
    ])
  const id = randomUUID()
  const text = purchaseText('1500', reference, 'علي صالح المثال')
  assert.equal((await report(text, id)).status, 200)
  assert.equal((await report(text, id)).status, 200)
  assert.equal((await report('رسالة لا يقرؤها قالب 1500 ريال')).status, 200)
  const shown = await figures()
  assert.equal(value(shown, 'sanad_alerts_total{state="matched"}'), 1)
  assert.equal(value(shown, 'sanad_alerts_total{state="repeated"}'), 1)
  assert.equal(value(shown, 'sanad_alerts_total{state="unread"}'), 1)
})

test('figures of all accounts are read at most once a minute; connections, event loop and version are there', async () => {
  const first = await figures()
  assert.equal(value(first, 'sanad_accounts'), 2)
  const phones = value(first, 'sanad_phones')
  assert.ok(phones >= 1)
  assert.ok(value(first, 'sanad_silent_phones') <= phones)
  await sql('update devices set switched_on = false')
  assert.equal(value(await figures(), 'sanad_phones'), phones)
  for (const pool of ['requests', 'shared', 'sender']) {
    const [open, most] = ['open', 'most'].map((state) =>
      value(first, `sanad_database_connections{pool="${pool}",state="${state}"}`),
    )
    assert.ok(open! <= most! && most! > 0, pool)
  }
  assert.ok(value(first, 'sanad_event_loop_delay_seconds{quantile="0.99"}') >= 0)
  assert.match(first, /^sanad_build_info\{version="\d+\.\d+\.\d+[^"]*",node="\d+\.\d+\.\d+"\} 1$/m)
})

test('a reading does not see its own queries wait for a connection', async () => {
  for (let i = 0; i < 5; i++)
    for (const pool of ['requests', 'shared', 'sender'])
      assert.equal(value(await figures(), `sanad_database_connections{pool="${pool}",state="waiting"}`), 0)
})

test('the database is up; while it does not answer, the metric is 0 and its figures are unknown', async () => {
  assert.equal(value(await figures(), 'sanad_database_up'), 1)
  await sql('alter table deliveries rename to mislaid')
  try {
    const away = await figures()
    assert.equal(value(away, 'sanad_database_up'), 0)
    assert.match(away, /^sanad_webhook_waiting Nan$/im)
  } finally {
    await sql('alter table mislaid rename to deliveries')
  }
})

test('payments that nobody takes for five minutes are unmatched, for a day', async () => {
  const other = await openTestService({ SANAD_LIMITS: 'off' })
  const reporter = phone(other.origin, other.clock.now, other.demo.device)
  const report = {
    client_id: randomUUID(),
    kind: 'sms',
    sender: 'Jawali',
    text: purchaseText('1500', '220700055599', 'علي صالح المثال'),
    sim_slot: 'SIM1',
    received_at: new Date(other.clock.now()).toISOString(),
  }
  assert.equal((await reporter.alerts([report])).status, 200)
  /** Of a node of its own, because the figures are read once a minute. */
  const unmatched = async (): Promise<number> => {
    const node = await other.startNode()
    const text = (await node.service.operatorsApp.inject('/metrics')).body
    await node.close()
    return value(text, 'sanad_unmatched_alerts')
  }
  assert.equal(await unmatched(), 0)
  other.clock.advance(6 * 60_000)
  assert.equal(await unmatched(), 1)
  other.clock.advance(25 * 3_600_000)
  assert.equal(await unmatched(), 0)
})

test('no label holds an account, a wallet or a reference', async () => {
  const shown = await figures()
  for (const secret of [demo.wallets.main, demo.device.id, service.demo.client_id, '220700055501'])
    assert.ok(!shown.includes(secret))
})

test('the first run of a background job begins both of its series, so that its first fault is an increase', async () => {
  const metrics = openMetrics()
  metrics.loopRan('expire', 'ok')
  const before = await metrics.text()
  const series = (outcome: string): string => `sanad_loop_runs_total{loop="expire",outcome="${outcome}"}`
  assert.deepEqual([value(before, series('ok')), value(before, series('fault'))], [1, 0])
  metrics.loopRan('expire', 'fault')
  const after = await metrics.text()
  assert.deepEqual([value(after, series('ok')), value(after, series('fault'))], [1, 1])
})
