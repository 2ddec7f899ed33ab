/** The simulated phone sends what real phones send, and the service reads it correctly. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type AdapterName, adapterNames } from '@sanad/agent/adapter-clients'
import { nativeClient, pair } from '@sanad/agent/native-client'
import { adapterReporter, nativeReporter, type Reporter, runPhone } from '@sanad/agent/phone'
import { planSends, type Scenario, type Send } from '@sanad/agent/scenario'
import { type ProviderName, type Style, wordingOf, wordings, writeAlert } from '@sanad/agent/wordings'
import { Command } from 'commander'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { addTo } from '../../src/commands/phone/phone-command.ts'
import { type AccountId, type PhoneId, randomId, type WalletId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { createPhone, regenerateCode, renewIngestAccess, switchPhone } from '../../src/wallets/phones/phone-access.ts'
import { phoneSecrets } from '../../src/wallets/phones/phone-secrets.ts'
import { plantWallet } from '../support/rows/plant-wallet.ts'
import { askAt, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { db, clock, demo, sql, origin } = service
const secrets = phoneSecrets(service.masterKey)
const [[accountId]] = (await sql('select account_id from devices where id = $1', [demo.device.id])) as [[AccountId]]
const about = { agent: 'test', version: '1', model: 'simulated', android: '0' }
const folder = mkdtempSync(join(tmpdir(), 'sanad-phone-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const newId = () => randomUUID()
const addWallet = async (provider: ProviderName, phoneId: PhoneId): Promise<WalletId> => {
  const id = randomId<WalletId>()
  const { sender } = wordings.find((wording) => wording.provider === provider)!
  const settings = { name: `${provider} of the simulated phone`, accountNumber: '770000000', simSlot: 'SIM1' }
  const providerId = shippedProviderId(provider)
  await plantWallet(db, { id, accountId, providerId, phoneId, senderName: sender, ...settings }, clock.now())
  return id
}

/** A phone that was paired with its code, with one wallet of each of these providers. */
const newPhone = async (...providers: ProviderName[]) => {
  const created = await createPhone(db, secrets, accountId, 'Simulated', clock.now())
  const wallets = new Map<ProviderName, WalletId>()
  for (const provider of providers) wallets.set(provider, await addWallet(provider, created.id))
  const paired = await pair(origin, created.code, about)
  const key = { deviceId: paired.device_id, secret: paired.secret }
  const client = nativeClient({ origin, key, now: clock.now })
  return { id: created.id, paired, key, client, wallets, native: nativeReporter(client, 100) }
}

const plan = (
  provider: ProviderName,
  more: Partial<Scenario> & { amount?: bigint; currency?: string } = {},
): Send[] => {
  const { amount = 150000n, currency = 'YER', ...rest } = more
  const wording = wordingOf(provider, true) ?? wordingOf(provider, false)!
  const scenario: Scenario = {
    content: { wording, amount, currency },
    reference: null,
    sender: wording.sender,
    simSlot: 'SIM1',
    balance: 1000000n,
    payer: 'علي صالح المثال',
    phone: '771234567',
    style: {},
    count: 1,
    late_s: 0,
    repeats: 0,
    newIds: false,
    shuffled: false,
    spoofed: null,
    wrongAmount: false,
    ...rest,
  }
  return planSends(scenario, { random: Math.random, newId }, clock.now())
}

const send = async (reporter: Reporter, sends: readonly Send[]) =>
  (await runPhone(reporter, sends, () => {})).map(({ status }) => status)

type Row = Record<string, unknown> & { state: string; reason: string }
const rowsOf = async (phoneId: string): Promise<Row[]> =>
  (await sql('select row_to_json(a) from alerts a where device_id = $1 order by id', [phoneId])).map((row) =>
    JSON.parse(row[0]!),
  )
const states = async (phoneId: string) => (await rowsOf(phoneId)).map(({ state, reason }) => `${state} ${reason}`)

/** Creates an intent on this wallet and attaches this reference. */
const intentWith = async (wallet: WalletId, reference: string, amount = '1500.00'): Promise<string> => {
  const { body } = await service.create({ wallet, amount })
  assert.equal((await service.ask('PATCH', `/intents/${body.id}/`, { body: { reference } })).status, 200)
  return body.id
}
const statusOf = async (intent: string) => (await service.ask('GET', `/intents/${intent}/`)).body.status

test('a phone pairs by its code, gets the senders to report, sends a heartbeat and reports', async () => {
  const phone = await newPhone('jaib')
  assert.deepEqual(phone.paired.config.senders, [{ name: 'Jaib', sim_slot: 'SIM1' }])
  const answer = await phone.client.heartbeat({ battery: 50 })
  assert.equal(answer.switched_on, true)
  const sends = plan('jaib', { count: 3 })
  assert.deepEqual(await send(phone.native, sends), ['accepted', 'accepted', 'accepted'])
  const rows = await rowsOf(phone.id)
  assert.deepEqual(
    rows.map((row) => [row.client_id, row.raw_text, row.reference, row.chain]),
    sends.map(({ clientId, text, reference }, i) => [clientId, text, reference, i === 0 ? 'unknown' : 'fits']),
  )
})

test('every wording of every wallet is read correctly, in every spelling of numbers', async () => {
  const phone = await newPhone(...new Set(wordings.map(({ provider }) => provider)))
  // All these messages have the same balance, so their balance chain would break.
  await service.sql('update wallets set review_broken_chains = false where device_id = $1', [phone.id])
  const styles: Style[] = [
    {},
    { separators: true },
    { digits: 'arabic' },
    { marks: true },
    { newlines: true },
    { separators: true, digits: 'arabic', marks: true, newlines: true },
  ]
  const cases = wordings.flatMap((wording, w) =>
    styles.map((style, l) => {
      const n = w * styles.length + l
      const amount = 123456n + BigInt(n)
      const reference = `${wording.reference?.prefix ?? ''}${String(9_000 + n).padStart(wording.reference?.digits ?? 4, '1')}`
      const payment = {
        amount,
        reference,
        balance: 987654320n,
        payer: 'علي صالح المثال',
        phone: '771234567',
        currency: 'YER',
      }
      return { wording, amount, reference, text: writeAlert(wording, payment, style) }
    }),
  )
  const [sample] = plan('jaib')
  const sends = cases.map(({ text, wording }) => ({ ...sample!, clientId: newId(), sender: wording.sender, text }))
  assert.ok((await send(phone.native, sends)).every((status) => status === 'accepted'))
  const rows = await rowsOf(phone.id)
  assert.equal(rows.length, cases.length)
  for (const [i, { wording, amount, reference, text }] of cases.entries()) {
    const row = rows[i]!
    assert.deepEqual(
      [row.wallet_id, row.direction, row.amount, row.currency, row.reference, row.state, row.reason],
      [
        phone.wallets.get(wording.provider),
        'credit',
        Number(amount),
        'YER',
        wording.reference ? reference : null,
        ...(wording.reference ? ['waiting', 'no_intent'] : ['review', 'no_reference']),
      ],
      text,
    )
    if (row.balance !== null) assert.equal(row.balance, 987654320, text)
  }
})

test('payments whose references are attached are verified once, even if late, repeated or out of order', async () => {
  const phone = await newPhone('jaib', 'mfloos')
  const wallet = phone.wallets.get('jaib')!
  const sends = plan('jaib', { count: 4, late_s: 7_200, repeats: 2, shuffled: true })
  const references = [...new Set(sends.map(({ reference }) => reference!))]
  const intents = await Promise.all(references.map((reference) => intentWith(wallet, reference)))
  const answers = await send(nativeReporter(phone.client, 1), sends)
  assert.equal(answers.filter((status) => status === 'accepted').length, 4)
  assert.equal(answers.filter((status) => status === 'duplicate').length, 8)
  for (const intent of intents) assert.equal(await statusOf(intent), 'VERIFIED')
  assert.deepEqual(await states(phone.id), Array(4).fill('matched '), 'a known id adds no second row')
  assert.ok((await rowsOf(phone.id)).every((row) => Date.parse(row.sent_at as string) <= clock.now() - 7_200_000))
})

test('a repetition with another id is stored as a duplicate, and pays nothing', async () => {
  const phone = await newPhone('jaib')
  const intent = await intentWith(phone.wallets.get('jaib')!, '77000000000001')
  const sends = plan('jaib', { reference: '77000000000001', repeats: 2, newIds: true })
  assert.deepEqual(await send(phone.native, sends), ['accepted', 'duplicate', 'duplicate'])
  assert.deepEqual(await states(phone.id), ['matched ', 'duplicate same_text', 'duplicate same_text'])
  assert.equal(await statusOf(intent), 'VERIFIED')
})

test('a wrong amount resolves its intent as WRONG_AMOUNT', async () => {
  const phone = await newPhone('jaib')
  const intent = await intentWith(phone.wallets.get('jaib')!, '77000000000002')
  await send(phone.native, plan('jaib', { reference: '77000000000002', wrongAmount: true }))
  assert.deepEqual(await states(phone.id), ['wrong_amount '])
  assert.equal(await statusOf(intent), 'WRONG_AMOUNT')
})

test('a spoofed sender is hidden as unknown, a spoofed suffix and another currency stay unread, and none of them pays', async () => {
  for (const provider of ['jaib', 'jawali', 'floosak', 'kuraimi', 'mfloos', 'one-cash', 'sanad-test'] as const) {
    const phone = await newPhone(provider)
    const intent = await intentWith(phone.wallets.get(provider)!, '1234567')
    const odd: Parameters<typeof plan>[1][] = [
      { spoofed: 'sender' },
      { spoofed: 'tail' },
      { currency: 'SAR' },
      { currency: 'USD' },
    ]
    await send(
      phone.native,
      odd.flatMap((more) => plan(provider, { reference: '1234567', ...more })),
    )
    assert.deepEqual(
      await states(phone.id),
      ['hidden unknown_sender', 'unread not_understood', 'unread not_understood', 'unread not_understood'],
      provider,
    )
    assert.equal(await statusOf(intent), 'PENDING')
  }
})

/** A new address of a phone for an app. */
const accessFor = async (adapter: AdapterName, id: PhoneId, signingKey?: null) => {
  clock.advance(2_000)
  return (await renewIngestAccess(db, secrets, wholeAccount(accountId), id, clock.now(), signingKey, adapter))!
}

test('alerts of the other SIM go to review; those of a phone that is off are held', async () => {
  const phone = await newPhone('jaib')
  assert.deepEqual(await send(phone.native, plan('jaib', { simSlot: 'SIM2' })), ['accepted'])
  await switchPhone(db, wholeAccount(accountId), phone.id, false)
  clock.advance(2_000)
  assert.deepEqual(await send(phone.native, plan('jaib')), ['held'])
  assert.deepEqual(await states(phone.id), ['review other_sim', 'held device_off'])
})

test('each app is accepted: those that sign are trusted, the others go to review', async () => {
  for (const adapter of adapterNames) {
    const phone = await newPhone('jaib')
    const access = { origin, ...(await accessFor(adapter, phone.id)) }
    const app = adapterReporter({ adapter, access, now: clock.now, newId })
    const [message] = plan('jaib', { late_s: 60, payer: "O'Neil = علي" })
    assert.deepEqual(
      await send(app, [
        message!,
        message!,
        { ...message!, clientId: newId(), receivedAt: message!.receivedAt + 2_000 },
      ]),
      ['taken', 'taken', 'taken'],
    )
    const [row, again, ...more] = await rowsOf(phone.id)
    const signs = adapter === 'sms-to-url' || adapter === 'smsgate'
    assert.deepEqual([row!.adapter, row!.trusted, row!.sim_slot, row!.sender], [adapter, signs, 'SIM1', 'Jaib'])
    assert.deepEqual([row!.raw_text, row!.amount, row!.reference], [message!.text, 150000, message!.reference])
    assert.equal(`${row!.state} ${row!.reason}`, signs ? 'waiting no_intent' : 'review low_trust')
    const when = signs ? row!.sent_at : row!.phone_received_at
    assert.ok(Math.abs(Date.parse(when as string) - message!.sentAt) < 1_000, `${adapter}: ${when}`)
    assert.equal(`${again!.state} ${again!.reason}`, 'duplicate same_text', adapter)
    assert.deepEqual(more, [], 'the same body again adds no row')
  }
})

test('an app with a wrong key and a phone with a wrong secret are refused, each with one sentence', async () => {
  const phone = await newPhone('jaib')
  const { token } = (await renewIngestAccess(db, secrets, wholeAccount(accountId), phone.id, clock.now()))!
  const access = { origin, token, signingKey: 'wrong' }
  for (const adapter of ['sms-to-url', 'smsgate'] satisfies AdapterName[])
    await assert.rejects(send(adapterReporter({ adapter, access, now: clock.now, newId }), plan('jaib')), {
      message: 'The service answered 401: Incorrect authentication credentials.',
    })
  const stranger = nativeClient({ origin, key: { ...phone.key, secret: 'wrong' }, now: clock.now })
  await assert.rejects(stranger.heartbeat({}), {
    message: 'The service answered 401: Incorrect authentication credentials.',
  })
  assert.deepEqual(await rowsOf(phone.id), [])
})

test('the ping of SMS Gateway is a heartbeat; the other apps have none', async () => {
  const phone = await newPhone('jaib')
  for (const adapter of adapterNames) {
    const access = { origin, ...(await accessFor(adapter, phone.id)) }
    assert.equal(await adapterReporter({ adapter, access, now: clock.now, newId }).heartbeat(), adapter === 'smsgate')
  }
  const [[health]] = (await sql('select health from devices where id = $1', [phone.id])) as [[string]]
  assert.deepEqual(JSON.parse(health), { battery: 87, charging: false, network: 'connected' })
})

test("a phone with a wrong clock signs again with the server's time, and keeps the difference", async () => {
  const phone = await newPhone('jaib')
  let clockReads = 0
  const skewedClient = nativeClient({
    origin,
    key: phone.key,
    now: () => {
      clockReads++
      return clock.now() - 86_400_000
    },
  })
  assert.deepEqual(await send(nativeReporter(skewedClient, 1), plan('jaib')), ['accepted'])
  const before = clockReads
  assert.deepEqual(await send(nativeReporter(skewedClient, 1), plan('jaib')), ['accepted'])
  assert.equal(clockReads - before, 1, 'signed once')
})

/** Runs the command as a developer types it, beside this service; returns its output, or the message of its refusal. */
const phoneCommand = async (...args: string[]): Promise<{ output: string[]; refused: string }> => {
  const output: string[] = []
  const config = { ...service.config, masterKey: Buffer.from(service.masterKey).toString('base64') }
  const program = new Command()
  addTo(program.command('phone'), {
    say: (line) => void output.push(line),
    config: () => config,
    serviceUrl: async () => origin,
    onStore: (_, work) => work(db, config),
  })
  try {
    await program.parseAsync(['phone', '--url', origin, ...args], { from: 'user' })
    return { output, refused: '' }
  } catch (fault) {
    return { output, refused: (fault as Error).message }
  }
}
/** The parsed output of `--json`. */
const phoneJson = async (...args: string[]) => {
  const { output, refused } = await phoneCommand(...args, '--json')
  assert.equal(refused, '')
  assert.equal(output.length, 1)
  return JSON.parse(output[0]!)
}

test('sanad phone --pair: pairs a phone of its own, which can be saved in a file', async () => {
  const created = await createPhone(db, secrets, accountId, 'Kept', clock.now())
  await addWallet('mfloos', created.id)
  const file = join(folder, 'phone.json')
  const paired = await phoneCommand('--pair', created.code, '--save', file, '--amount', '300', '--random')
  assert.equal(paired.refused, '')
  assert.match(
    paired.output.join('\n'),
    /^Phone \S+ speaks native to \S+, seed \d+\nheartbeat: taken\n1\/1 {2}300\.00 YER {2}\d{9} {2}accepted$/,
  )
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.ok(!paired.output.join().includes(JSON.parse(readFileSync(file, 'utf8')).secret))
  // A wallet that was bound later is known at the phone's next request.
  await addWallet('jaib', created.id)
  clock.advance(2_000)
  const again = await phoneJson(
    '--load',
    file,
    '--provider',
    'jaib',
    '--amount',
    '300',
    '--reference',
    '00000000000009',
    '--count',
    '2',
  )
  assert.deepEqual(
    again.sent.map(({ sender, sim_slot, reference, status }: Record<string, string>) => [
      sender,
      sim_slot,
      reference,
      status,
    ]),
    [
      ['Jaib', 'SIM1', '00000000000009', 'accepted'],
      ['Jaib', 'SIM1', '00000000000010', 'accepted'],
    ],
  )
  assert.equal(again.alerts, null)
  assert.deepEqual(await states(created.id), Array(3).fill('waiting no_intent'))
  assert.equal(
    (await phoneCommand('--pair', created.code)).refused,
    'The service answered 401: This code is wrong, used or expired. Create a new one on the dashboard.',
  )
})

test('sanad phone --wallet: reports as the wallet’s phone, and shows the outcome', async () => {
  const wallet = demo.wallets.second
  const intent = await intentWith(wallet, '880000000001', '20.00')
  const detail = await phoneJson(
    '--wallet',
    wallet,
    '--amount',
    '20',
    '--reference',
    '880000000001',
    '--duplicate',
    '1',
    '--new-ids',
  )
  assert.deepEqual(
    detail.alerts.map(({ state, reason, amount, intent: paid }: Record<string, unknown>) => [
      state,
      reason,
      amount,
      paid,
    ]),
    [
      ['matched', '', '20.00', { id: intent, status: 'VERIFIED' }],
      ['duplicate', 'same_text', '20.00', null],
    ],
  )
  const wrongAmount = await intentWith(wallet, '880000000002', '20.00')
  const mismatched = await phoneCommand(
    '--wallet',
    wallet,
    '--amount',
    '20',
    '--reference',
    '880000000002',
    '--wrong-amount',
  )
  assert.deepEqual(mismatched.output.slice(1), [
    '1/1  19.00 YER  880000000002  (wrong amount)  accepted',
    'What became of them:',
    `  19.00 YER  880000000002  ended an intent of another amount; not spent: intent ${wrongAmount} is WRONG_AMOUNT`,
  ])
  for (const via of adapterNames) {
    const { token } = await accessFor(via, demo.device.id as PhoneId, null)
    const outcome = await phoneJson('--wallet', wallet, '--amount', '20', '--random', '--via', via, '--token', token)
    assert.deepEqual([outcome.sent[0].status, outcome.alerts[0].reason], ['taken', 'low_trust'], via)
  }
  // Access for an app has ended the native pairing.
  const { code } = (await regenerateCode(db, secrets, wholeAccount(accountId), demo.device.id as PhoneId, clock.now()))!
  assert.equal((await askAt(`${origin}/api/v1/device/pair`, 'POST', { body: { code } })).status, 200)
  const styled = ['--digits', 'arabic', '--style', 'marks', 'newlines', 'separators']
  const odd: [string[], string][] = [
    [['--random', '--spoof', 'sender'], 'unknown_sender'],
    [['--random', '--spoof', 'tail'], 'not_understood'],
    [['--random', '--currency', 'SAR'], 'not_understood'],
    [['--random', '--provider', 'onecash', '--text', 'x'], 'not_understood'],
    [[], 'no_reference'],
    [['--random', ...styled], 'no_intent'],
  ]
  for (const [args, reason] of odd) {
    const outcome = await phoneJson('--wallet', wallet, '--amount', '1234.5', ...args)
    assert.deepEqual(
      outcome.alerts.map((alert: { reason: string }) => alert.reason),
      [reason],
      args.join(' '),
    )
  }
  const many = await phoneCommand(
    '--wallet',
    wallet,
    '--amount',
    '5',
    '--random',
    '--count',
    '30',
    '--batch',
    '7',
    '--shuffle',
  )
  assert.deepEqual(many.output.slice(-2), ['What became of them:', '     30  waits: no intent has its reference yet'])
  const beats = await phoneCommand('--wallet', wallet, '--heartbeat')
  assert.deepEqual(beats.output.slice(1), ['heartbeat: taken'])
})

test('sanad phone: the same seed gives the same references', async () => {
  const args = ['--wallet', demo.wallets.test, '--amount', '5', '--random', '--count', '3', '--seed', '42']
  const [first, second] = [await phoneJson(...args), await phoneJson(...args)]
  const references = (run: { sent: { reference: string }[] }) => run.sent.map(({ reference }) => reference)
  assert.deepEqual(references(second), references(first))
  assert.ok(second.sent.every(({ status }: { status: string }) => status === 'duplicate'))
})

test('sanad phone --wallet: a new secret that waits for the real phone is not used up', async () => {
  const phone = await newPhone('jaib')
  await phone.client.heartbeat({})
  const renewed = await regenerateCode(db, secrets, wholeAccount(accountId), phone.id, clock.now())
  const paired = await pair(origin, renewed!.code, about)
  await phoneJson('--wallet', phone.wallets.get('jaib')!, '--amount', '5', '--random')
  await phone.client.heartbeat({})
  const newer = nativeClient({ origin, key: { ...phone.key, secret: paired.secret }, now: clock.now })
  await newer.heartbeat({})
  await phoneJson('--wallet', phone.wallets.get('jaib')!, '--amount', '5', '--random')
  await assert.rejects(phone.client.heartbeat({}), /401/)
})

test('sanad phone: invalid options are refused with one sentence', async () => {
  const { main: wallet, unmonitored, test: testWallet } = demo.wallets
  const unpaired = await createPhone(db, secrets, accountId, 'New', clock.now())
  const fresh = await addWallet('floosak', unpaired.id)
  const floosak = (await newPhone('floosak')).wallets.get('floosak')!
  const missingFile = join(folder, 'missingFile.json')
  const nil = '00000000-0000-4000-8000-000000000000'
  const whichPhone =
    'Say which phone speaks: one of --wallet, --pair, --load, or --token with --via. Without a phone: a test key, with --client-id.'
  const table: [string[], string][] = [
    [[], whichPhone],
    [
      ['--client-id', 'x', '--amount', '1', '--count', '2'],
      'With a test key there are --amount, --reference and --json, no --count.',
    ],
    [['--wallet', wallet, '--load', missingFile], whichPhone],
    [['--token', 'x'], 'A --token is for apps: say which one with --via.'],
    [
      ['--token', 'x', '--via', 'text', '--amount', '1'],
      'Say whose wording it is with --provider: no wallet is known here.',
    ],
    [
      ['--token', 'x', '--via', 'text', '--text', 'x'],
      'The service answered 401: Incorrect authentication credentials.',
    ],
    [['--load', missingFile], `${missingFile} cannot be read: make it with --pair and --save.`],
    [['--pair', 'x', '--save', '/nonexistent/x'], '/nonexistent/x cannot be written.'],
    [['--wallet', 'x'], 'There is no wallet x.'],
    [['--wallet', nil], `There is no wallet ${nil}.`],
    [['--wallet', wallet], 'Say how much arrived with --amount, or what the message says with --text.'],
    [['--wallet', unmonitored], 'The wallet "Wallet without a phone" has no phone: bind one to it first.'],
    [['--wallet', fresh], 'The phone "New" was never paired: pair it first, or use --via with its --token.'],
    [
      ['--wallet', testWallet, '--amount', '1'],
      'Every alert of sanad-test carries a reference: give one with --reference, or --random.',
    ],
    [['--wallet', floosak, '--amount', '1', '--random'], 'The alerts of floosak carry no reference: leave it out.'],
    [
      ['--wallet', wallet, '--amount', '1', '--via', 'text'],
      'An app needs the ingest token of the device: it is kept hashed, so give it with --token.',
    ],
    [
      ['--wallet', wallet, '--heartbeat', '--via', 'text', '--token', demo.device.ingest_token],
      'The app text has no heartbeat.',
    ],
    [
      ['--wallet', wallet, '--amount', '1', '--url', 'http://127.0.0.1:1'],
      'Nothing answers at http://127.0.0.1:1. Start Sanad with npm start, or say where it runs with --url.',
    ],
  ]
  for (const [args, sentence] of table) {
    assert.equal((await phoneCommand(...args)).refused, sentence, args.join(' '))
  }
})
