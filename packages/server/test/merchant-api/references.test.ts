/** References and the statuses of an intent: attach, replace, release, expire, cancel, and races for a reference. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { unlimited } from '../../src/accounts/limits/role-limits.ts'
import { hour_ms } from '../../src/core/duration.ts'
import type { AccountId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { cancelIntent } from '../../src/intents/cancel-intent.ts'
import { expireIntents } from '../../src/intents/expire-intents.ts'
import { listTimeline } from '../../src/intents/intent-sql.ts'
import { joinTransaction } from '../../src/postgres/query/joined.ts'
import { intentFinder } from '../../src/views/intents/find-intents.ts'
import { type Answer, askAt, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { ask, create, demo, clock, db } = service
const { main, second } = demo.wallets
const accountId = (await service.sql('select account_id from wallets where id = $1', [main]))[0]![0] as AccountId
const otherToken = await service.tokenFor(demo.other.client_id, demo.other.client_secret)

const attach = (id: string, reference: unknown): Promise<Answer> =>
  ask('PATCH', `/intents/${id}/`, { body: { reference } })
const attachText = (id: string, literal: string): Promise<Answer> =>
  ask('PATCH', `/intents/${id}/`, { body: `{"reference":${literal}}` })
const read = async (id: string) => (await ask('GET', `/intents/${id}/`)).body
const newIntent = async (body: Record<string, unknown> = {}): Promise<string> => (await create(body)).body.id
const zone = zoneOf('Asia/Aden')
const cancel = (id: string) =>
  db.transaction((tx) =>
    cancelIntent(
      tx,
      zone,
      intentFinder(joinTransaction(tx)),
      { scope: wholeAccount(accountId), id, by: 'user sara', allowed: unlimited },
      clock.now(),
    ),
  )
const sweep = () => expireIntents(db, 500, clock.now(), zone)
const timelineOf = (id: string) => listTimeline(db, wholeAccount(accountId), id)

const assertRefusal = (answer: Answer, code: string, detail: string): void => {
  assert.equal(answer.status, 400, answer.text)
  assert.deepEqual(answer.body, { type: 'validation_error', errors: [{ code, detail, attr: 'reference' }] })
}
const assertNotPending = (answer: Answer) =>
  assertRefusal(answer, 'intent_not_pending', 'A reference can be attached only while the intent is PENDING.')
const assertAlreadyUsed = (answer: Answer) =>
  assertRefusal(answer, 'reference_already_used', 'Another payment of this wallet already has this reference.')

let numbered = 0
const newReference = (): string => `REF${++numbered}`

/** Checks the stored rows after a race: no reference is in use twice, and each end and each reference has its timeline entry. */
const assertInvariants = async (): Promise<void> => {
  const broken = await service.sql(`
    select 'held twice: ' || reference_key from intents
     where status = 'PENDING' and reference_key is not null group by wallet_id, reference_key having count(*) > 1
    union all
    select 'ended twice: ' || intent_id from intent_moves
     where kind in ('expired', 'cancelled') group by intent_id having count(*) > 1
    union all
    select 'ended without a timeline entry: ' || i.id from intents i
     where i.status in ('EXPIRED', 'CANCELLED')
       and not exists (select from intent_moves m where m.intent_id = i.id and m.kind = lower(i.status))
    union all
    select 'a timeline entry without the end: ' || i.id from intents i join intent_moves m on m.intent_id = i.id
     where m.kind in ('expired', 'cancelled') and m.kind <> lower(i.status)
    union all
    select 'a reference without a timeline entry: ' || i.id from intents i
     where i.reference <> '' and not exists (
           select from intent_moves m
            where m.intent_id = i.id and m.kind = 'reference' and m.facts ->> 'reference' = i.reference)
    union all
    select 'a timeline entry without a reference: ' || i.id from intents i
     where i.reference = '' and exists (select from intent_moves m where m.intent_id = i.id and m.kind = 'reference')`)
  assert.deepEqual(broken, [])
}

test('the answer is 200 with the whole intent, and the reference is trimmed', async () => {
  const intent = (await create({ notes: 'n' })).body
  const answer = await attach(intent.id, ' \t\u00a0ABC 41\u3000\n')
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { ...intent, reference: 'ABC 41' })
  assert.equal((await ask('GET', `/intents/${intent.id}/`)).text, answer.text)
})

test('other fields of the body are ignored', async () => {
  const intent = (await create()).body
  const answer = await ask('PATCH', `/intents/${intent.id}/`, {
    body: { reference: 'only-me', status: 'VERIFIED', amount: '1', notes: 'changed', wallet: second },
  })
  assert.deepEqual(answer.body, { ...intent, reference: 'only-me' })
})

test('an intent that has ended takes no reference, not even its own again', async () => {
  const expired = await newIntent()
  await attach(expired, 'mine')
  const cancelled = await newIntent()
  await cancel(cancelled)
  assertNotPending(await attach(cancelled, newReference()))
  clock.advance(hour_ms)
  for (const reference of ['mine', newReference()]) assertNotPending(await attach(expired, reference))
  await sweep()
  for (const reference of ['mine', newReference()]) assertNotPending(await attach(expired, reference))
  assert.equal((await read(expired)).reference, 'mine')
  for (const status of ['VERIFIED', 'WRONG_AMOUNT']) {
    const id = await newIntent()
    await service.sql(
      `update intents set status = $2, verified_at = case when $2 = 'VERIFIED' then created_at end,
              paid = case when $2 = 'WRONG_AMOUNT' then 5 end where id = $1`,
      [id, status],
    )
    assertNotPending(await attach(id, newReference()))
    await service.sql('delete from intents where id = $1', [id])
  }
})

test('an unknown or foreign intent is not found, and a foreign one is not changed', async () => {
  const id = await newIntent()
  const unknown = '0190a1b2-0000-7000-8000-000000000000'
  for (const answer of [
    await attach(unknown, 'x'),
    await attach('nonsense', 'x'),
    await ask('PATCH', `/intents/${id}/`, { token: otherToken, body: { reference: 'stolen' } }),
    await ask('PATCH', `/intents/${id}/`, { token: otherToken, body: {} }),
  ]) {
    assert.equal(answer.status, 404)
    assert.deepEqual(answer.body, {
      type: 'client_error',
      errors: [{ code: 'not_found', detail: 'Not found.', attr: null }],
    })
  }
  assert.equal((await read(id)).reference, '')
  assert.deepEqual(await timelineOf(id), [])
})

const refusedReferences: [literal: string, code: string, detail: string][] = [
  ['""', 'blank', 'This field may not be blank.'],
  ['" \\u0085 "', 'blank', 'This field may not be blank.'],
  ['null', 'null', 'This field may not be null.'],
  ['true', 'invalid', 'Not a valid string.'],
  ['["x"]', 'invalid', 'Not a valid string.'],
  ['{}', 'invalid', 'Not a valid string.'],
  ['"a\\u0000b"', 'null_characters_not_allowed', 'Null characters are not allowed.'],
  ['"a\\ud83d"', 'surrogate_characters_not_allowed', 'Surrogate characters are not allowed: U+D83D.'],
  [`"${'x'.repeat(129)}"`, 'max_length', 'Ensure this field has no more than 128 characters.'],
]

for (const [literal, code, detail] of refusedReferences) {
  test(`the reference ${literal.slice(0, 20)} is refused: ${code}`, async () => {
    const id = await newIntent()
    assertRefusal(await attachText(id, literal), code, detail)
    assert.equal((await read(id)).reference, '')
  })
}

test('a reference is required, and may have 128 characters of any script', async () => {
  const id = await newIntent()
  assertRefusal(await ask('PATCH', `/intents/${id}/`, { body: {} }), 'required', 'This field is required.')
  const longest = '🧾'.repeat(128)
  const answer = await attach(id, `  ${longest} `)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.reference, longest)
})

test('the same reference again is 200 and changes nothing; another spelling or another reference replaces it', async () => {
  const id = await newIntent()
  const first = await attach(id, 'again 43')
  const again = await attach(id, ' again 43 ')
  assert.equal(again.status, 200)
  assert.equal(again.text, first.text)
  assert.equal((await timelineOf(id)).length, 1)
  assert.equal((await attach(id, 'AGAIN43')).body.reference, 'AGAIN43')
  assert.equal((await attach(id, 'other 43')).body.reference, 'other 43')
  assert.deepEqual(
    (await timelineOf(id)).map((entry) => JSON.parse(entry.facts).reference),
    ['again 43', 'AGAIN43', 'other 43'],
  )
  // Its earlier reference is free for another intent.
  assert.equal((await attach(await newIntent(), 'again 43')).status, 200)
})

test('a reference that another pending intent has is refused, and accepted once it is free', async () => {
  const [first, second] = [await newIntent(), await newIntent()]
  await attach(first, 'held 44')
  assertAlreadyUsed(await attach(second, 'held 44'))
  assert.equal((await read(second)).reference, '')
  assert.deepEqual(await timelineOf(second), [])
  await attach(first, 'moved on 44')
  assert.equal((await attach(second, 'held 44')).status, 200)
  assertAlreadyUsed(await attach(first, 'held 44'))
})

test('the same reference is free on another wallet and in another account', async () => {
  await attach(await newIntent(), 'everywhere')
  assert.equal((await attach(await newIntent({ wallet: second }), 'everywhere')).status, 200)
  const theirs = await ask('POST', '/intents/', { token: otherToken, body: { wallet: demo.other.wallet, amount: 5 } })
  const answer = await ask('PATCH', `/intents/${theirs.body.id}/`, {
    token: otherToken,
    body: { reference: 'everywhere' },
  })
  assert.equal(answer.status, 200)
})

test('a reference of an expired or cancelled intent is free, and stays visible there', async () => {
  const cancelled = await newIntent()
  await attach(cancelled, 'left by cancel')
  await cancel(cancelled)
  assert.equal((await attach(await newIntent(), 'left by cancel')).status, 200)
  assert.equal((await read(cancelled)).reference, 'left by cancel')

  const swept = await newIntent()
  await attach(swept, 'left by sweep')
  const unswept = await newIntent()
  await attach(unswept, 'left unswept')
  clock.advance(hour_ms)
  await service.sql(`update intents set status = 'EXPIRED' where id = $1`, [swept])
  await service.sql(
    `insert into intent_moves (account_id, intent_id, id, at, kind, by)
     select account_id, id, gen_random_uuid(), expires_at, 'expired', 'clock' from intents where id = $1`,
    [swept],
  )
  assert.equal((await attach(await newIntent(), 'left by sweep')).status, 200)
  const successor = await newIntent()
  assert.equal((await attach(successor, 'left unswept')).status, 200)
  assert.equal((await read(unswept)).status, 'EXPIRED')
  assert.equal((await read(unswept)).reference, 'left unswept')
  assert.deepEqual(
    (await timelineOf(unswept)).map((entry) => [entry.kind, entry.by]),
    [
      ['reference', `key ${demo.client_id}`],
      ['expired', 'clock'],
    ],
  )
  // A later sweep changes nothing.
  await sweep()
  assert.equal((await timelineOf(unswept)).length, 2)
  await assertInvariants()
})

test('the database refuses a reference that another pending intent has', async () => {
  const [first, second] = [await newIntent(), await newIntent()]
  await attach(first, 'enforced')
  await assert.rejects(
    service.sql(`update intents set reference = 'enforced', reference_key = 'ENFORCED' where id = $1`, [second]),
    { constraint: 'intents_reference_held' },
  )
})

const spellings: [held: string, same: string][] = [
  ['AB12', 'ab12'],
  ['AB12', 'A B\u200b1\u200f2'],
  ['١٢٣٤', '1234'],
  ['۱۲۳۵', '１２３５'],
  ['Ａ１', 'a1'],
  ['x\u202a9\u202c', 'X9'],
  ['ﬁ77', 'FI77'],
]

for (const [held, same] of spellings) {
  test(`${JSON.stringify(held)} and ${JSON.stringify(same)} are one reference, answered as sent`, async () => {
    const mark = `-${newReference()}`
    const [first, second] = [await newIntent(), await newIntent()]
    assert.equal((await attach(first, held + mark)).body.reference, held + mark)
    assertAlreadyUsed(await attach(second, same + mark))
    assert.equal((await read(first)).reference, held + mark)
  })
}

test('leading zeros count, and so does every letter', async () => {
  for (const reference of ['0045', '045', '45', '45A', '4-5']) {
    const answer = await attach(await newIntent(), reference)
    assert.equal(answer.status, 200)
    assert.equal(answer.body.reference, reference)
  }
})

test('a JSON integer is taken as its digits up to 2^53; larger ones are refused, since their digits are lost', async () => {
  for (const [literal, reference] of [
    ['123456', '123456'],
    ['0', '0'],
    ['-7', '-7'],
    ['9007199254740992', '9007199254740992'],
  ] as const)
    assert.equal((await attachText(await newIntent(), literal)).body.reference, reference)
  for (const literal of ['9007199254740993', '9007199254740994', '123456789012345678901234567890', '1e16'])
    assertRefusal(await attachText(await newIntent(), literal), 'invalid', 'Not a valid string.')
  const long = '"123456789012345678901234567890"'
  assert.equal((await attachText(await newIntent(), long)).body.reference, '123456789012345678901234567890')
})

test('an intent expires to the millisecond, for reads, filters and references, before the background loop runs', async () => {
  const intent = (await create({ external_order_id: 'instant 47' })).body
  const observed = async () => ({
    read: (await read(intent.id)).status,
    pending: (await ask('GET', '/intents/?external_order_id=instant%2047&status=PENDING')).body.count,
    expired: (await ask('GET', '/intents/?external_order_id=instant%2047&status=EXPIRED')).body.count,
  })
  clock.set(Date.parse(intent.expires_at) - 1)
  assert.deepEqual(await observed(), { read: 'PENDING', pending: 1, expired: 0 })
  assert.equal((await attach(intent.id, 'in time 47')).status, 200)
  clock.advance(1)
  assert.deepEqual(await observed(), { read: 'EXPIRED', pending: 0, expired: 1 })
  assertNotPending(await attach(intent.id, 'late 47'))
  assert.deepEqual(await cancel(intent.id), { refused: 'intent_not_pending' })
  assert.deepEqual(
    (await service.sql('select status from intents where id = $1', [intent.id]))[0],
    ['PENDING'],
    'no sweep has run',
  )
  assert.ok((await sweep()) >= 1)
  assert.deepEqual(await observed(), { read: 'EXPIRED', pending: 0, expired: 1 })
  assert.equal(await sweep(), 0)
})

test('a sweep expires the intents that are due and no others, a bounded number at a time', async () => {
  const due = [await newIntent(), await newIntent(), await newIntent()]
  clock.advance(1)
  const open = await newIntent()
  clock.advance(hour_ms - 1)
  assert.equal(await expireIntents(db, 2, clock.now(), zone), 2)
  assert.equal(await expireIntents(db, 2, clock.now(), zone), 1)
  assert.equal(await expireIntents(db, 2, clock.now(), zone), 0)
  const states = await service.sql('select status from intents where id = any($1) order by id', [[...due, open]])
  assert.deepEqual(states.flat(), ['EXPIRED', 'EXPIRED', 'EXPIRED', 'PENDING'])
})

test('a user cancels a PENDING intent, and no other', async () => {
  const id = await newIntent()
  const cancelled = await cancel(id)
  assert.equal('status' in cancelled && cancelled.status, 'CANCELLED')
  assert.equal((await read(id)).status, 'CANCELLED')
  assert.deepEqual(await cancel(id), { refused: 'intent_not_pending' })
  const expired = await newIntent()
  clock.advance(hour_ms)
  assert.deepEqual(await cancel(expired), { refused: 'intent_not_pending' })
  assert.equal((await read(expired)).status, 'EXPIRED')
})

test('an intent of another account, or an unknown one, cannot be cancelled', async () => {
  const id = await newIntent()
  const theirs = (
    await service.sql('select account_id from wallets where id = $1', [demo.other.wallet])
  )[0]![0] as AccountId
  const cancellation = { scope: wholeAccount(theirs), id, by: 'user eve', allowed: unlimited }
  const cancelled = await db.transaction((tx) =>
    cancelIntent(tx, zone, intentFinder(joinTransaction(tx)), cancellation, clock.now()),
  )
  assert.deepEqual(cancelled, { refused: 'intent_unknown' })
  assert.equal((await read(id)).status, 'PENDING')
})

test('the timeline has an entry with actor and time for each change, and for nothing else', async () => {
  const id = await newIntent()
  const created = clock.now()
  clock.advance(1_000)
  await attach(id, 'first 56')
  await attach(id, 'first 56')
  const takenReference = newReference()
  await attach(await newIntent(), takenReference)
  assertAlreadyUsed(await attach(id, takenReference))
  clock.advance(1_000)
  await ask('PATCH', `/intents/${id}/`, {
    token: await service.tokenFor(demo.second_key.client_id, demo.second_key.client_secret),
    body: { reference: 'second 56' },
  })
  clock.advance(1_000)
  await cancel(id)
  await cancel(id)
  assertNotPending(await attach(id, 'third 56'))
  clock.advance(hour_ms)
  await sweep()
  const timeline = (await timelineOf(id)).map(({ alert_id, ...entry }) => {
    assert.equal(alert_id, null)
    return { ...entry, facts: JSON.parse(entry.facts) }
  })
  assert.deepEqual(timeline, [
    { at: created + 1_000, kind: 'reference', by: `key ${demo.client_id}`, facts: { reference: 'first 56' } },
    {
      at: created + 2_000,
      kind: 'reference',
      by: `key ${demo.second_key.client_id}`,
      facts: { reference: 'second 56' },
    },
    { at: created + 3_000, kind: 'cancelled', by: 'user sara', facts: {} },
  ])
})

test('an expiry is dated with the end of the window, not with the time of the sweep', async () => {
  const { id, expires_at } = (await create()).body
  clock.advance(hour_ms + 90_000)
  await sweep()
  assert.deepEqual(
    (await timelineOf(id)).map((entry) => [entry.kind, entry.by, entry.at]),
    [['expired', 'clock', Date.parse(expires_at)]],
  )
})

test('ten intents race for one reference: one gets it, the others are refused', async () => {
  for (let round = 0; round < 5; round++) {
    const ids = await Promise.all(Array.from({ length: 10 }, () => newIntent()))
    const reference = newReference()
    const answers = await Promise.all(ids.map((id) => attach(id, reference)))
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1)
    for (const answer of answers.filter((answer) => answer.status !== 200)) assertAlreadyUsed(answer)
    const [row] = await service.sql('select count(*) from intents where reference = $1', [reference])
    assert.deepEqual(row, ['1'])
  }
  await assertInvariants()
})

test('simultaneous calls that attach two references to one intent in turns are all accepted', async () => {
  for (let round = 0; round < 5; round++) {
    const id = await newIntent()
    const references = [newReference(), newReference()]
    const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => attach(id, references[n % 2]!)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    const [row] = await service.sql('select reference from intents where id = $1', [id])
    assert.ok(references.includes(String(row![0])))
  }
  await assertInvariants()
})

test('ten intents race over two nodes for the reference of an intent that has just expired', async () => {
  const other = await service.startNode()
  const expired = await newIntent()
  const reference = newReference()
  await attach(expired, reference)
  clock.advance(hour_ms)
  const ids = await Promise.all(Array.from({ length: 10 }, () => newIntent()))
  const answers = await Promise.all([
    ...ids.map((id, n) =>
      askAt(`${n % 2 === 0 ? service.origin : other.origin}/api/v1/merchant/intents/${id}/`, 'PATCH', {
        token: service.token,
        body: { reference },
      }),
    ),
    sweep(),
  ])
  const statuses = answers.filter((answer) => typeof answer === 'object').map((answer) => answer.status)
  assert.equal(statuses.filter((status) => status === 200).length, 1)
  assert.equal(statuses.filter((status) => status === 400).length, 9)
  await assertInvariants()
})

test('a reference is free even if the sweep expires its intent between two reads', async () => {
  const holder = await newIntent()
  const reference = newReference()
  await attach(holder, reference)
  clock.advance(hour_ms)
  const successor = await newIntent()
  // A sweep that has locked the row and has not written yet.
  const sweeping = new pg.Client({ connectionString: service.databaseUrl })
  await sweeping.connect()
  await sweeping.query('begin')
  await sweeping.query('select from intents where id = $1 for update', [holder])
  const answer = attach(successor, reference)
  for (;;) {
    const [row] = await service.sql(
      `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (row![0] !== '0') break
    await new Promise((done) => setImmediate(done))
  }
  await sweeping.query(`update intents set status = 'EXPIRED' where id = $1`, [holder])
  await sweeping.query(
    `insert into intent_moves (account_id, intent_id, id, at, kind, by)
     select account_id, id, gen_random_uuid(), expires_at, 'expired', 'clock' from intents where id = $1`,
    [holder],
  )
  await sweeping.query('commit')
  await sweeping.end()
  assert.equal((await answer).status, 200, (await answer).text)
  assert.equal((await read(successor)).reference, reference)
  await assertInvariants()
})

test('three references race for one intent: all are in its timeline, and one of them stays', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await newIntent()
    const references = [newReference(), newReference(), newReference()]
    const answers = await Promise.all(references.map((reference) => attach(id, reference)))
    answers.forEach((answer, n) => {
      assert.equal(answer.status, 200)
      assert.equal(answer.body.reference, references[n])
    })
    assert.equal((await timelineOf(id)).length, 3)
    assert.ok(references.includes((await read(id)).reference))
  }
  await assertInvariants()
})

test('deadlock: the transaction that PostgreSQL cancels is retried', async () => {
  const [first, second] = [await newIntent(), await newIntent()]
  const reference = newReference()
  await attach(first, reference)
  // Another transaction gives the first intent another reference, and then updates the second.
  const other = new pg.Client({ connectionString: service.databaseUrl })
  await other.connect()
  await other.query('begin')
  await other.query(`update intents set reference = 'moved', reference_key = 'MOVED' where id = $1`, [first])
  const answer = attach(second, reference)
  // The request first waits in a batch for a short time, then alone and for longer, on another connection.
  const observed = new Set<string>()
  while (observed.size < 2) {
    const rows = await service.sql(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    for (const [pid] of rows) observed.add(pid!)
    await new Promise((done) => setImmediate(done))
  }
  // PostgreSQL cancels one of the two transactions. If it cancels the one of this test, that does not matter: it is rolled back.
  await other
    .query(`update intents set notes = 'touched' where id = $1`, [second])
    .catch((fault: { code?: string }) => {
      assert.equal(fault.code, '40P01')
    })
  await other.query('rollback')
  await other.end()
  assertAlreadyUsed(await answer)
  assert.equal((await read(first)).reference, reference)
  assert.equal((await read(second)).reference, '')
})

test('two intents that request each other’s reference at once are both refused', async () => {
  for (let round = 0; round < 10; round++) {
    const [first, second] = [await newIntent(), await newIntent()]
    const [a, b] = [newReference(), newReference()]
    await Promise.all([attach(first, a), attach(second, b)])
    const answers = await Promise.all([attach(first, b), attach(second, a)])
    for (const answer of answers) assertAlreadyUsed(answer)
    assert.equal((await read(first)).reference, a)
    assert.equal((await read(second)).reference, b)
  }
})

test('a reference and a cancellation at once: the intent is cancelled once, and answers equal the stored state', async () => {
  for (let round = 0; round < 20; round++) {
    const id = await newIntent()
    const reference = newReference()
    const [patched, cancelled, again] = await Promise.all([attach(id, reference), cancel(id), cancel(id)])
    const won = [cancelled, again].filter((outcome) => 'status' in outcome)
    assert.equal(won.length, 1)
    const now = await read(id)
    assert.equal(now.status, 'CANCELLED')
    if (patched.status === 200) assert.equal(now.reference, reference)
    else {
      assertNotPending(patched)
      assert.equal(now.reference, '')
    }
  }
  await assertInvariants()
})

test('references, cancellations and sweeps at the end of a window leave each intent with one resolution', async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, () => newIntent()))
  const reference = new Map(ids.map((id) => [id, newReference()]))
  clock.advance(hour_ms - 1)
  // Half of the writers read the clock just before the expiry, half at the expiry.
  const before = ids.flatMap((id, n) => (n % 2 === 0 ? [attach(id, reference.get(id)), cancel(id)] : []))
  const late = Promise.resolve().then(() => {
    clock.advance(1)
    return Promise.all([sweep(), ...ids.map((id) => attach(id, reference.get(id))), sweep()])
  })
  await Promise.all([...before, late])
  while ((await sweep()) > 0);
  for (const id of ids) assert.match((await read(id)).status, /^(EXPIRED|CANCELLED)$/)
  const [row] = await service.sql(
    `select count(*) from intent_moves where intent_id = any($1) and kind in ('expired', 'cancelled')`,
    [ids],
  )
  assert.deepEqual(row, ['40'])
  await assertInvariants()
})

test('two sweeps at once expire each intent once', async () => {
  const ids = await Promise.all(Array.from({ length: 60 }, () => newIntent()))
  clock.advance(hour_ms)
  const ended = await Promise.all([sweep(), sweep(), expireIntents(db, 7, clock.now(), zone)])
  const rest = await sweep()
  assert.equal(ended.reduce((sum, n) => sum + n, 0) + rest >= ids.length, true)
  const [row] = await service.sql(
    `select count(*), count(distinct intent_id) from intent_moves where intent_id = any($1) and kind = 'expired'`,
    [ids],
  )
  assert.deepEqual(row, ['60', '60'])
  await assertInvariants()
})
