/** `sanad doctor`: what it finds in a real installation, as sentences and as JSON, and its exit status. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { commandsOf } from '../support/commands.ts'
import { freePort } from '../support/servers/free-port.ts'
import { listenHere } from '../support/servers/listen-here.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const folder = mkdtempSync(join(tmpdir(), 'sanad-doctor-'))
after(() => rmSync(folder, { recursive: true, force: true }))
type Found = { part: string; level: string; says: string; cure?: string }

const settings = { SANAD_DATA_DIR: folder }
const examine = async (env: Record<string, string> = {}) => {
  const { code, out, err } = await commandsOf(service, { ...settings, ...env }).sanad('doctor', '--json')
  const { level, findings } = JSON.parse(out) as { level: string; findings: Found[] }
  const bad = findings.filter((finding) => finding.level !== 'ok')
  return { code, err, level, findings, bad: bad.map((finding) => `${finding.part} ${finding.level}`) }
}
const openUrl = (): Promise<string> => listenHere(createServer((_, response) => void response.writeHead(200).end('{}')))
const reachable = await openUrl()

test('a healthy installation: every part is ok, and the exit status is 0', async () => {
  // The command reads the real clock.
  await service.sql('update devices set last_seen_at = now()')
  const { code, bad, findings } = await examine({ PUBLIC_URL: reachable })
  assert.deepEqual(bad, ['public_url warning', 'backup warning'], JSON.stringify(findings))
  assert.equal(code, 0)
  for (const part of [
    'node',
    'memory',
    'disk',
    'master_key',
    'database',
    'clock',
    'connections',
    'phones',
    'endpoints',
  ])
    assert.ok(
      findings.some((finding) => finding.part === part),
      part,
    )
})

test('what is wrong is said with its cure, and the exit status is 1', async () => {
  await service.sql('update devices set last_seen_at = null')
  const { code, err, level, bad } = await examine({ PUBLIC_URL: reachable })
  assert.deepEqual([code, err, level], [1, '1 thing is wrong.\n', 'wrong'])
  assert.deepEqual(bad, ['public_url warning', 'backup warning', 'phones wrong'])
  const { out } = await commandsOf(service, { ...settings, PUBLIC_URL: reachable }).sanad('doctor')
  assert.match(out, /^WRONG {3}Silent phones: 2 of 2\. .*\n {8}→ The dashboard names them/m)
  await service.sql('update devices set last_seen_at = now()')
})

test('too many connections for PostgreSQL, a proxy that is not trusted, and a public address that does not answer are found', async () => {
  await service.sql(
    `insert into node_clocks (node_id, host, offset_ms, error_ms, seen_at)
     select gen_random_uuid(), 'node-' || n, 0, 1, now() from generate_series(1, 4) n`,
  )
  const { bad, findings } = await examine({
    SANAD_DATABASE_CONNECTIONS: '200',
    PUBLIC_URL: `https://127.0.0.1:${await freePort()}`,
  })
  await service.sql(`delete from node_clocks where host like 'node-%'`)
  assert.deepEqual(bad, [
    'proxy wrong',
    'connections wrong',
    'backup warning',
    'redis warning',
    'public_url_answers wrong',
  ])
  assert.match(findings.find(({ part }) => part === 'public_url_answers')!.says, /ECONNREFUSED/)
})

test('a mail server that hangs up is found within seconds', async () => {
  const deaf = createSocketServer((socket) => socket.end('554 no\r\n')).listen(0, '127.0.0.1')
  await new Promise((done) => deaf.once('listening', done))
  const { port } = deaf.address() as AddressInfo
  const mail = { SANAD_SMTP_URL: `smtp://user:password@127.0.0.1:${port}`, SANAD_MAIL_FROM: 'sanad@sanad.example' }
  const { bad, findings } = await examine({ PUBLIC_URL: reachable, ...mail })
  deaf.close()
  assert.deepEqual(bad, ['public_url warning', 'backup warning', 'mail_server wrong'])
  assert.doesNotMatch(JSON.stringify(findings), /password@/)
})

test('a key file that others may read is found', async () => {
  const file = join(folder, 'master.key')
  writeFileSync(file, 'not read here')
  chmodSync(file, 0o644)
  const { machineFacts } = await import('../../src/service/machine-facts.ts')
  const config = { ...service.config, dataDir: folder, masterKey: undefined }
  assert.deepEqual((await machineFacts(config)).key, { file, open: true })
  chmodSync(file, 0o600)
  assert.deepEqual((await machineFacts(config)).key, { file, open: false })
})

test('where the database does not answer, the doctor says so and looks at the rest', async () => {
  const away = `postgresql://sanad@127.0.0.1:${await freePort()}/sanad`
  const { code, out, err } = await commandsOf({ ...service, databaseUrl: away }, settings).process('doctor', '--json')
  const { findings } = JSON.parse(out) as { findings: Found[] }
  assert.equal(code, 1, err)
  assert.equal(findings.find(({ part }) => part === 'database')!.level, 'wrong')
  assert.ok(findings.some(({ part }) => part === 'disk'))
})

test('wrong settings are findings, all at once', async () => {
  const wrong = { SANAD_DATABASE_CONNECTIONS: 'many', SANAD_ROLE: 'boss' }
  const { code, out } = await commandsOf(service, { ...settings, ...wrong }).process('doctor', '--json')
  const { findings } = JSON.parse(out) as { findings: Found[] }
  assert.equal(code, 1)
  assert.deepEqual(
    findings.map(({ part, cure }) => [part, cure]),
    [
      ['settings', 'Example: SANAD_ROLE=all'],
      ['settings', 'Example: SANAD_DATABASE_CONNECTIONS=10'],
    ],
  )
})
