/**
 * An upgrade as operators do it: nodes of the last release and of this version on one database, under load, then this version alone.
 * No request fails, every payment is verified once and reported once, and the last release refuses the database afterwards.
 */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { systemClock } from '../../src/core/clock.ts'
import { openDatabase } from '../../src/postgres/connection/database.ts'
import { openMerchantServer } from '../support/merchant-server.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { phone } from '../support/phone.ts'
import { installRelease, lastRelease } from '../support/programs/earlier-release.ts'
import { until } from '../support/pure/until.ts'
import { outputOf, presentMain, runSanad, untilReady } from '../support/servers/run-sanad.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { type Answer, askAt } from '../support/story.ts'
import { emptyDatabase } from '../support/test-databases.ts'

const folder = mkdtempSync(join(tmpdir(), 'sanad-upgrade-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const now = (): number => systemClock.now()

test('the last release and this version serve one database together, then this version alone, and nothing fails', async (t) => {
  const release = lastRelease()
  const earlierMain = installRelease(release, join(folder, 'earlier'))
  const database = await emptyDatabase()
  const settings = {
    DATABASE_URL: database.url,
    SANAD_DATA_DIR: join(folder, 'data'),
    SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  }
  const earlier = runSanad(earlierMain, ['start'], settings)
  const origins = [await untilReady(earlier)]
  const demo = JSON.parse(/^\{.*\}$/m.exec(await outputOf(runSanad(earlierMain, ['demo', '--json'], settings)))![0])

  const merchant = await openMerchantServer((_, response) => void response.writeHead(200).end())
  const endpoint = await askAt(`${origins[0]}/api/v1/dashboard/webhooks/`, 'POST', {
    token: demo.dashboard.user_token,
    body: { url: merchant.at('/hook'), kinds: ['payment.verified'] },
  })
  assert.equal(endpoint.status, 201, endpoint.text)
  const { access_token: token } = (
    await askAt(`${origins[0]}/api/v1/merchant/token`, 'POST', {
      headers: { 'SERVICE-CLIENT-ID': demo.client_id, 'SERVICE-CLIENT-SECRET': demo.client_secret },
    })
  ).body

  // A client with several addresses: after a refused connection, which sent nothing, it takes the next one.
  const failed: string[] = []
  let [turn, sent] = [0, 0]
  const call = async (right: number, ask: (origin: string) => Promise<Answer>): Promise<Answer> => {
    for (let tries = 0; ; tries++)
      try {
        sent++
        const answer = await ask(origins[turn++ % origins.length]!)
        if (answer.status !== right) failed.push(`${answer.status} ${answer.text.slice(0, 200)}`)
        return answer
      } catch (fault) {
        const { code } = ((fault as Error).cause ?? fault) as NodeJS.ErrnoException
        if (code !== 'ECONNREFUSED' || tries > 3) throw fault
      }
  }
  const paid: string[] = []
  let [last, on] = [0, true]
  const pay = async (): Promise<void> => {
    const reference = `2207${String(++last).padStart(8, '0')}`
    const created = await call(201, (origin) =>
      askAt(`${origin}/api/v1/merchant/intents/`, 'POST', {
        token,
        body: { wallet: demo.wallets.main, amount: '1500.00' },
      }),
    )
    const report = {
      client_id: `upgrade-${last}`,
      kind: 'sms',
      sender: 'Jawali',
      text: purchaseText('1500', reference),
      sim_slot: 'SIM1',
      received_at: new Date(now()).toISOString(),
    }
    const path = `/api/v1/merchant/intents/${created.body.id}/`
    // Half of the references come before the message, half after it.
    const attach = () => call(200, (origin) => askAt(origin + path, 'PATCH', { token, body: { reference } }))
    const alert = () => call(200, (origin) => phone(origin, now, demo.device).alerts([report]))
    for (const step of last % 2 === 0 ? [attach, alert] : [alert, attach]) await step()
    await until(`intent ${created.body.id} is verified`, async () => {
      const read = await call(200, (origin) => askAt(origin + path, 'GET', { token }))
      return read.body.status === 'VERIFIED'
    })
    paid.push(created.body.id)
  }
  const workers = Array.from({ length: 4 }, async () => {
    while (on) await pay()
  })
  const more = (count: number) => {
    const goal = paid.length + count
    return until(`${goal} payments, ${failed}`, () => paid.length >= goal)
  }

  await more(10)
  const before = paid.length
  const present = runSanad(presentMain, ['start'], settings)
  const presentOrigin = await untilReady(present)
  const during = paid.length - before
  origins.push(presentOrigin)
  await more(20)
  origins.shift()
  earlier.child.kill('SIGTERM')
  assert.equal(await earlier.ended, 0, earlier.output())
  await more(20)
  on = false
  await Promise.all(workers)
  t.diagnostic(
    `${release.version} to this version: ${sent} requests, ${paid.length} payments, ${during} while it started`,
  )
  assert.deepEqual(failed, [])

  const told = () => merchant.calls.map(({ body }) => JSON.parse(body).intent_id)
  await until('every payment is reported', () => new Set(told()).size >= paid.length)
  assert.deepEqual(told().sort(), [...paid].sort())
  const db = openDatabase({ url: database.url, connections: 1, application: 'test', onFault: () => {} })
  await assertMoneyInvariants((text, values = []) => db.run({ text, values }))
  // Right after a release this version may have the migrations of the release, which may then start again. One more is recorded.
  await db.run({ text: `insert into migrations (name, hash) values ('9999_later.sql', '-')`, values: [] })
  await db.close()

  const back = runSanad(earlierMain, ['start'], settings)
  assert.notEqual(await back.ended, 0)
  assert.match(back.output(), /which this version does not know: run a newer version/)
  await more(0)
  assert.equal((await askAt(`${presentOrigin}/readyz`, 'GET', {})).status, 200)
  present.child.kill('SIGTERM')
  assert.equal(await present.ended, 0, present.output())
  await database.drop()
})
