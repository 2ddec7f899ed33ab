/**
 * Kills the service with -9 while an owner confirms requests. A request and its act are one transaction: after the start each request
 * is either confirmed, and its order paid by one event, or it waits, and nothing has happened. What waits can be confirmed then.
 */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { bareEnvironment } from '../support/bare-environment.ts'
import { phone } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { askAt } from '../support/story.ts'
import { makeDemo, startProcess, withRows } from './crash-service.ts'

const now = (): number => performance.timeOrigin + performance.now()
const main = join(import.meta.dirname, '../../src/main.ts')

const kills = 4
const requestsEach = 8

test('kill -9 while requests are confirmed: each is done whole or not at all, and once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sanad-request-crash-'))
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const origin = `http://127.0.0.1:${port}`
  const env = {
    ...bareEnvironment,
    PORT: String(port),
    SANAD_DATA_DIR: dataDir,
    SANAD_LIMITS: 'off',
    LOG_LEVEL: 'silent',
  }
  const rows = (text: string): Promise<unknown[][]> =>
    withRows(dataDir, async (client) => (await client.query({ text, rowMode: 'array' })).rows)
  const call = (token: string) => (method: string, path: string, body?: unknown) =>
    askAt(`${origin}/api/v1/dashboard${path}`, method, { token, body, undescribed: true })
  let service = await startProcess(env)
  try {
    const shop = await makeDemo(env)
    const owner = call(shop.dashboard.user_token)
    const account = (await owner('GET', '/account/')).body.id as string
    const made = spawn(
      process.execPath,
      [main, 'user', 'create', '--account', account, '--email', 'till@sanad.example', '--role', 'cashier', '--json'],
      { env },
    )
    let printed = ''
    made.stdout.on('data', (chunk) => {
      printed += chunk
    })
    await once(made, 'close')
    const { email, password } = JSON.parse(printed)
    const signedIn = await call('')('POST', '/token/', { email, password })
    assert.ok(signedIn.status < 300, signedIn.text)
    const cashier = call(signedIn.body.access_token ?? signedIn.body.token)
    const handset = phone(origin, now, shop.device)
    let number = 0
    let cut = 0

    for (let kill = 0; kill < kills; kill++) {
      const asked: string[] = []
      for (let n = 0; n < requestsEach; n++) {
        const reference = String(920_000_000_000 + ++number)
        const alert = {
          client_id: reference,
          kind: 'sms',
          sender: 'Jawali',
          text: purchaseText(`${number}400.00`, reference),
          sim_slot: 'SIM1',
          received_at: new Date(now()).toISOString(),
        }
        assert.equal((await handset.alerts([alert])).status, 200)
        const intent = (await owner('POST', '/intents/', { amount: `${number}500.00`, wallet: shop.wallets.main })).body
          .id
        const [[id]] = (await rows(`select id from alerts where reference = '${reference}'`)) as [[string]]
        const body = { intent, alert_amount: `${number}400.00`, intent_amount: `${number}500.00` }
        const request = await cashier('POST', `/unmatched/${id}/book/ask/`, body)
        assert.ok(request.status < 300, request.text)
        asked.push(request.body.id)
      }
      const confirms = Promise.allSettled(asked.map((id) => owner('POST', `/requests/${id}/confirm/`)))
      // From before the first is locked to after the last is committed.
      await delay(kill * 25)
      const gone = once(service, 'exit')
      service.kill('SIGKILL')
      await gone
      const answers = await confirms
      cut += answers.filter(({ status }) => status === 'rejected').length
      service = await startProcess(env)
      const states = await rows(`
        select r.state, i.status, a.state, (select count(*)::int from events e where e.intent_id = r.intent_id),
               (select count(*)::int from audit_log l where l.object_id = r.id::text and l.action = 'request.confirm')
          from limit_requests r
          join intents i on i.account_id = r.account_id and i.id = r.intent_id
          join alerts a on a.account_id = r.account_id and a.id = r.alert_id`)
      for (const row of states)
        assert.ok(
          ['confirmed VERIFIED booked 1 1', 'open PENDING waiting 0 0'].includes(row.join(' ')),
          `half done: ${row.join(' ')}`,
        )
      for (const [n, answer] of answers.entries()) {
        if (answer.status !== 'fulfilled' || answer.value.status !== 200) continue
        const [[state]] = (await rows(`select state from limit_requests where id = '${asked[n]}'`)) as [[string]]
        assert.equal(state, 'confirmed', 'what was answered is stored')
      }
      for (const id of asked) {
        const again = await owner('POST', `/requests/${id}/confirm/`)
        assert.ok(again.status === 200 || again.body.errors[0].code === 'request_over', again.text)
      }
    }
    assert.ok(cut > 0, 'a kill interrupted a confirmation')
    const ended = await rows(`
      select count(*)::int, count(*) filter (where r.state = 'confirmed')::int,
             (select count(*)::int from events e where e.intent_id in (select intent_id from limit_requests)), (select count(*)::int from intents where status = 'VERIFIED')
        from limit_requests r`)
    const all = kills * requestsEach
    assert.deepEqual(ended, [[all, all, all, all]])
  } finally {
    if (service.exitCode === null && service.signalCode === null) {
      const gone = once(service, 'exit')
      service.kill('SIGTERM')
      await gone
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
})
