/**
 * Kills the service with -9 between the touch that takes money as a sale and the end of the ten seconds. After the start each sale is
 * finished once: one paid intent that is handed over, one event that arrives. A sale that was undone before the kill stays undone.
 */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { bareEnvironment } from '../support/bare-environment.ts'
import { openMerchantServer } from '../support/merchant-server.ts'
import { phone } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { askAt } from '../support/story.ts'
import { makeDemo, postgresPid, startProcess, subscribe, untilDrained, withRows } from './crash-service.ts'

const now = (): number => performance.timeOrigin + performance.now()

for (const killed of ['the service', 'PostgreSQL'] as const)
  test(`kill -9 of ${killed} within the ten seconds of a sale: it is finished once, and an undone one is not`, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sanad-sale-crash-'))
    const port = 20_000 + Math.floor(Math.random() * 20_000)
    const origin = `http://127.0.0.1:${port}`
    const env = {
      ...bareEnvironment,
      PORT: String(port),
      SANAD_DATA_DIR: dataDir,
      SANAD_LIMITS: 'off',
      SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      // A delivery whose node was killed is soon claimed again.
      SANAD_WEBHOOKS: JSON.stringify({ total_ms: 1_000, first_byte_ms: 900, lease_ms: 11_000, reap_ms: 500 }),
      LOG_LEVEL: 'silent',
    }
    const { calls, at } = await openMerchantServer((_call, response) => response.end())
    let service = await startProcess(env)
    try {
      const shop = await makeDemo(env)
      await subscribe(dataDir, shop, at('/sales'), ['payment.verified'])
      const handset = phone(origin, now, shop.device)
      const alerts = ['910000000001', '910000000002'].map((reference, n) => ({
        client_id: `alert-${n}`,
        kind: 'sms',
        sender: 'Jawali',
        text: purchaseText(`${n + 1}500.00`, reference),
        sim_slot: 'SIM1',
        received_at: new Date(now()).toISOString(),
      }))
      assert.equal((await handset.alerts(alerts)).status, 200)
      const owner = (method: string, path: string, body?: unknown) =>
        askAt(`${origin}/api/v1/dashboard${path}`, method, {
          token: shop.dashboard.user_token,
          body,
          undescribed: true,
        })
      const waiting = (await owner('GET', '/unmatched/?page_size=50')).body.results as { id: string; amount: string }[]
      assert.equal(waiting.length, 2)
      for (const { id, amount } of waiting) {
        const taken = await owner('POST', `/unmatched/${id}/take-sale/`, { amount, looked: true })
        assert.equal(taken.status, 200, taken.text)
      }
      const undone = waiting.find(({ amount }) => amount === '2500.00')!
      assert.equal((await owner('POST', `/unmatched/${undone.id}/undo-sale/`)).status, 200)

      const gone = once(service, 'exit')
      if (killed === 'PostgreSQL') process.kill(postgresPid(dataDir), 'SIGKILL')
      else service.kill('SIGKILL')
      await gone
      const rows = (text: string) =>
        withRows(dataDir, async (client) => (await client.query({ text, rowMode: 'array' })).rows)
      assert.deepEqual(await rows(`select count(*)::int from intents where status = 'VERIFIED'`), [[0]])
      assert.equal(calls.length, 0, 'nothing is sent while a sale can be undone')

      service = await startProcess(env)
      const intents = () =>
        rows(`select i.base::int, i.status, h.intent_id is not null from intents i
                left join handovers h on h.account_id = i.account_id and h.intent_id = i.id order by i.base`)
      for (let tries = 0; tries < 60 && (await intents()).length === 0; tries++) await delay(500)
      await untilDrained(dataDir)
      // Longer than the loop that finishes sales: a second intent would be there by now.
      await delay(3_000)
      assert.deepEqual(await intents(), [[150_000, 'VERIFIED', true]])
      assert.deepEqual(await rows(`select kind from events where kind = 'payment.verified'`), [['payment.verified']])
      const ids = new Set(calls.map(({ headers }) => headers['x-service-event-id']))
      assert.equal(ids.size, 1, 'one event, however often it was sent')
      assert.deepEqual(await rows(`select amount::int, state from alerts where amount is not null order by amount`), [
        [150_000, 'booked'],
        [250_000, 'waiting'],
      ])
    } finally {
      if (service.exitCode === null && service.signalCode === null) {
        const gone = once(service, 'exit')
        service.kill('SIGTERM')
        await gone
      }
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
