import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { readConfig } from './config.ts'

const complaints = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
    return []
  } catch (fault) {
    return (fault as Error).message.split('\n')
  }
}

test('everything is optional, and the defaults are those of development', () => {
  const config = readConfig({})
  assert.equal(config.port, 8080)
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.timeZone, 'Asia/Aden')
  assert.equal(config.intentWindow_ms, 3_600_000)
  assert.equal(config.limits?.intents.burst.max, 240)
  assert.equal(config.production, false)
  assert.ok(Object.isFrozen(config))
})

test('an empty variable counts as not set', () => {
  assert.equal(readConfig({ PORT: ' ', DATABASE_URL: '' }).port, 8080)
})

test('all errors are reported at once, each with its variable and an example; passwords are not repeated', () => {
  const wrong = complaints({
    PORT: '99999',
    DATABASE_URL: 'mysql://root:hunter2@db/x',
    REDIS_URL: 'nowhere',
    SANAD_MASTER_KEY: 'short',
    SANAD_TIME_ZONE: 'Mars/Olympus',
    SANAD_INTENT_WINDOW_S: '0',
    SANAD_LIMITS: '{"intents": {"burst": -1}}',
    SANAD_ROLE: 'boss',
    LOG_LEVEL: 'loud',
  })
  const names = wrong.map((line) => /^[A-Z_]+/.exec(line)?.[0])
  assert.deepEqual(names.sort(), [
    'DATABASE_URL',
    'LOG_LEVEL',
    'PORT',
    'REDIS_URL',
    'SANAD_INTENT_WINDOW_S',
    'SANAD_LIMITS',
    'SANAD_MASTER_KEY',
    'SANAD_ROLE',
    'SANAD_TIME_ZONE',
  ])
  assert.ok(wrong.every((line) => line.includes('Example: ')))
  assert.ok(!wrong.join().includes('hunter2'))
})

test('DATABASE_URL may name a Unix socket, as libpq does', () => {
  const url = 'postgresql://sanad@/sanad?host=/run/postgresql'
  assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url)
})

test('DATABASE_URL may name several hosts, as libpq does; target_session_attrs=standby is refused', () => {
  const url = 'postgresql://sanad@db1:5432,db2:5432/sanad?target_session_attrs=read-write'
  assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url)
  assert.throws(
    () => readConfig({ DATABASE_URL: url.replace('read-write', 'standby') }),
    /DATABASE_URL has target_session_attrs=standby, but Sanad writes/,
  )
})

test('production, also by a HOST outside loopback, is refused without a master key; plain http is refused there too', () => {
  assert.deepEqual(
    complaints({ NODE_ENV: 'production', PUBLIC_URL: 'http://pay.example.com' }).map((line) => line.split(' ')[0]),
    ['SANAD_MASTER_KEY', 'PUBLIC_URL'],
  )
  assert.deepEqual(
    complaints({ HOST: '0.0.0.0' }).map((line) => line.split(' ')[0]),
    ['SANAD_MASTER_KEY', 'PUBLIC_URL'],
  )
  const masterKey = Buffer.alloc(32, 1).fill(2, 16).toString('base64')
  assert.deepEqual(
    complaints({ HOST: '0.0.0.0', SANAD_MASTER_KEY: masterKey, PUBLIC_URL: 'https://pay.example.com/' }),
    [],
  )
})

test('the parameters of webhooks can be replaced one by one; a lease that may end during its call is refused', () => {
  const { webhooks } = readConfig({ SANAD_WEBHOOKS: '{"total_ms": 5000, "retry_waits_s": [0, 60]}' })
  assert.equal(webhooks.total_ms, 5000)
  assert.deepEqual(webhooks.retry_waits_s, [0, 60])
  assert.equal(webhooks.lease_ms, 30_000)
  assert.match(complaints({ SANAD_WEBHOOKS: '{"total_ms": 25000}' })[0]!, /^SANAD_WEBHOOKS: "lease_ms" is 30000/)
})

test('SANAD_SMTP_URL needs SANAD_MAIL_FROM and PUBLIC_URL', () => {
  const url = 'smtps://sanad:hunter2@mail.example.com'
  assert.equal(readConfig({}).mail, undefined)
  const [from, origin, ...rest] = complaints({ SANAD_SMTP_URL: url })
  assert.match(from!, /^SANAD_MAIL_FROM is not set.* Example: SANAD_MAIL_FROM=/)
  assert.match(origin!, /^PUBLIC_URL is not set/)
  assert.deepEqual(rest, [])
  const whole = {
    SANAD_SMTP_URL: url,
    SANAD_MAIL_FROM: 'Sanad <sanad@example.com>',
    PUBLIC_URL: 'https://pay.example.com',
  }
  assert.deepEqual(readConfig(whole).mail, { url, from: whole.SANAD_MAIL_FROM })
  const wrong = complaints({ ...whole, SANAD_SMTP_URL: 'http://sanad:hunter2@mail', SANAD_MAIL_FROM: 'nobody' })
  assert.deepEqual(wrong.map((line) => line.split(' ')[0]).sort(), ['SANAD_MAIL_FROM', 'SANAD_SMTP_URL'])
  assert.ok(!wrong.join().includes('hunter2'))
  assert.equal(complaints({ ...whole, SANAD_MAIL_FROM: 'a@b.example, c@d.example' }).length, 1)
})

test('SANAD_TRUST_PROXY is no, yes or a number of proxies from 1 to 9', () => {
  const proxies = (value: string) => readConfig({ SANAD_TRUST_PROXY: value }).trustProxy
  assert.deepEqual(['', 'no', 'yes', '1', '2'].map(proxies), [0, 0, 1, 1, 2])
  for (const value of ['true', '0', '10', '-1'])
    assert.match(complaints({ SANAD_TRUST_PROXY: value })[0]!, /^SANAD_TRUST_PROXY/)
})

test('SANAD_PROCESSES is a number of processes from 1 to 64, or auto for one on each core', () => {
  const processes = (env: Record<string, string>) => readConfig(env).processes
  assert.deepEqual(
    ['', '1', '2', '64'].map((value) => processes({ SANAD_PROCESSES: value })),
    [1, 1, 2, 64],
  )
  assert.equal(processes({ SANAD_PROCESSES: 'auto' }), Math.min(64, availableParallelism()))
  // One process does the background work.
  assert.equal(processes({ SANAD_PROCESSES: '4', SANAD_ROLE: 'work' }), 1)
  for (const value of ['0', '65', '-1', '1.5', 'all'])
    assert.match(complaints({ SANAD_PROCESSES: value })[0]!, /^SANAD_PROCESSES is .* Example: SANAD_PROCESSES=auto$/)
})

test('limits can be switched off, or replaced one by one', () => {
  assert.equal(readConfig({ SANAD_LIMITS: 'off' }).limits, null)
  const { limits } = readConfig({ SANAD_LIMITS: '{"intents": {"burst": 1000}}' })
  assert.equal(limits?.intents.burst.max, 1000)
  assert.equal(limits?.intents.sustained.max, 50_000)
})

test('PUBLIC_URL becomes an origin as browsers write it; anything more than an origin is refused with an example', () => {
  const publicUrlOf = (url: string) => readConfig({ PUBLIC_URL: url }).publicUrl
  assert.equal(publicUrlOf('https://Pay.Example.COM/'), 'https://pay.example.com')
  assert.equal(publicUrlOf('https://pay.example.com:443'), 'https://pay.example.com')
  assert.equal(publicUrlOf('http://127.0.0.1:80'), 'http://127.0.0.1')
  assert.equal(publicUrlOf('https://pay.example.com:8443'), 'https://pay.example.com:8443')
  for (const url of [
    'https://pay.example.com/sanad',
    'https://pay.example.com/?a=b',
    'https://pay.example.com/#top',
    'https://user@pay.example.com',
    'pay.example.com',
  ])
    assert.match(
      complaints({ PUBLIC_URL: url }).join(),
      /^PUBLIC_URL .*Example: PUBLIC_URL=https:\/\/pay\.example\.com$/,
      url,
    )
})

const namesIn = (env: Record<string, string>): string[] => complaints(env).map((line) => line.split(' ')[0]!)

test('a master key that anybody can guess is refused, also the previous one', () => {
  const good = Buffer.alloc(32, 7).fill(8, 16).toString('base64')
  for (const byte of [0, 1, 255]) {
    const key = Buffer.alloc(32, byte).toString('base64')
    assert.deepEqual(namesIn({ SANAD_MASTER_KEY: key }), ['SANAD_MASTER_KEY'])
    assert.deepEqual(namesIn({ SANAD_MASTER_KEY: good, SANAD_MASTER_KEY_PREVIOUS: key }), ['SANAD_MASTER_KEY_PREVIOUS'])
  }
  assert.deepEqual(namesIn({ SANAD_MASTER_KEY_PREVIOUS: good }), ['SANAD_MASTER_KEY'])
  assert.deepEqual(namesIn({ SANAD_MASTER_KEY: good, SANAD_MASTER_KEY_PREVIOUS: good }), [])
})

test('metrics are served on loopback unless another host is set', () => {
  assert.equal(readConfig({ HOST: '127.0.0.1' }).metricsHost, '127.0.0.1')
  assert.equal(readConfig({ SANAD_METRICS_HOST: '10.0.0.5' }).metricsHost, '10.0.0.5')
  assert.deepEqual(namesIn({ SANAD_METRICS_HOST: 'not an address' }), ['SANAD_METRICS_HOST'])
})

test('production without PUBLIC_URL is refused, but for a node that only does background work', () => {
  const key = Buffer.alloc(32, 7).fill(8, 16).toString('base64')
  const production = { NODE_ENV: 'production', SANAD_MASTER_KEY: key }
  assert.match(complaints(production).join(), /^PUBLIC_URL is not set: .* Example: PUBLIC_URL=https:/)
  assert.deepEqual(complaints({ ...production, SANAD_ROLE: 'serve' }).length, 1)
  assert.deepEqual(complaints({ ...production, PUBLIC_URL: 'https://pay.example.com' }), [])
  assert.deepEqual(complaints({ ...production, SANAD_ROLE: 'work' }), [])
  assert.deepEqual(complaints({}), [])
})

test('the security contact is a mailto: or https: address; without one it is the sender of mail', () => {
  const contactOf = (env: Record<string, string>) => readConfig(env).securityContact
  assert.equal(contactOf({}), undefined)
  assert.equal(contactOf({ SANAD_SECURITY_CONTACT: 'mailto:holes@example.com' }), 'mailto:holes@example.com')
  const mailed = { SANAD_SMTP_URL: 'smtps://mail.example.com', PUBLIC_URL: 'https://pay.example.com' }
  assert.equal(contactOf({ ...mailed, SANAD_MAIL_FROM: 'Sanad <sanad@example.com>' }), 'mailto:sanad@example.com')
  assert.equal(contactOf({ ...mailed, SANAD_MAIL_FROM: 'sanad@example.com' }), 'mailto:sanad@example.com')
  for (const wrong of ['holes@example.com', 'mailto:holes', 'http://example.com', 'mailto:a@b.example Expires: 0'])
    assert.deepEqual(namesIn({ SANAD_SECURITY_CONTACT: wrong }), ['SANAD_SECURITY_CONTACT'], wrong)
})
