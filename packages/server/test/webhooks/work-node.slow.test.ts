/** A process with the role work: it sends webhooks, and serves its metrics at a port of its own. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../src/core/clock.ts'
import { type AccountId, type EventId, timeOrderedId } from '../../src/core/ids.ts'
import { endpointSecrets } from '../../src/webhooks/endpoints/endpoint-secrets.ts'
import { insertEvents } from '../../src/webhooks/event-sql.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { askAt, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const main = join(import.meta.dirname, '../../src/main.ts')
const dataDir = mkdtempSync(join(tmpdir(), 'sanad-work-'))
const running = new Set<ChildProcess>()
after(() => rmSync(dataDir, { recursive: true, force: true }))
service.atEnd(async () => {
  for (const child of running) child.kill('SIGKILL')
})

const start = async (env: Record<string, string>): Promise<{ code?: number; log: string; figures?: number }> => {
  const child = spawn(process.execPath, [main, 'start'], {
    env: {
      ...bareEnvironment,
      DATABASE_URL: service.databaseUrl,
      SANAD_DATA_DIR: dataDir,
      SANAD_ROLE: 'work',
      SANAD_MASTER_KEY: Buffer.from(service.masterKey).toString('base64'),
      SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      // The node that serves already uses this port.
      PORT: new URL(service.origin).port,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  let log = ''
  return new Promise((done) => {
    child.stderr.on('data', (chunk) => {
      log += chunk
      const ready = log.split('\n').find((line) => line.includes('"msg":"ready"'))
      if (ready !== undefined) done({ log, figures: JSON.parse(ready).figures })
    })
    child.once('exit', (code) => {
      running.delete(child)
      done({ code: code ?? -1, log })
    })
  })
}

test('metrics of a work node are at its own port, and nothing else is served there', async () => {
  const [owner] = await service.sql('select account_id from wallets where id = $1', [service.demo.wallets.main])
  const accountId = owner![0] as AccountId
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end())).listen(
    0,
    '127.0.0.1',
  )
  await once(receiver, 'listening')
  after(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  const id = randomUUID()
  await service.sql(
    `insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, created_at)
     values ($1, $2, $3, array['payment.verified'], $4, now())`,
    [
      accountId,
      id,
      `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      endpointSecrets(service.masterKey).seal(id as never, 'whsec_x'),
    ],
  )
  const node = await start({ SANAD_METRICS_PORT: '0' })
  assert.ok(node.figures !== undefined, node.log)
  const origin = `http://127.0.0.1:${node.figures}`
  assert.equal((await askAt(`${origin}/healthz`, 'GET', {})).status, 200)
  assert.equal((await askAt(`${origin}/readyz`, 'GET', {})).status, 200)
  const now = systemClock.now()
  await insertEvents(service.db, [
    {
      accountId,
      id: timeOrderedId<EventId>(now),
      kind: 'payment.verified',
      walletId: service.demo.wallets.main as never,
      intentId: null,
      alertId: randomUUID() as never,
      body: '{}',
      createdAt: now,
    },
  ])
  let figures = ''
  for (let tries = 0; tries < 1_000 && !figures.includes('attempts_total{outcome="ok"}'); tries++) {
    await delay(20)
    figures = (await askAt(`${origin}/metrics`, 'GET', {})).text
  }
  assert.match(figures, /^sanad_webhook_attempts_total\{outcome="ok"\} 1$/m)
  assert.match(figures, /^sanad_webhook_first_attempt_seconds_count 1$/m)
  for (const path of ['/', '/docs', '/api/v1/merchant/wallets/', '/api/v1/dashboard/session/'])
    assert.equal(
      (await askAt(`${origin}${path}`, 'GET', { token: service.token, undescribed: true })).status,
      404,
      path,
    )

  const portInUse = await start({ SANAD_METRICS_PORT: String(node.figures) })
  assert.equal(portInUse.code, 1)
  assert.match(
    portInUse.log,
    /Port \d+ of 127\.0\.0\.1 is taken by another program: set SANAD_METRICS_PORT to a free one\./,
  )
})

test('a work node without a port setting opens no port that another process has', async () => {
  const node = await start({})
  assert.equal(node.code, undefined, node.log)
  assert.equal(node.figures, undefined)
})
