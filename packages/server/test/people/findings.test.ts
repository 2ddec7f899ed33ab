/** What is wrong with the installation, on the operator's page: the same list as `sanad doctor` and `sanad health`. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { commandsOf } from '../support/commands.ts'
import { listenHere } from '../support/servers/listen-here.ts'
import { openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

let probes = 0
const server = createServer((_, response) => {
  probes++
  response.writeHead(200).end('{}')
})
const publicUrl = await listenHere(server)

const service = await openTestService({ SANAD_LIMITS: 'off', PUBLIC_URL: publicUrl })
const members = await createMembers(service)
type Found = { part: string; level: string; kind: string; values: object; says: string; cure: string | null }
const read = async () => {
  const answer = await members.operator.ask('GET', '/operator/findings/')
  assert.equal(answer.status, 200, answer.text)
  return answer.body as { level: string; host: string; findings: Found[] }
}
const badOf = (findings: readonly Found[]) => findings.filter(({ level }) => level !== 'ok').map(({ kind }) => kind)

test('only operators see the findings', async () => {
  for (const member of [members.owner, members.manager, members.viewer, members.stranger])
    assert.equal((await member.ask('GET', '/operator/findings/')).status, 403)
})

test('each fault is found on the page as by the commands, with its cure, and is gone when it is mended', async () => {
  const { sanad } = commandsOf(service, { PUBLIC_URL: publicUrl, SANAD_LIMITS: 'off' })
  await service.sql('update devices set last_seen_at = null')
  const { level, findings } = await read()
  assert.equal(level, 'wrong')
  const [phones] = findings.filter(({ part }) => part === 'phones')
  assert.deepEqual([phones!.kind, phones!.values], ['phones_silent', { on: 2, silent: 2 }])
  assert.match(phones!.cure!, /Look at the phone/)
  const doctor = JSON.parse((await sanad('doctor', '--json')).out).findings as Found[]
  // Other tests open and close connections of the same PostgreSQL.
  const withoutRoom = (says: string): string =>
    says.replace(/PostgreSQL has \d+ for them/, 'PostgreSQL has some for them')
  const sayings = (all: readonly Found[]) =>
    new Map(all.map(({ part, level, says }) => [part, [level, withoutRoom(says)]]))
  const byCommand = sayings(doctor)
  // Free space changes while both look; the tests' commands have the key in the environment.
  for (const [part, said] of sayings(findings))
    if (!['disk', 'master_key'].includes(part)) assert.deepEqual(byCommand.get(part), said)
  assert.deepEqual(JSON.parse((await sanad('health', '--json')).out).wrong, ['phones'])

  // The service has a clock of its own, which tests move; the commands read the real one.
  await service.sql('update devices set last_seen_at = $1', [new Date(service.clock.now()).toISOString()])
  assert.ok(!badOf((await read()).findings).includes('phones_silent'))
})

test('the public address is tried, and not again by each reading', async () => {
  await read()
  await Promise.all([read(), read(), read()])
  const before = probes
  const { findings } = await read()
  assert.equal(probes, before)
  assert.ok(findings.some(({ kind, level }) => kind === 'public_url_answers' && level === 'ok'))
})
