/** Two entries of one real wallet from before identities existed: the operator lists and merges them. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { timeOrderedId } from '../../src/core/ids.ts'
import { referenceKey } from '../../src/core/reference-key.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { finishSales } from '../../src/matching/queue/finish-sales.ts'
import { commandsOf } from '../support/commands.ts'
import { type Planted, planted, plantIntents } from '../support/plant-intents.ts'
import { errorsOf, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { demo, sql, clock } = service
const members = await createMembers(service)
const { accountId } = members
const folder = mkdtempSync(join(tmpdir(), 'sanad-twins-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const { sanad, process: sanadProcess } = commandsOf(service, { SANAD_DATA_DIR: folder })
const [jawali] = (await sql('select provider_id from wallets where id = $1', [demo.wallets.main]))[0]!

let numbers = 776_000_000
const newPhone = async (name: string): Promise<string> =>
  (await members.owner.ask('POST', '/phones/', { body: { name } })).body.phone.id

/** An entry as an earlier version stored it: without a check for another entry of the same wallet. */
const oldEntry = async (
  name: string,
  number: string,
  fields: { phone?: string; active?: boolean; slot?: string } = {},
) =>
  (
    await sql(
      `insert into wallets (id, account_id, provider_id, name, account_number, sender_name, device_id, sim_slot, active, created_at)
       values (gen_random_uuid(), $1, $2, $3, $4, 'Jawali', $5, $6, $7, now()) returning id`,
      [accountId, jawali, name, number, fields.phone ?? null, fields.slot ?? '', fields.active ?? true],
    )
  )[0]![0]!

/** Two entries of one wallet on two phones, with two spellings of its number. */
const twins = async () => {
  const number = String(++numbers)
  const [first, second] = [await newPhone(`Phone one ${number}`), await newPhone(`Phone two ${number}`)]
  return {
    number,
    phones: [first, second] as const,
    keep: await oldEntry(`Kept ${number}`, number, { phone: first }),
    other: await oldEntry(`Other ${number}`, `+967 ${number}`, { phone: second, slot: 'SIM2' }),
  }
}

const intentOn = async (walletId: string, fields: Partial<Planted> = {}): Promise<Planted> => {
  clock.advance(1_000)
  const intent = planted({ accountId, walletId, createdAt: clock.now(), ...fields })
  await plantIntents(service.db, [intent])
  return intent
}

type State = 'waiting' | 'matched' | 'wrong_amount' | 'booked'
const alertOn = async (
  walletId: string,
  reference: string,
  state: State,
  fields: { amount?: bigint; intent?: Planted } = {},
) => {
  clock.advance(1_000)
  const id = timeOrderedId(clock.now())
  await sql(
    `insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                         normaliser_version, fingerprint, wallet_id, direction, amount, currency, reference, reference_key,
                         state, intent_id)
     values ($1, $2::uuid, $3, $2::uuid::text, 'native', true, 'sms', 'Jawali', 'text', $4, 1, sha256($2::uuid::text::bytea), $5, 'credit', $6,
             'YER', $7, $8, $9, $10)`,
    [
      accountId,
      id,
      demo.device.id,
      new Date(clock.now()).toISOString(),
      walletId,
      String(fields.amount ?? 150_000n),
      reference,
      referenceKey(reference),
      state,
      fields.intent?.id ?? null,
    ],
  )
  if (fields.intent !== undefined)
    await sql('update intents set alert_id = $3 where account_id = $1 and id = $2', [accountId, fields.intent.id, id])
  return id
}
const alertRow = async (id: string) =>
  (await sql('select state, reason, duplicate_of, spent_twice, identity from alerts where id = $1', [id]))[0]!
const entryOf = async (id: string) =>
  (await sql('select identity, active, device_id from wallets where id = $1', [id]))[0]!
const everything = async () =>
  JSON.stringify([
    await sql('select * from wallets order by id'),
    await sql('select * from alerts order by id'),
    await sql('select * from wallet_numbers order by 1, 2, 3'),
    await sql('select * from wallet_phones order by 1, 2, 3'),
    await sql('select count(*) from audit_log'),
  ])

test('without twins the list is empty', async () => {
  assert.match((await sanad('wallet', 'twins')).out, /No twins/)
  assert.match((await sanad('health')).out, /twin wallets +0$/m)
  assert.deepEqual(JSON.parse((await sanad('wallet', 'twins', '--json')).out), [])
})

test('twins are listed with their phones, intents and alerts', async () => {
  const { keep, other, number } = await twins()
  const intent = await intentOn(other, { status: 'VERIFIED', reference: '880000000001', payable: 250_000n })
  await alertOn(other, '880000000001', 'matched', { intent, amount: 250_000n })
  const [group] = JSON.parse((await sanadProcess('wallet', 'twins', '--json')).out)
  assert.deepEqual(new Set(group.map(({ id }: { id: string }) => id)), new Set([keep, other]))
  const entry = group.find(({ id }: { id: string }) => id === other)
  assert.deepEqual(
    [entry.open, entry.intents, entry.alerts, entry.verified, entry.verified_sum, entry.phones],
    [true, 1, 1, 1, '2500.00', [`Phone two ${number}`]],
  )
  const { out } = await sanad('wallet', 'twins')
  assert.match(out, new RegExp(`Demo shop .*${number}`))
  assert.match(out, /1 verified for 2500\.00 YER; 1 alerts/)
  assert.match((await sanad('health')).out, /twin wallets +1: sanad wallet twins/)
  assert.equal((await sanad('wallet', 'merge', keep, other, '--yes')).code, 0)
  assert.match((await sanad('wallet', 'twins')).out, /No twins/)
})

test('without --yes a merge is only shown; with --yes both entries become one wallet with both phones', async () => {
  const { keep, other, phones } = await twins()
  const intent = await intentOn(other, { status: 'VERIFIED', reference: '880000000002' })
  const alert = await alertOn(other, '880000000002', 'matched', { intent })
  await sql(
    `insert into wallet_balances (wallet_id, balance, alert_id, at) values ($1, 1, $3, now()), ($2, 2, $3, now())`,
    [keep, other, alert],
  )
  const before = await everything()
  const dry = await sanad('wallet', 'merge', keep, other)
  assert.equal(dry.code, 0, dry.err)
  assert.match(dry.out, /Nothing was changed/)
  assert.doesNotMatch(dry.out, /CAUTION/)
  assert.equal(await everything(), before)

  const versions = async () => sql('select version from wallets where id = any($1) order by id', [[keep, other]])
  const counted = (await versions()).map(([version]) => Number(version))
  const done = await sanadProcess('wallet', 'merge', keep, other, '--yes')
  assert.equal(done.code, 0, done.err)
  assert.match(done.out, /1 moved/)
  assert.deepEqual(await entryOf(keep), [keep, 't', phones[0]])
  assert.deepEqual(await entryOf(other), [keep, 'f', null])
  assert.deepEqual(await sql('select device_id, sim_slot from wallet_phones where wallet_id = $1', [keep]), [
    [phones[1], 'SIM2'],
  ])
  assert.deepEqual(
    (await versions()).map(([version]) => Number(version)),
    counted.map((version) => version + 1),
  )
  assert.equal((await sql('select reread from wallets where id = $1', [keep]))[0]![0], 't')
  assert.equal((await alertRow(alert))[4], keep, 'its alerts follow')
  assert.equal((await sql('select identity from intents where id = $1', [intent.id]))[0]![0], keep, 'and its intents')
  assert.deepEqual(await sql('select wallet_id from wallet_balances where wallet_id = any($1)', [[keep, other]]), [
    [keep],
  ])
  const [log] = await sql(`select action, via, account_id, after from audit_log where object_id = $1`, [keep])
  assert.deepEqual(log!.slice(0, 3), ['wallet.merge', 'command', accountId])
  assert.deepEqual(JSON.parse(log![3]!).merged, [{ id: other, name: JSON.parse(log![3]!).merged[0].name }])
  // Now both entries are one wallet: the closed entry cannot be opened beside the other, and no merge is left.
  const opened = await members.manager.ask('PATCH', `/wallets/${other}/`, { body: { active: true } })
  assert.deepEqual(errorsOf(opened), ['wallet_exists@account_number'])
  assert.match((await sanad('wallet', 'merge', keep, other)).err, /already/)
})

test('of two alerts with one reference one counts; a payment that was credited twice is reported with both intents', async () => {
  const { keep, other } = await twins()
  const paid = async (wallet: string, reference: string, order: string) => {
    const intent = await intentOn(wallet, { status: 'VERIFIED', reference, externalOrderId: order })
    return { intent, alert: await alertOn(wallet, reference, 'matched', { intent }) }
  }
  const first = await paid(other, '880000000010', 'ORDER-7')
  const again = await paid(keep, '880000000010', 'ORDER-8')
  const matched = await paid(other, '880000000011', 'ORDER-9')
  const repeated = await alertOn(keep, '880000000011', 'waiting')
  const [waiting, waitingToo] = [
    await alertOn(keep, '880000000012', 'waiting'),
    await alertOn(other, '880000000012', 'waiting'),
  ]
  const wrongAmount = await intentOn(other, { status: 'WRONG_AMOUNT', reference: '880000000013' })
  const ended = await alertOn(other, '880000000013', 'wrong_amount', { intent: wrongAmount })
  const alone = await alertOn(keep, '880000000013', 'waiting')
  const otherAmount = await alertOn(keep, '880000000014', 'waiting', { amount: 700n })
  const smaller = await alertOn(other, '880000000014', 'waiting', { amount: 600n })
  const done = await sanad('wallet', 'merge', keep, other, '--yes')
  assert.equal(done.code, 0, done.err)
  assert.match(done.out, /credited twice 1/)
  assert.match(done.out, new RegExp(`first +payment ${first.intent.code}, 1500.00 YER, order ORDER-7`))
  assert.match(done.out, new RegExp(`again +payment ${again.intent.code}, 1500.00 YER, order ORDER-8`))
  assert.deepEqual((await alertRow(first.alert)).slice(0, 4), ['matched', '', null, 'f'])
  assert.deepEqual((await alertRow(again.alert)).slice(0, 4), ['matched', '', null, 't'])
  assert.deepEqual((await alertRow(repeated)).slice(0, 3), ['duplicate', 'same_reference', matched.alert])
  assert.deepEqual((await alertRow(waitingToo)).slice(0, 3), ['duplicate', 'same_reference', waiting])
  assert.deepEqual((await alertRow(alone)).slice(0, 3), ['duplicate', 'same_reference', ended])
  assert.deepEqual((await alertRow(smaller)).slice(0, 2), ['review', 'second_amount'])
  assert.deepEqual((await alertRow(otherAmount)).slice(0, 2), ['waiting', ''])
  const [log] = await sql(`select after from audit_log where object_id = $1`, [keep])
  assert.deepEqual(JSON.parse(log![0]!).credited_twice, [
    { reference: '880000000010', payments: [first.intent.code, again.intent.code] },
  ])
})

test('two pending intents with one reference prevent the merge, and the error names them', async () => {
  const { keep, other } = await twins()
  const first = await intentOn(keep, { reference: '880000000020' })
  const second = await intentOn(other, { reference: '880000000020' })
  const before = await everything()
  const refused = await sanad('wallet', 'merge', keep, other, '--yes')
  assert.equal(refused.code, 1)
  assert.match(refused.err, new RegExp(`${first.code} and ${second.code}.*Cancel one`))
  assert.equal(await everything(), before)
  assert.equal(
    (await members.manager.ask('POST', `/intents/${second.id}/cancel/`, { body: {}, undescribed: true })).status,
    200,
  )
  assert.equal((await sanad('wallet', 'merge', keep, other, '--yes')).code, 0)
})

test('a sale that can still be undone prevents the merge; when it is finished, the wallets are merged', async () => {
  const { keep, other } = await twins()
  await alertOn(other, '880000000025', 'waiting')
  const [[alert, amount]] = (await sql('select id, amount from alerts where reference = $1', ['880000000025'])) as [
    [string, string],
  ]
  const body = { amount: `${amount.slice(0, -2)}.${amount.slice(-2)}`, looked: true }
  const taken = await members.cashier.ask('POST', `/unmatched/${alert}/take-sale/`, { body })
  assert.equal(taken.status, 200, taken.text)
  const before = await everything()
  const refused = await sanad('wallet', 'merge', keep, other, '--yes')
  assert.equal(refused.code, 1)
  assert.match(refused.err, /sale/)
  assert.equal(await everything(), before)
  service.clock.advance(10_000)
  await finishSales({ db: service.db, zone: zoneOf('Asia/Aden') }, 100, service.clock.now())
  assert.equal((await sanad('wallet', 'merge', keep, other, '--yes')).code, 0)
})

test('the output names a pending intent that waits for an alert of the other entry', async () => {
  const { keep, other } = await twins()
  const intent = await intentOn(keep, { reference: '880000000030' })
  await alertOn(other, '880000000030', 'waiting')
  assert.match(
    (await sanad('wallet', 'merge', keep, other)).out,
    new RegExp(`payment ${intent.code} waits.*880000000030`),
  )
})

test('a merge of wallets that are not twins is refused, or shows a warning', async () => {
  const { keep, other } = await twins()
  const errorOf = async (...args: string[]) => (await sanad('wallet', 'merge', ...args)).err.trim()
  const unknown = '00000000-0000-4000-8000-000000000000'
  assert.match(await errorOf(keep, unknown), /There is no wallet 0000/)
  assert.match(await errorOf('x', keep), /x is no id/)
  assert.match(await errorOf(keep, demo.other.wallet), /two accounts/)
  assert.match(await errorOf(keep, demo.wallets.test), /testing wallet/)
  assert.match(await errorOf(keep, keep), /already/)
  await sql('update wallets set active = false where id = $1', [keep])
  assert.match(await errorOf(keep, other), /is closed.*keep the open one/)
  await sql('update wallets set active = true where id = $1', [keep])
  assert.match((await sanad('wallet', 'merge', keep, demo.wallets.unmonitored)).out, /CAUTION/)
})

test('a phone that could not distinguish the wallet from another is not moved, and is counted', async () => {
  const { keep, other, phones } = await twins()
  await oldEntry('Neighbour', String(++numbers), { phone: phones[1], slot: 'SIM1' })
  await sql(`update wallets set sim_slot = '' where id = $1`, [other])
  assert.match((await sanad('wallet', 'merge', keep, other, '--yes')).out, /0 moved[\s\S]*1 not moved/)
  assert.deepEqual(await sql('select device_id from wallet_phones where wallet_id = $1', [keep]), [])
})

test('the kept wallet gets its first phone, if it had none', async () => {
  const { keep, other, phones } = await twins()
  await sql('update wallets set device_id = null where id = $1', [keep])
  assert.equal((await sanad('wallet', 'merge', keep, other, '--yes')).code, 0)
  assert.deepEqual((await entryOf(keep))[2], phones[1])
  assert.deepEqual(await sql('select device_id from wallet_phones where wallet_id = $1', [keep]), [])
})

test('a merge waits for an alert that is being stored, and moves it', async () => {
  const { keep, other } = await twins()
  const otherClient = new pg.Client({ connectionString: service.databaseUrl })
  await otherClient.connect()
  try {
    await otherClient.query('begin')
    const id = timeOrderedId(clock.now())
    await otherClient.query(
      `insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                           normaliser_version, fingerprint, wallet_id, state)
       values ($1, $2::uuid, $3, 'meanwhile', 'native', true, 'sms', 'Jawali', 'text', now(), 1, sha256('m'), $4, 'debit')`,
      [accountId, id, demo.device.id, other],
    )
    const merging = sanad('wallet', 'merge', keep, other, '--yes')
    const waiting = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%wallets%'`
    while ((await sql(waiting))[0]![0] === '0') await new Promise(setImmediate)
    await otherClient.query('commit')
    assert.equal((await merging).code, 0)
    assert.equal((await alertRow(id))[4], keep)
  } finally {
    await otherClient.end()
  }
})
