/** The agent as a process on a phone with Termux, against the service: set up, offline, refused, damaged, started twice. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { version } from '../../../agent/src/termux/version.ts'
import { hour_ms, minute_ms } from '../../src/core/duration.ts'
import { transferText } from '../support/sms-texts.ts'
import { askAt } from '../support/story.ts'
import { adenTime } from '../support/termux-phone.ts'
import { bodies, eventually, openAgentStory } from './agent-story.ts'

const story = await openAgentStory()
const { network, newPhone, rowsOf, textsOf, healthOf, addWallet, clock } = story

test('setup connects the phone, stores its secret in one file, and prints what must be done by hand', async () => {
  const phone = await newPhone()
  assert.deepEqual([(await phone.run('status')).code, (await phone.run('once')).code], [2, 2])
  // A Node without SQLite.
  const old = spawnSync(process.execPath, ['--no-experimental-sqlite', phone.agent, 'status'], { encoding: 'utf8' })
  assert.match(old.stderr, /^Node \S+ is too old: 22\.13 or later is needed\./)
  assert.equal(old.status, 3)
  const wrong = await phone.run('setup', 'https://sanad.example/pair')
  assert.match(wrong.out, /This is not a link of the pairing page/)
  assert.equal(wrong.code, 1)
  assert.match((await phone.run('setup', `${network.origin}/pair#c=0000000000`)).out, /Not connected\. .*401/)
  assert.equal(existsSync(join(phone.files, 'identity.json')), false)

  const { code, out } = await phone.run('setup', '--no-start', phone.link)
  assert.equal(code, 0)
  assert.match(
    out,
    /^Connected to http:\/\/127\.0\.0\.1:\d+\.\nMessages \(SMS\): can be read\.\nNotifications: can be read\./,
  )
  for (const output of [/Termux:API and Termux:Boot from F-Droid/, /Unrestricted/, /Allow restricted settings/])
    assert.match(out, output)
  const identity = join(phone.files, 'identity.json')
  assert.equal(statSync(identity).mode & 0o777, 0o600)
  const { secret } = JSON.parse(readFileSync(identity, 'utf8'))
  const others = readdirSync(phone.files).filter((name) => name !== 'identity.json')
  const boot = join(phone.home, '.termux/boot/sanad-agent')
  for (const path of [...others.map((name) => join(phone.files, name)), boot, phone.calls])
    assert.equal(readFileSync(path, 'latin1').includes(secret), false, path)
  assert.equal(out.includes(secret), false)
  assert.match(readFileSync(boot, 'utf8'), /^#!\/bin\/sh\n[\s\S]*termux-wake-lock\nexec '.*' run\n$/)
  assert.match(
    readFileSync(phone.calls, 'utf8'),
    /termux-job-scheduler --job-id 7260 --script \S+\/job --period-ms 900000 --persisted true --network none --battery-not-low false\n/,
  )

  const arabic = await phone.run('status', '--lang', 'ar')
  assert.match(arabic.out, /البرنامج: متوقف/)
  assert.equal(arabic.code, 1)
  const [[about]] = (await story.sql('select about from devices where id = $1', [phone.id])) as [[string]]
  assert.deepEqual(JSON.parse(about), { agent: 'sanad-agent', version, model: 'Example One', android: '14' })
})

test('old messages stay on the phone; those of the hour before the pairing and all later ones are reported', async () => {
  const phone = await newPhone()
  phone.pay(120, Date.now() - 5 * hour_ms)
  const recent = phone.pay(1, Date.now() - 10 * minute_ms)
  await phone.setup()
  assert.match((await phone.run('once')).out, /Unsent messages: 0/)
  assert.deepEqual(await textsOf(phone), bodies(recent))

  // Hours without the agent: many messages, and one of another sender between them.
  const missed = phone.pay(250, Date.now() - 2 * hour_ms)
  phone.receive([{ sender: 'Somebody', text: 'a private message' }])
  const last = phone.pay(5)
  await phone.run('once')
  assert.deepEqual(await textsOf(phone), bodies([...recent, ...missed, ...last]))
  await phone.run('once')
  const rows = await rowsOf(phone)
  assert.equal(rows.length, 256)
  assert.ok(rows.every((row) => row.kind === 'sms' && row.sender === 'Jaib' && row.reference !== null))
  assert.equal(adenTime(Date.parse(rows[1]!.phone_received_at!)), missed[0]!.received)

  const { clock_off_s, clock: ownClock, ...health } = await healthOf(phone)
  assert.ok(ownClock && clock_off_s !== 0)
  assert.deepEqual(health, {
    battery: 64,
    charging: true,
    network: 'wifi',
    app_version: version,
    os_version: 'Android 14',
    queue_depth: 0,
  })
})

test("a phone whose clock is wrong signs with the service's time; its messages keep the phone's time", async () => {
  // The clock of this test's service differs from the machine's clock, so the clock of every phone here is far off.
  const phone = await newPhone()
  await phone.setup()
  phone.pay(1)
  await phone.run('once')
  assert.match(
    readFileSync(join(phone.files, 'agent.log'), 'utf8'),
    /The phone's clock differs from the service's by -?\d+ s\./,
  )
  clock.advance(30 * minute_ms)
  phone.pay(1)
  await phone.run('once')
  assert.equal((await rowsOf(phone)).length, 2)
})

test('an intent is verified by what a running agent reports; a second agent makes one round and ends', async () => {
  const phone = await newPhone()
  await phone.setup()
  const agent = phone.start('run', '--every', '1')
  const { body: intent } = await story.create({ wallet: phone.wallet, amount: '1500.00' })
  await story.ask('PATCH', `/intents/${intent.id}/`, { body: { reference: story.nextReference() } })
  phone.pay(1)
  await eventually(
    'verified',
    async () => (await story.ask('GET', `/intents/${intent.id}/`)).body.status === 'VERIFIED',
  )
  const good = /Agent: running\.[\s\S]*All messages are sent\.\nReported senders: Jaib\.\nEverything works\.\n$/
  await eventually('everything works', async () => good.test((await phone.run('status')).out))
  assert.equal((await phone.run('status')).code, 0)
  // A second agent makes one round and ends.
  assert.match((await phone.run('run')).out, /The agent already runs/)
  agent.child.kill('SIGTERM')
  assert.equal((await agent.ended).code, 0)
})

test('while the network is down, messages are queued; afterwards they arrive once and in order', async () => {
  const phone = await newPhone()
  await phone.setup()
  await phone.run('once')
  const sent = phone.pay(3)
  network.state = 'down'
  assert.match((await phone.run('once')).out, /Unsent messages: 3/)
  sent.push(...phone.pay(130))
  await phone.run('once')
  const offline = await phone.run('status')
  assert.equal(offline.code, 1)
  assert.match(offline.out, /Unsent messages: 133\.[\s\S]*Sanad cannot be reached/)
  assert.deepEqual(await rowsOf(phone), [])

  // The requests arrive and the answers are lost: the same reports are sent again, and are duplicates.
  network.state = 'loses answers'
  const agent = phone.start('run', '--every', '1')
  await eventually('stored', async () => (await rowsOf(phone)).length >= 100)
  network.state = 'up'
  await eventually('all stored', async () => (await rowsOf(phone)).length === 133)
  await eventually('sent', async () => (await phone.run('status')).code === 0)
  assert.deepEqual(await textsOf(phone), bodies(sent))

  // Another node takes over while the agent runs.
  const other = await story.startNode()
  network.target = other.origin
  network.cut()
  sent.push(...phone.pay(20))
  await eventually('sent to the other node', async () => (await rowsOf(phone)).length === 153)
  network.target = story.origin
  await other.close()
  sent.push(...phone.pay(1))
  await eventually('sent to the first node', async () => (await rowsOf(phone)).length === 154)
  agent.child.kill('SIGTERM')
  await agent.ended
  assert.deepEqual(await textsOf(phone), bodies(sent))
})

test('a phone that is no longer accepted keeps its messages, and sends them when it is paired again', async () => {
  const phone = await newPhone()
  await phone.setup()
  await phone.run('once')
  // Paired elsewhere: this secret is invalid from the first use of the new secret.
  const elsewhere = await phone.newLink()
  const { body } = await askAt(`${story.origin}/api/v1/device/pair`, 'POST', {
    body: { code: elsewhere.split('#c=')[1] },
  })
  await story.sql('update devices set secret_used = true, previous_secret_sealed = null where id = $1', [phone.id])
  assert.ok(body.secret)
  const sent = phone.pay(4)
  await phone.run('once')
  sent.push(...phone.pay(2))
  await phone.run('once')
  const status = await phone.run('status')
  assert.match(status.out, /Unsent messages: 6\.[\s\S]*Sanad does not accept this phone/)
  assert.deepEqual(await rowsOf(phone), [])
  assert.equal((await phone.run('setup', '--no-start', await phone.newLink())).code, 0)
  await phone.run('once')
  assert.deepEqual(await textsOf(phone), bodies(sent))
})

test('reused message ids, a test message, another time zone and Arabic digits: every message is stored once', async () => {
  const phone = await newPhone()
  await phone.setup()
  const sent = phone.pay(3)
  await phone.run('once')
  phone.deleteNewest(2)
  // These get the ids of the deleted messages.
  sent.push(...phone.pay(2))
  await phone.run('once')
  assert.deepEqual(await textsOf(phone), bodies(sent))
  const { code, out } = await phone.run('test')
  assert.equal(code, 0, out)
  const [test, ...others] = (await rowsOf(phone)).filter((row) => row.state === 'hidden')
  assert.deepEqual([test?.reason, others], ['unknown_sender', []])
  phone.program('getprop', 'case "$1" in persist.sys.timezone) echo Asia/Kathmandu ;; esac')
  const shift = 2.75 * hour_ms
  const arabic = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
  const shifted = (received: string) => adenTime(Date.parse(`${received.replace(' ', 'T')}+03:00`) + shift)
  phone.change((message) => ({ ...message, received: arabic(shifted(message.received)) }))
  await phone.run('once')
  assert.deepEqual(await textsOf(phone), bodies(sent))
})

test('a wallet that is bound later: messages of its sender from the last day are reported', async () => {
  const phone = await newPhone()
  await phone.setup()
  await phone.run('once')
  const texts = [transferText('1500', '258113.19', '771234567'), transferText('1600', '259713.19', '771234567')]
  phone.receive(texts.map((text) => ({ sender: 'Jawali', text })))
  await phone.run('once')
  assert.deepEqual(await textsOf(phone), [])
  await addWallet('jawali', phone.id)
  clock.advance(3_000)
  await phone.run('once')
  assert.deepEqual(await textsOf(phone), texts)
})

test('a notification of the wallet’s app is reported once, and again after an update; status shows faults', async () => {
  const phone = await newPhone()
  await addWallet('kuraimi', phone.id)
  await phone.setup()
  const shown = (content: string, more: Record<string, unknown> = {}) => ({
    id: 7,
    tag: '',
    key: '0|com.KuraimiBank|7|null|10151',
    group: '',
    packageName: 'com.KuraimiBank',
    title: 'Kuraimi',
    content,
    when: adenTime(Date.now() - minute_ms),
    ...more,
  })
  const [first, second] = [
    'أودع/علي المثال لحسابك50,000.00\n51,245.30YERرصيدك',
    'أودع/علي المثال لحسابك10.00\n51,255.30YERرصيدك',
  ]
  const notification = shown(first)
  phone.show([notification, shown('chat', { packageName: 'com.example.chat' })])
  await phone.run('once')
  await phone.run('once')
  phone.show([{ ...notification, content: second }])
  await phone.run('once')
  const rows = await rowsOf(phone)
  assert.deepEqual(
    rows.map((row) => [row.kind, row.package, row.sender, row.raw_text, row.amount]),
    [
      ['notification', 'com.KuraimiBank', 'KuraimiMB', first, 5000000],
      ['notification', 'com.KuraimiBank', 'KuraimiMB', second, 1000],
    ],
  )
  // Termux prints nothing when Android has disconnected its listener.
  phone.program('termux-notification-list', '')
  phone.program(
    'termux-sms-list',
    `echo '{ "error": "Please grant the following permissions to use this command: READ_SMS" }'`,
  )
  await phone.run('once')
  assert.deepEqual((await healthOf(phone)).problems, ['sms_refused', 'notifications_silent'])
  const status = await phone.run('status')
  assert.match(status.out, /Messages \(SMS\): not allowed\.[\s\S]*Notifications: not connected\./)
  assert.equal(status.code, 1)
  for (const name of ['termux-notification-list', 'termux-sms-list']) phone.mend(name)
  await phone.run('once')
  assert.equal((await healthOf(phone)).problems, undefined)
  assert.equal((await rowsOf(phone)).length, 2)
})

test('several processes at once report every message once', async () => {
  const phone = await newPhone()
  await phone.setup()
  const sent = phone.pay(60)
  const ended = await Promise.all([1, 2, 3, 4].map(() => phone.run('once')))
  assert.deepEqual(
    ended.map(({ code }) => code),
    [0, 0, 0, 0],
  )
  assert.deepEqual(await textsOf(phone), bodies(sent))
})

test('if the queue file is damaged or missing, the inbox is read again; nothing is lost and nothing is stored twice', async () => {
  const phone = await newPhone()
  await phone.setup()
  const sent = phone.pay(30)
  await phone.run('once')
  const queue = join(phone.files, readdirSync(phone.files).find((name) => /^queue-.*\.db$/.test(name))!)
  for (const damage of ['not a database', 'pages overwritten', 'missing'] as const) {
    network.state = 'down'
    sent.push(...phone.pay(3))
    await phone.run('once')
    if (damage === 'not a database') writeFileSync(queue, 'This is no database. '.repeat(400))
    if (damage === 'pages overwritten') {
      const bytes = readFileSync(queue)
      writeFileSync(queue, bytes.fill(0x5a, 4096, bytes.length - 100))
    }
    if (damage === 'missing') rmSync(queue)
    for (const end of ['-wal', '-shm']) rmSync(queue + end, { force: true })
    if (damage !== 'missing') assert.match((await phone.run('status')).out, /The queue file is damaged/)
    network.state = 'up'
    await phone.run('once')
    assert.deepEqual(await textsOf(phone), bodies(sent), damage)
    assert.match((await phone.run('status')).out, /The queue file was damaged or missing/, damage)
  }
})

test('unpair disconnects the phone, keeps unsent messages and ends the running agent', async () => {
  const phone = await newPhone()
  await phone.setup()
  const agent = phone.start('run', '--every', '1')
  await eventually('running', () => /Sending: sent/.test(agent.out()))
  network.state = 'down'
  phone.pay(2)
  await eventually('queued', () => /Sending: failed, 2 unsent/.test(agent.out()))
  const { out, code } = await phone.run('unpair')
  assert.equal(code, 0)
  assert.match(out, /This phone is disconnected[\s\S]*2 unsent messages are kept/)
  assert.equal((await agent.ended).code, 2)
  network.state = 'up'
  assert.equal(existsSync(join(phone.home, '.termux/boot/sanad-agent')), false)
  assert.match(readFileSync(phone.calls, 'utf8'), /termux-job-scheduler --cancel --job-id 7260/)
  assert.equal((await phone.run('status')).code, 2)
})

test('the service serves the agent: one line installs it, checks its checksum and connects the phone', async () => {
  const phone = await newPhone()
  const file = await askAt(`${story.origin}/agent/sanad-agent.mjs`, 'GET', {})
  const sha256 = createHash('sha256').update(file.text).digest('hex')
  assert.equal(
    (await askAt(`${story.origin}/agent/sanad-agent.mjs.sha256`, 'GET', {})).text,
    `${sha256}  sanad-agent.mjs\n`,
  )
  const zipped = await fetch(`${story.origin}/agent/sanad-agent.mjs`, { headers: { 'accept-encoding': 'gzip' } })
  assert.equal(zipped.headers.get('content-encoding'), 'gzip')
  assert.ok(Number(zipped.headers.get('content-length')) < 30_000, 'small enough for a slow network')
  const { text: script } = await askAt(`${network.origin}/agent/install`, 'GET', {})
  const hostile = await askAt(`${network.origin}/agent/install`, 'GET', { headers: { host: "a';reboot;'" } })
  assert.equal(hostile.status, 404)

  const curl = (damage: string) =>
    phone.program(
      'curl',
      `case "$*" in */api/v1/device/pair) PATH='${process.env.PATH}' exec curl "$@" ;; esac
for last; do :; done
while [ "$1" != -o ]; do shift; done
'${process.execPath}' -e 'fetch(process.argv[1]).then((a) => a.text()).then((t) => require("fs").writeFileSync(process.argv[2], t + "${damage}"))' "$last" "$2"`,
    )
  phone.program('node', `exec '${process.execPath}' "$@"`)
  const install = (...args: string[]) =>
    new Promise<{ code: number | null; output: string }>((done) => {
      const child = spawn('sh', ['-s', '--', ...args], { env: { ...phone.env, PREFIX: join(phone.home, 'usr') } })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += chunk
        })
      child.on('close', (code) => done({ code, output }))
      child.stdin.end(script)
    })
  curl(' //')
  const damaged = await install()
  assert.deepEqual([damaged.code, existsSync(join(phone.files, 'sanad-agent.mjs'))], [1, false])
  assert.match(damaged.output, /checksum is wrong/)
  curl('')

  // The code is used before Node is downloaded. The download breaks off; later the same line continues.
  const bin = phone.env.PATH.split(':')[0]!
  rmSync(join(bin, 'termux-sms-list'))
  phone.program('pkg', 'exit 1')
  const cut = await install('--no-start', phone.link)
  assert.equal(cut.code, 1)
  assert.match(cut.output, /^The code is accepted[\s\S]*The download did not finish\. Run the same line again/)
  const answer = join(phone.files, 'pairing.json')
  const { secret } = JSON.parse(readFileSync(answer, 'utf8'))
  assert.equal(statSync(answer).mode & 0o777, 0o600)
  assert.equal(existsSync(join(phone.files, 'identity.json')), false)
  clock.advance(20 * minute_ms)
  phone.program('pkg', 'exit 0')
  phone.mend('termux-sms-list')
  const { code, output } = await install('--no-start', phone.link)
  assert.equal(code, 0, output)
  assert.match(output, /^The Sanad agent is installed\.\nConnected to /)
  assert.equal(JSON.parse(readFileSync(join(phone.files, 'identity.json'), 'utf8')).secret, secret)
  assert.equal(existsSync(answer), false, 'the secret is in one file')
  assert.match((await install('--no-start', phone.link)).output, /Connected to /, 'pasted once more')
  const used = await install('--no-start', `${network.origin}/pair#c=0000000000`)
  assert.match(used.output, /Not connected: .*Make a new line/)
  assert.equal(used.code, 1)
  // Later the code alone is enough, because the address is stored.
  const linkAgain = await phone.newLink()
  const again = await install('--no-start', linkAgain.split('#c=')[1]!)
  assert.match(again.output, /Connected to /)
  const sent = phone.pay(1)
  const command = spawn(join(phone.home, 'usr/bin/sanad-agent'), ['once'], { env: phone.env, stdio: 'ignore' })
  await new Promise((done) => command.on('close', done))
  assert.deepEqual(await textsOf(phone), bodies(sent))
})
