import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type DnsAnswer, openNameServer } from '../../../test/support/servers/name-server.ts'
import { nameResolver, readNameServers } from './resolve-names.ts'

const folder = mkdtempSync(join(tmpdir(), 'sanad-names-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const hosts = join(folder, 'hosts')
writeFileSync(
  hosts,
  '# a comment\n192.0.2.7  shelf.example Shelf # its nickname\n::1 ip6-localhost\n\n2001:db8::7 shelf.example\n',
)
const noHosts = join(folder, 'none')

const names: Record<string, DnsAnswer | ((family: 4 | 6) => DnsAnswer)> = {
  'shop.example': ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
  'old.example': ['192.0.2.3'],
  'new.example': ['2001:db8::3'],
  'hole.example': 'silence',
  'half.example': (family) => (family === 4 ? ['192.0.2.4'] : 'silence'),
  'bare.example': [],
}
const server = await openNameServer((name, family) => {
  if (name.endsWith('.hole.example')) return 'silence'
  const answer = names[name] ?? 'nobody'
  return typeof answer === 'function' ? answer(family) : answer
})
after(() => server.close())
const open = (within_ms = 400, hostsFile = hosts) => nameResolver({ within_ms, servers: [server.address], hostsFile })
const found = async (name: string, resolve = open()) => (await resolve(name)).map(({ address }) => address).sort()
const code = (expected: string) => (fault: NodeJS.ErrnoException) => fault.code === expected

test('a name resolves to all its addresses, whether it has one address family or both', async () => {
  assert.deepEqual(await found('shop.example'), ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
  assert.deepEqual(await found('old.example'), ['192.0.2.3'])
  assert.deepEqual(await found('new.example'), ['2001:db8::3'])
})

test('an unknown name, a name without addresses and a name without an answer have different errors', async () => {
  await assert.rejects(open()('absent.example'), code('ENOTFOUND'))
  await assert.rejects(open()('bare.example'), code('ENODATA'))
  await assert.rejects(open()('hole.example'), code('ETIMEOUT'))
})

test('if a name server answers only one of the two queries, that answer is used', async () => {
  assert.deepEqual(await found('half.example', open(5_000)), ['192.0.2.4'])
})

test('names whose server never answers delay no other name, and do not block the thread pool', async () => {
  const resolve = open(3_000)
  const dead = Array.from({ length: 64 }, (_, n) => resolve(`n${n}.hole.example`))
  const ends: string[] = []
  for (const lookup of dead) lookup.catch(() => ends.push('dead'))
  for (let round = 0; round < 5; round++)
    assert.deepEqual(await found('shop.example', resolve), ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
  await Promise.all(Array.from({ length: 16 }, () => readFile(hosts)))
  assert.deepEqual(ends, [])
  await Promise.allSettled(dead)
})

test('concurrent lookups of a name share their DNS queries; a later lookup queries again', async () => {
  const resolve = open()
  const before = server.queried.length
  const [one, two] = [resolve('old.example'), resolve('old.example')]
  assert.equal(one, two)
  await one
  assert.equal(server.queried.length, before + 2)
  names['old.example'] = ['192.0.2.33']
  assert.deepEqual(await found('old.example', resolve), ['192.0.2.33'])
})

test("the machine's hosts file comes first, whatever the letter case, and no name server is asked", async () => {
  const before = server.queried.length
  assert.deepEqual(await found('shelf.example'), ['192.0.2.7', '2001:db8::7'])
  assert.deepEqual(await found('shelf'), ['192.0.2.7'])
  assert.deepEqual(await found('SHELF.example'), ['192.0.2.7', '2001:db8::7'])
  assert.equal(server.queried.length, before)
})

test('localhost is this machine, also without a hosts file, and no name server is asked', async () => {
  const before = server.queried.length
  assert.deepEqual(await found('localhost', open(400, noHosts)), ['127.0.0.1', '::1'])
  assert.deepEqual(await found('app.localhost', open(400, noHosts)), ['127.0.0.1', '::1'])
  writeFileSync(join(folder, 'plain'), '127.0.0.1 localhost\n')
  assert.deepEqual(await found('localhost', open(400, join(folder, 'plain'))), ['127.0.0.1'])
  assert.equal(server.queried.length, before)
})

test('an address resolves to itself', async () => {
  assert.deepEqual(await found('192.0.2.9'), ['192.0.2.9'])
  assert.deepEqual(await found('2001:db8::9'), ['2001:db8::9'])
})

test('name servers are addresses, with a port or without', () => {
  const list = ['127.0.0.1', '10.0.0.53:5353', '2001:db8::53', '[2001:db8::53]:53']
  assert.deepEqual(readNameServers(list.join(', ')), { ok: true, list })
  assert.deepEqual(readNameServers(''), { ok: true, list: [] })
  for (const wrong of ['dns.example', '1.2.3', '1.2.3.4:99999', '2001:db8::53:99999x', '[1.2.3.4', 'http://1.1.1.1'])
    assert.deepEqual(readNameServers(`127.0.0.1,${wrong}`), { ok: false, error: `"${wrong}" is not an address` })
})
