/** One real wallet has one open entry: spellings of its number, corrections, closing and opening again, races, own providers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { type Answer, errorsOf, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const members = await createMembers(service)
const { demo, sql } = service
// Some of the senders here are new, which needs an owner.
const { owner: manager } = members
const [jawali] = (await sql('select provider_id from wallets where id = $1', [demo.wallets.main]))[0]!
/** A provider without a rule for account numbers. */
const [kuraimi] = (await sql(`select id from providers where name = 'kuraimi' and account_id is null`))[0]!
const [jaib] = (await sql(`select id from providers where name = 'jaib' and account_id is null`))[0]!

let numbers = 773_000_000
const newNumber = (): string => String(++numbers)
const tryCreate = (body: Record<string, unknown> = {}, member = manager): Promise<Answer> =>
  member.ask('POST', '/wallets/', {
    body: { name: 'Branch', account_number: newNumber(), provider: jawali, ...body },
  })
const patch = (id: string, body: unknown): Promise<Answer> => manager.ask('PATCH', `/wallets/${id}/`, { body })
const create = async (body: Record<string, unknown> = {}): Promise<string> => {
  const answer = await tryCreate(body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}
const identityOf = async (id: string) => (await sql('select identity from wallets where id = $1', [id]))[0]![0]
/** All numbers of the real wallet, the current one and earlier ones, in their normal form. */
const aliasesOf = async (id: string) =>
  (
    await sql(
      `select number_key from wallet_numbers where identity = (select identity from wallets where id = $1) order by 1`,
      [id],
    )
  ).map(([key]) => key)
const stateOf = async (id: string) => {
  const [row] = await sql('select version, reread from wallets where id = $1', [id])
  return { version: Number(row![0]), reread: row![1] === 't' }
}
/** Whether a reread for the wallet is due; then marks it as done. */
const takeRereadFlag = async (id: string): Promise<boolean> => {
  const before = (await stateOf(id)).reread
  await sql('update wallets set reread = false where id = $1', [id])
  return before
}

test('an account number in any spelling is refused if a wallet has it, and the answer names that wallet', async () => {
  const id = await create({ name: 'Till one', account_number: '774000001' })
  assert.equal(await identityOf(id), id)
  assert.deepEqual(await aliasesOf(id), ['774000001'])
  for (const spelled of [
    '774000001',
    '+967774000001',
    '00967 774 000 001',
    '967-774-000-001',
    '0774000001',
    '٧٧٤٠٠٠٠٠١',
    ' ٠٠٩٦٧ ٧٧٤ ٠٠٠ ٠٠١ ',
    'حساب 774000001',
    'No. 774000001 (shop)',
    '774\u200f000001',
  ]) {
    const answer = await tryCreate({ name: 'Till two', account_number: spelled })
    assert.deepEqual(errorsOf(answer), ['wallet_exists@account_number'], spelled)
    assert.deepEqual(answer.body.facts, { wallet: 'Till one', wallet_id: id })
    assert.match(answer.body.errors[0].detail, /"Till one".*close it first.*add the phone/)
  }
  assert.equal(
    (await tryCreate({ account_number: '774000001', provider: jaib })).status,
    201,
    'the number is free at another provider',
  )
  const theirs = await tryCreate({ account_number: '774000001' }, members.stranger)
  assert.equal(theirs.status, 201, 'the number is free in another account')
})

test('a text without a digit or letter is refused as an account number', async () => {
  for (const nothing of ['---', '+', '🙂', '\u200f'])
    assert.deepEqual(errorsOf(await tryCreate({ account_number: nothing })), ['blank@account_number'], nothing)
  const short = await create({ account_number: 'A1', provider: kuraimi })
  assert.equal((await tryCreate({ account_number: 'B1', provider: kuraimi })).status, 201)
  assert.deepEqual(errorsOf(await tryCreate({ account_number: ' a-1', provider: kuraimi })), [
    'wallet_exists@account_number',
  ])
  assert.deepEqual(await aliasesOf(short), ['A1'])
})

test('old entries without a stored number key are found as well', async () => {
  const [[account]] = (await sql('select account_id from wallets where id = $1', [demo.wallets.main])) as [[string]]
  await sql(
    `insert into wallets (id, account_id, provider_id, name, account_number, created_at)
     values (gen_random_uuid(), $1, $2, 'Old entry', 'No 12', now())`,
    [account, jawali],
  )
  const answer = await tryCreate({ account_number: 'no-12' })
  assert.deepEqual([errorsOf(answer), answer.body.facts.wallet], [['wallet_exists@account_number'], 'Old entry'])
})

test('a closed wallet that is entered again has the same identity; only one of them is open', async () => {
  const number = newNumber()
  const first = await create({ name: 'First', account_number: number })
  assert.equal((await patch(first, { active: false })).status, 200)
  const again = await create({ name: 'Again', account_number: `+967 ${number}` })
  assert.equal(await identityOf(again), first)
  const refused = await patch(first, { active: true })
  assert.deepEqual([errorsOf(refused), refused.body.facts.wallet], [['wallet_exists@account_number'], 'Again'])
  assert.equal((await patch(again, { active: false })).status, 200)
  assert.equal((await patch(first, { active: true })).status, 200)
  assert.deepEqual(errorsOf(await patch(again, { active: true })), ['wallet_exists@account_number'])
})

test('a corrected number or provider keeps the identity, and both numbers belong to the wallet', async () => {
  const [wrong, right] = [newNumber(), newNumber()]
  const id = await create({ name: 'Corrected', account_number: wrong })
  const { version } = await stateOf(id)
  assert.equal((await patch(id, { account_number: right })).status, 200)
  assert.deepEqual([await identityOf(id), (await stateOf(id)).version], [id, version + 1])
  assert.deepEqual(await aliasesOf(id), [wrong, right])
  for (const number of [wrong, right])
    assert.deepEqual(errorsOf(await tryCreate({ account_number: number })), ['wallet_exists@account_number'], number)
  assert.equal((await patch(id, { account_number: wrong })).status, 200, 'it may have its own old number back')
  assert.equal((await patch(id, { provider: jaib, sender_name: 'Jaib' })).status, 200)
  assert.deepEqual(errorsOf(await tryCreate({ account_number: wrong, provider: jaib })), [
    'wallet_exists@account_number',
  ])
  assert.deepEqual(errorsOf(await tryCreate({ account_number: right })), ['wallet_exists@account_number'])
})

test('the number of another wallet is refused: the error names it, and says to open it again if it is closed', async () => {
  const [taken, own] = [newNumber(), newNumber()]
  const other = await create({ name: 'Other', account_number: taken })
  const id = await create({ account_number: own })
  assert.deepEqual(errorsOf(await patch(id, { account_number: taken })), ['wallet_exists@account_number'])
  await patch(other, { active: false })
  const refused = await patch(id, { account_number: taken })
  assert.deepEqual(
    [errorsOf(refused), refused.body.facts],
    [['wallet_closed@account_number'], { wallet: 'Other', wallet_id: other }],
  )
  assert.match(refused.body.errors[0].detail, /Open that one again/)
  const closed = await patch(id, { active: false, account_number: taken })
  assert.deepEqual(errorsOf(closed), ['wallet_closed@account_number'], 'nor while it is closed')
  assert.deepEqual([await identityOf(id), await aliasesOf(id)], [id, [own]])
})

test('an account’s own provider with the sender and number of a shared one is the same wallet', async () => {
  const provider = (await manager.ask('POST', '/providers/', { body: { name: 'my-jawali', display_name: 'Mine' } }))
    .body.id
  const number = newNumber()
  const shared = await create({ name: 'Shared', account_number: number, sender_name: 'Jawali' })
  const mine = { name: 'Mine', provider, account_number: `00967${number}` }
  const refused = await tryCreate({ ...mine, sender_name: 'Jawali' })
  assert.deepEqual([errorsOf(refused), refused.body.facts.wallet], [['wallet_exists@account_number'], 'Shared'])
  const id = await create({ ...mine, sender_name: 'MyBank' })
  assert.deepEqual(errorsOf(await patch(id, { sender_name: 'Jawali' })), ['wallet_exists@account_number'])
  await patch(shared, { active: false })
  assert.deepEqual(errorsOf(await patch(id, { sender_name: 'Jawali' })), ['wallet_closed@account_number'])
  await patch(id, { active: false, account_number: newNumber() })
  // Its old number still belongs to it: a user must decide whether the new entry continues one of the two.
  assert.deepEqual(errorsOf(await tryCreate({ ...mine, sender_name: 'Jawali' })), ['wallet_closed@account_number'])
  const other = newNumber()
  const closed = await create({ name: 'Closed', account_number: other, sender_name: 'Jawali', active: false })
  const continued = await create({ provider, account_number: other, sender_name: 'Jawali' })
  assert.equal(await identityOf(continued), closed, 'its used references stay used')
})

test('the number of the test wallet blocks no real wallet', async () => {
  assert.equal((await patch(demo.wallets.test, { account_number: '774000001' })).status, 200)
  assert.equal((await tryCreate({ account_number: 'TEST', provider: kuraimi })).status, 201)
  assert.deepEqual(await aliasesOf(demo.wallets.test), [])
  assert.equal(await identityOf(demo.wallets.test), demo.wallets.test)
})

test('many requests at once, over two nodes, to enter a wallet with one number: one entry is created', async () => {
  const { origin } = await service.startNode()
  const { askWith } = await import('../support/users.ts')
  const onSecondNode = { ask: askWith({ origin }, manager.session.token) }
  for (const active of [true, false]) {
    const number = newNumber()
    if (!active) await create({ account_number: number, active: false })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        tryCreate(
          { name: `Race ${n}`, account_number: n % 3 === 0 ? `+967${number}` : number },
          n % 2 ? manager : (onSecondNode as never),
        ),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    for (const refused of answers.filter(({ status }) => status !== 201))
      assert.deepEqual(errorsOf(refused), ['wallet_exists@account_number'])
    const rows = await sql(
      `select count(*) filter (where active), count(distinct identity) from wallets where account_number like '%' || $1`,
      [number],
    )
    assert.deepEqual(rows, [['1', '1']])
  }
})

test('of two closed entries that are opened at once, one is opened', async () => {
  const number = newNumber()
  const first = await create({ account_number: number, active: false })
  const second = await create({ account_number: number, active: false })
  const answers = await Promise.all([patch(first, { active: true }), patch(second, { active: true })])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
})

test('a change without the lock is refused by the unique index, with the same answer', async () => {
  const number = newNumber()
  const closed = await create({ name: 'Opened behind its back', account_number: number, active: false })
  const otherClient = new pg.Client({ connectionString: service.databaseUrl })
  await otherClient.connect()
  try {
    const another = await create({ account_number: number, active: false })
    for (const work of [() => tryCreate({ account_number: number }), () => patch(another, { active: true })]) {
      await sql('update wallets set active = false where id = $1', [closed])
      await otherClient.query('begin')
      await otherClient.query('update wallets set active = true where id = $1', [closed])
      const pending = work()
      const waits = `select count(*) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%wallets%'`
      while ((await sql(waits))[0]![0] === '0') await new Promise(setImmediate)
      await otherClient.query('commit')
      const answer = await pending
      assert.deepEqual(errorsOf(answer), ['wallet_exists@account_number'])
      assert.equal(answer.body.facts.wallet, 'Opened behind its back')
    }
  } finally {
    await otherClient.end()
  }
})

test('a change that decides which wallet an alert belongs to causes a reread; other changes do not', async () => {
  const id = await create({ name: 'Reread' })
  assert.equal(await takeRereadFlag(id), true, 'a new wallet')
  for (const change of [
    { name: 'Renamed' },
    { account_number: newNumber() },
    { review_above: '10' },
    { sim_slot: '' },
  ]) {
    assert.equal((await patch(id, change)).status, 200)
    assert.equal(await takeRereadFlag(id), false, JSON.stringify(change))
  }
  for (const change of [
    { sender_name: 'Rereader' },
    { phone: demo.device.id },
    { sim_slot: 'SIM2' },
    { phones: [{ phone: demo.device.id }] },
    { active: false },
    { active: true },
    { provider: jaib },
    { phone: null },
  ]) {
    const { version } = await stateOf(id)
    const answer = await patch(id, change)
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await stateOf(id)).version, version + 1)
    assert.equal(await takeRereadFlag(id), true, JSON.stringify(change))
  }
})

test('each wallet of the demo has its own number', async () => {
  const rows = await sql(`select account_number from wallets where id = any($1)`, [
    Object.values(demo.wallets).filter((id) => id !== demo.wallets.test),
  ])
  assert.equal(new Set(rows.map(([number]) => number)).size, rows.length)
})
