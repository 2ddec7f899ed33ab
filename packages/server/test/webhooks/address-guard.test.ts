/**
 * SSRF: whatever URL a merchant enters, and whatever DNS answers later, no connection is opened to an address that is not
 * public, unless the operator allows it.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cidr, readCidrs } from '../../src/core/cidr.ts'
import { type CallerOptions, type ReceiverCaller, receiverCaller } from '../../src/webhooks/calling/call-receiver.ts'
import { type Resolve, resolveGuarded } from '../../src/webhooks/calling/guard-url.ts'
import { nameResolver } from '../../src/webhooks/calling/resolve-names.ts'
import { openNameServer } from '../support/servers/name-server.ts'
import { useHostileReceivers } from '../support/servers/use-hostile-receivers.ts'

const { receivers, opened } = await useHostileReceivers()

const cidrs = (text: string): readonly Cidr[] => {
  const read = readCidrs(text)
  assert.ok(read.ok)
  return read.list
}
const caller = (options: Partial<CallerOptions>): ReceiverCaller =>
  opened(receiverCaller({ development: true, allow: [], ...options }))
const send = (url: string, options: Partial<CallerOptions>) => caller(options).call({ url, headers: {}, body: '{}' })

/** A resolver that returns the next of these answers each time, and then always the last one. */
const answering = (...answers: readonly (readonly string[])[]): Resolve & { lookups: number } => {
  const resolve = () => {
    const answer = answers[Math.min(resolve.lookups, answers.length - 1)]!
    resolve.lookups += 1
    return Promise.resolve(answer.map((address) => ({ address })))
  }
  resolve.lookups = 0
  return resolve
}

test('a private address is refused in every spelling, and no connection is opened', async () => {
  const callsBefore = receivers.visits.length
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '[::ffff:7f00:1]',
    '0',
  ])
    for (const development of [true, false]) {
      const result = await send(`http${development ? '' : 's'}://${host}:${receivers.port}/ok`, { development })
      assert.equal(result.outcome, 'refused', host)
      assert.equal(result.result.kind, 'blocked')
      assert.match(result.error!, /not an address on the public internet/)
    }
  assert.equal(receivers.visits.length, callsBefore)
})

test('a name that resolves to a private address is refused, also among public ones, and no connection is opened', async () => {
  const callsBefore = receivers.visits.length
  for (const addresses of [
    ['127.0.0.1'],
    ['8.8.8.8', '127.0.0.1'],
    ['127.0.0.1', '8.8.8.8'],
    ['::ffff:127.0.0.1'],
    ['2606:4700::1111', '64:ff9b::7f00:1'],
    ['169.254.169.254'],
    ['fd00:ec2::254'],
    ['fe80::1%eth0'],
  ]) {
    const result = await send(`http://shop.example.com:${receivers.port}/ok`, { resolve: answering(addresses) })
    assert.equal(result.outcome, 'refused', addresses.join())
    assert.match(result.error!, /^shop\.example\.com leads to an address that is not on the public internet/)
  }
  assert.equal(receivers.visits.length, callsBefore)
})

test('a name that was public when it was saved and is private when it is called is refused', async () => {
  const resolve = answering(['8.8.8.8'], ['127.0.0.1'])
  assert.ok((await resolveGuarded('shop.example.com', { resolve, allow: [] })).ok)
  const result = await send(`http://shop.example.com:${receivers.port}/ok`, { resolve })
  assert.deepEqual([result.outcome, result.address], ['refused', '127.0.0.1'])
})

test('the connection goes to the address that was checked: one lookup, never by the system resolver', async () => {
  // Only this address is allowed, so that the answer of a second lookup would be refused.
  const resolve = answering(['127.0.0.1'], ['127.0.0.2'])
  const allow = cidrs('127.0.0.1/32')
  const guarded = caller({ resolve, allow })
  const url = `http://no-such-name.example:${receivers.port}/ok`
  const first = await guarded.call({ url, headers: {}, body: '{}' })
  assert.deepEqual([first.outcome, first.address, resolve.lookups], ['ok', '127.0.0.1', 1])

  // An open connection still goes to the machine that was checked, whatever the name resolves to now.
  const second = await guarded.call({ url, headers: {}, body: '{}' })
  assert.deepEqual([second.outcome, second.address, resolve.lookups], ['ok', '127.0.0.1', 1])
  assert.equal(new Set(receivers.visits.slice(-2).map(({ connection }) => connection)).size, 1)

  // A new connection causes a new lookup, and is refused.
  guarded.close()
  const third = await guarded.call({ url, headers: {}, body: '{}' })
  assert.deepEqual([third.outcome, third.address, resolve.lookups], ['refused', '127.0.0.2', 2])
})

test('a receiver that closes the connection to force a new lookup to a private address is refused', async () => {
  const resolve = answering(['127.0.0.1'], ['127.0.0.2'])
  const guarded = caller({ resolve, allow: cidrs('127.0.0.1/32') })
  const url = `http://shop.example.com:${receivers.port}/ok-and-closes`
  assert.equal((await guarded.call({ url, headers: {}, body: '{}' })).outcome, 'ok')
  assert.equal((await guarded.call({ url, headers: {}, body: '{}' })).outcome, 'refused')
})

test('DNS rebinding: a private address at the second lookup is refused, with a real DNS server', async () => {
  for (const inside of ['127.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1']) {
    let lookups = 0
    const rebindingServer = await openNameServer((_name, family) => {
      if (family === 4) lookups++
      return lookups < 2 ? ['93.184.216.34'] : [inside]
    })
    const resolve = nameResolver({ within_ms: 2_000, servers: [rebindingServer.address], hostsFile: '/nonexistent' })
    const saved = await resolveGuarded('rebinds.example.com', { resolve, allow: [] })
    assert.ok(saved.ok, 'it was public when it was saved')
    const callsBefore = receivers.visits.length
    const result = await send(`http://rebinds.example.com:${receivers.port}/ok`, { resolve })
    assert.equal(result.outcome, 'refused', JSON.stringify(result))
    assert.equal(receivers.visits.length, callsBefore)
    await rebindingServer.close()
  }
})

test('a redirect to a private address is not followed, even where the address is allowed', async () => {
  const callsBefore = receivers.visits.length
  const result = await send(receivers.url('redirect-to-ok'), { allow: cidrs('127.0.0.0/8') })
  assert.equal(result.outcome, 'redirect')
  assert.deepEqual(
    receivers.visits.slice(callsBefore).map(({ path }) => path),
    ['/redirect-to-ok'],
  )
  const metadata = await send(receivers.url('redirect'), { allow: cidrs('127.0.0.0/8') })
  assert.deepEqual(
    [metadata.outcome, metadata.headers.location],
    ['redirect', 'http://169.254.169.254/latest/meta-data/'],
  )
})

test('plain http is allowed in development only', async () => {
  const result = await send(receivers.url('ok'), { development: false, allow: cidrs('127.0.0.0/8') })
  assert.deepEqual([result.outcome, result.error], ['refused', 'The address must begin with https://.'])
})

test('a name that does not resolve is reported differently from one that is refused', async () => {
  const gone: Resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
  const result = await send('https://shop.example.com/', { resolve: gone })
  assert.deepEqual([result.outcome, result.error], ['dns', 'There is no such host as shop.example.com.'])
  const never: Resolve = () => new Promise(() => {})
  const late = await send('https://shop.example.com/', { resolve: never, timeouts: { dns_ms: 20 } })
  assert.deepEqual([late.outcome, late.error], ['dns', 'The name shop.example.com was not resolved within 0.02 s.'])
})
