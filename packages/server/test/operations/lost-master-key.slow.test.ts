/** A master key that is lost for ever: the service continues with a new key, and exactly what the old key sealed is lost. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../src/core/clock.ts'
import { phone } from '../support/phone.ts'
import { outputOf, untilReady } from '../support/servers/run-sanad.ts'
import { askAt } from '../support/story.ts'
import { freshDatabase } from '../support/test-databases.ts'
import {
  assertRefused,
  enableSecondFactor,
  keyText,
  newDataDir,
  newKey,
  onDatabase,
  sanad,
  signIn,
} from './master-key-commands.ts'

const now = (): number => systemClock.now()

/** All rows of all tables as text, without the tables, rows and columns that a reset changes. */
const unaffectedRows = (url: string) =>
  onDatabase(url, async (client) => {
    const { rows: tables } = await client.query(
      `select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE'
          and table_name not in ('master_keys', 'audit_log', 'owner_notices', 'push_keys', 'push_devices', 'push_pending') order by 1`,
    )
    const cleared: Record<string, string> = {
      devices: `- '{secret_sealed,previous_secret_sealed,signing_key_sealed,secret_used,ingest_token_hash,pairing_hash,pairing_until,pairing_tries,pairing_by}'::text[]`,
      webhook_endpoints: `- '{secret_sealed,previous_secret_sealed,previous_until,headers}'::text[]`,
      users: `- '{totp_sealed,totp_since,recovery}'::text[]`,
      alerts: `- 'sealed_text'`,
    }
    const found: Record<string, string[]> = {}
    for (const { name } of tables) {
      const where = name === 'alerts' ? `where t.hidden <> 'stranger'` : ''
      const { rows } = await client.query(
        `select (to_jsonb(t) ${cleared[name] ?? ''})::text as row from public."${name}" t ${where} order by 1`,
      )
      found[name] = rows.map(({ row }) => row)
    }
    return found
  })

const rowsOf = (url: string, text: string) => onDatabase(url, async (client) => (await client.query(text)).rows)

test('the reset of a lost master key is refused while a node runs, lists first what is lost, and makes a new key', async () => {
  const database = await freshDatabase()
  const dataDir = newDataDir()
  const env = { DATABASE_URL: database.url, SANAD_DATA_DIR: dataDir, SANAD_ROLE: 'serve' }
  const node = sanad(['start'], { ...env, SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
  const origin = await untilReady(node)
  const demo = JSON.parse(/^\{.*\}$/m.exec(await outputOf(sanad(['demo', '--json'], env)))![0])
  const token = demo.dashboard.user_token
  const ask = (method: string, path: string, body?: unknown) =>
    askAt(`${origin}/api/v1/dashboard${path}`, method, { token, body })
  const webhook = await ask('POST', '/webhooks/', {
    url: 'http://127.0.0.1:9/hook',
    kinds: ['payment.verified'],
    headers: { 'x-shop': 'one' },
  })
  assert.equal(webhook.status, 201, webhook.text)
  const shopPhone = phone(origin, now, demo.device)
  const sms = (text: string, sender: string) => ({
    client_id: `m-${text.length}-${sender}`,
    kind: 'sms',
    sender,
    text,
    sim_slot: 'SIM1',
    received_at: new Date(now()).toISOString(),
  })
  const reported = await shopPhone.alerts([
    sms('رمز التحقق الخاص بك هو 83619427 لا تشاركه مع أحد', 'Jawali'),
    sms('See you at five', 'A friend'),
  ])
  assert.equal(reported.status, 200, reported.text)
  await enableSecondFactor(origin, demo.dashboard)

  // Refused with the right key, and with another key while a node runs.
  const reset = ['master-key', 'reset', '--yes-lose-secrets']
  await assertRefused(
    reset,
    env,
    /holds the master key of this database: nothing is lost\. "sanad master-key rotate" replaces it\.\n$/,
  )
  const other = { ...env, SANAD_MASTER_KEY: keyText(newKey()) }
  await assertRefused(reset, other, /A node of the service is connected to this database: end every node first\.\n$/)
  node.child.kill('SIGTERM')
  assert.equal(await node.ended, 0)

  rmSync(join(dataDir, 'master.key'))
  const listing = sanad(['master-key', 'reset'], env)
  assert.equal(await listing.ended, 1)
  for (const lost of [
    'phones',
    'webhook endpoints',
    'second factors',
    'one-time codes',
    'Kept: accounts',
    '--yes-lose-secrets',
  ])
    assert.ok(listing.output().includes(lost), `${lost}: ${listing.output()}`)
  await assertRefused(['start'], env, /master\.key is missing/)

  // The first start also creates a demo account, beside the one of the demo command.
  const phones = (await rowsOf(database.url, 'select account_id from devices where secret_sealed is not null')).length
  const accounts = await rowsOf(database.url, 'select distinct account_id from devices where secret_sealed is not null')
  assert.ok(phones >= 3)
  const before = await unaffectedRows(database.url)
  const resetOutput = await outputOf(sanad(reset, env))
  assert.match(resetOutput, new RegExp(`^${phones} phones must be paired again`, 'm'))
  assert.match(resetOutput, /^1 endpoints have a new secret/m)
  assert.match(resetOutput, /^1 users have no second factor/m)
  assert.match(resetOutput, /^2 sealed messages were deleted\.$/m)
  assert.deepEqual(await unaffectedRows(database.url), before)
  assert.equal(readFileSync(join(dataDir, 'master.key'), 'utf8').trim().length, 44)
  await assertRefused(reset, env, /nothing is lost/)

  const entries = await rowsOf(
    database.url,
    `select action, account_id is null as of_service, after::text from audit_log
      where action in ('master_key.reset', 'account.secrets_lost') order by action, after::text`,
  )
  const inAccounts = entries.filter(({ of_service }) => !of_service)
  assert.equal(inAccounts.length, accounts.length)
  const [losses] = inAccounts.map(({ after }) => JSON.parse(after)).filter(({ endpoints }) => endpoints > 0)
  assert.deepEqual(losses, { phones: 2, endpoints: 1, second_factors: 1, pins: 0 })
  const { action, of_service, after } = entries.at(-1)!
  assert.deepEqual(
    [action, of_service, JSON.parse(after)],
    ['master_key.reset', true, { generation: 2, phones, endpoints: 1, messages: 2, second_factors: 1, pins: 0 }],
  )

  const next = sanad(['start'], { ...env, SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
  const newOrigin = await untilReady(next)
  const answer = await signIn(newOrigin, demo.dashboard)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.user.second_factor, false)
  const cookie = /sanad_session=[^;]+/.exec(String(answer.headers['set-cookie']))![0]
  const again = (method: string, path: string, body?: unknown) =>
    askAt(`${newOrigin}/api/v1/dashboard${path}`, method, { body, headers: { origin: newOrigin, cookie } })

  const { results: notices } = (await again('GET', '/notices/')).body
  // The sign-in above is told as well.
  const notice = notices.find(({ kind }: { kind: string }) => kind === 'secrets_lost')
  assert.deepEqual([notice.kind, notice.object.kind, notice.by], ['secrets_lost', 'account', 'the operator'])
  assert.deepEqual(notice.facts, { phones: 2, endpoints: 1, second_factors: 1, pins: 0 })

  // The phone is refused until it is paired again; then it reports as before.
  assert.equal((await phone(newOrigin, now, demo.device).heartbeat()).status, 401)
  const code = await again('POST', `/phones/${demo.device.id}/pairing/`, {})
  assert.equal(code.status, 200, code.text)
  const paired = await askAt(`${newOrigin}/api/v1/device/pair`, 'POST', { body: { code: code.body.pairing.code } })
  assert.equal(paired.status, 200, paired.text)
  const fresh = { id: demo.device.id, secret: paired.body.secret }
  assert.equal((await phone(newOrigin, now, fresh).heartbeat()).status, 200)
  // The endpoint is enabled, without the lost headers; its owner rotates the secret to see it.
  const endpoint = (await again('GET', `/webhooks/${webhook.body.webhook.id}/`)).body
  assert.deepEqual([endpoint.enabled, endpoint.header_names], [true, []])
  assert.equal((await again('POST', `/webhooks/${webhook.body.webhook.id}/rotate/`, {})).status, 200)
  await enableSecondFactor(newOrigin, demo.dashboard)
  next.child.kill('SIGTERM')
  assert.equal(await next.ended, 0)
  await database.drop()
})
