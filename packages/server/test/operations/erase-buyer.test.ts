/** A buyer's number is found and erased: in the dashboard and by the command, in steps, and money is decided as before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buyerCounts } from '@sanad/contract/buyer-kinds'
import { hidingBy } from '../../src/alerts/hidden/hidden-text.ts'
import { buyerPlaces } from '../../src/checkouts/erasing/buyer-places.ts'
import { eraseBuyer, findBuyer } from '../../src/checkouts/erasing/erase-buyer.ts'
import { day_ms, minute_ms } from '../../src/core/duration.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { openAttacks } from '../attacks/attack-story.ts'
import { commandsOf } from '../support/commands.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { columnsWith } from '../support/rows/marks.ts'
import { transferText } from '../support/sms-texts.ts'
import { askAt } from '../support/story.ts'
import { createMember } from '../support/users.ts'

const number = '779341256'
const story = await openAttacks()
const { accountId, clock, db, newShop, ok, order, otherId, owner, sql, statusOf } = story
const scope = wholeAccount(accountId)
const { sanad } = commandsOf(story)
const hiding = hidingBy(story.masterKey)

type Found = { kind: string } & Record<'found' | 'erased' | 'waiting' | 'recent' | 'fixed' | 'unclear', number>

/** All steps of one call, added up. */
const steps = async (path: 'find' | 'erase', phone = `+967 ${number}`): Promise<Record<string, Found>> => {
  const sums: Record<string, Found> = {}
  let cursor: string | null = null
  do {
    const body: Record<string, unknown> = cursor === null ? { phone } : { phone, cursor }
    const answer = ok(await owner.ask('POST', `/buyers/${path}/`, { body })).body
    for (const one of answer.found as Found[]) {
      sums[one.kind] ??= { ...one, found: 0, erased: 0, waiting: 0, recent: 0, fixed: 0, unclear: 0 }
      const sum = sums[one.kind]!
      for (const name of buyerCounts) sum[name] += one[name]
    }
    cursor = answer.cursor
  } while (cursor !== null)
  return sums
}
const foundOf = (sums: Record<string, Found>) =>
  Object.fromEntries(Object.values(sums).flatMap(({ kind, found }) => (found === 0 ? [] : [[kind, found]])))

const holding = (account: string): Promise<string[]> => columnsWith(sql, [number], account)

/** A paid order and everything else that may name the buyer. */
const shop = await newShop()
await story.uniqueAmounts(shop.wallet)
const paid = await order(shop.wallet, '750.00', {
  notes: `call 0${number} first`,
  external_order_id: `order of ${number}`,
})
ok(
  await owner.ask('POST', `/intents/${paid.id}/payer/`, { body: { name: 'A made-up buyer', phone: `+967 ${number}` } }),
)
const askCheckout = async (method: string, path: string, body?: Record<string, unknown>) =>
  askAt(`${story.origin}/api/v1/checkout${path}`, method, {
    token: await story.tokenFor(story.demo.client_id, story.demo.client_secret),
    ...(body && { body }),
  })
const checkout = ok(
  await askCheckout('POST', '/sessions/', {
    amount: '80.00',
    description: `for 00967${number}`,
    customer: { name: 'A made-up buyer', phone: `+967 ${number}` },
    metadata: { phone: number },
  }),
).body as { id: string }
const paidText = transferText(paid.payable_amount, '1750', number)
const paidReport = shop.phone.report(paidText)
ok(await shop.phone.alerts([paidReport]))
assert.equal(await statusOf(paid.id), 'VERIFIED')
// Nobody has ordered this: a member must decide.
ok(await shop.sms(`إعلان من ${number}`))
const before = await sql('select id::text, state, amount::text, reference_key from alerts order by id')

/** Puts the number into every place that can hold it, in rows that are there; returns the tables without a row. */
const plant = async (): Promise<string[]> => {
  const empty: string[] = []
  const at = new Date(clock.now()).toISOString()
  const [id, id2] = ['1', '2'].map((n) => `019a0000-0000-7000-8000-00000000000${n}`)
  const values = [accountId, id, at]
  await sql(
    `insert into events (account_id, id, kind, alert_id, body, created_at) values ($1, $2, 'payment.unmatched', $2, '', $3)`,
    values,
  )
  await sql(`insert into idempotency_keys values ($1, 'made-up', '', $2, '', $3)`, values)
  await sql(
    `insert into delivery_attempts (account_id, delivery_id, at, event_id, endpoint_id, attempt, outcome, request, response, took)
     values ($1, $2, $3, $2, $2, 1, 'ok', '{}', '{}', '{}')`,
    values,
  )
  await sql(
    `insert into api_calls (account_id, id, at, client_id, method, path, status, code, took_ms, request_id, request_body, error_body)
     values ($1, $2, $3, '', 'GET', '/', 400, '', 1, '', '', '')`,
    values,
  )
  await sql(
    `insert into owner_notices (account_id, id, kind, object_kind, object_id, by_whom, facts, at)
     values ($1, $2, 'phone_paired', 'phone', '', '', '{}', $3), ($4, $5, 'phone_paired', 'phone', '', '', '{}', $3)`,
    [...values, otherId, id2],
  )
  for (const { table, texts, fixed, masked } of buyerPlaces) {
    if (fixed || masked || table === 'alerts') continue
    const sets = texts.map(([name, type]) =>
      type === 'json' ? `"${name}" = '{"said":"٧٧٩٣٤١٢٥٦ and 779-341-256"}'` : `"${name}" = 'said 967${number}'`,
    )
    const rows = await sql(`update "${table}" set ${sets.join(', ')} where account_id = $1 returning 1`, [accountId])
    if (rows.length === 0) empty.push(table)
  }
  return empty
}

test('only owners find and erase, with a proof; a number that is none and a made-up cursor are refused', async () => {
  const body = { phone: number }
  for (const member of [story.manager, story.cashier, story.viewer])
    for (const path of ['find', 'erase'])
      assert.equal((await member.ask('POST', `/buyers/${path}/`, { body })).status, 403)
  const unproved = await createMember(story, accountId, 'owner')
  assert.equal((await unproved.askUnproved('POST', '/buyers/find/', { body })).status, 200)
  // A sign-in is a proof for ten minutes.
  clock.advance(11 * minute_ms)
  const refused = await unproved.askUnproved('POST', '/buyers/erase/', { body })
  assert.equal(`${refused.status} ${refused.body.errors[0].code}`, '403 confirmation_required')
  for (const [wrong, code] of [
    [{ phone: '77XXXX256' }, 'buyer_phone'],
    [{ phone: number, cursor: 'x' }, 'buyer_cursor'],
    [{ phone: number, cursor: Buffer.from('[2,["1"]]').toString('base64url') }, 'buyer_cursor'],
    [{ phone: number, cursor: Buffer.from('[999,[]]').toString('base64url') }, 'buyer_cursor'],
  ] as const) {
    const answer = await owner.ask('POST', '/buyers/find/', { body: wrong })
    assert.equal(`${answer.status} ${answer.body.errors[0].code}`, `400 ${code}`)
  }
})

test('what is recent or waits for a member stays, and is said; the rest goes', async () => {
  const found = await steps('find')
  assert.deepEqual([found.messages!.recent, found.messages!.waiting], [1, 1])
  assert.equal(found.claimed_payers!.recent, 1)
  assert.equal(found.customers!.recent, 1)
  // The log of changes says that a payer was claimed, and not who.
  assert.equal(found.audit!.found, 0)
  const [[entry]] = (await sql(`select "after"::text from audit_log where action = 'intent.payer'`)) as [[string]]
  assert.deepEqual(JSON.parse(entry), { name: '***************', phone: '+*** *******56' })
  const unclear = ok(await owner.ask('POST', '/buyers/find/', { body: { phone: '779349996' } })).body
  assert.ok((unclear.found as Found[]).every((one) => one.found === 0))
  const erased = await steps('erase')
  assert.equal(erased.messages!.erased + erased.claimed_payers!.erased, 0)
  assert.equal((await sql('select count(*) from alerts where erased_at is not null'))[0]![0], '0')
})

test('after the erase the number stands nowhere, and money is as it was', async () => {
  clock.advance(46 * day_ms)
  const others = await order(shop.wallet, '31.00')
  ok(await shop.sms(transferText('750', '2500', '779XXXX56')))
  const empty = await plant()
  // As earlier versions wrote it.
  const early = JSON.stringify({
    name: 'A made-up "buyer"',
    phone: `+967 ${number}`,
    mobile: Number(number),
    amount: '5.00',
  })
  await sql(
    `insert into audit_log (id, account_id, at, actor, via, action, kind, object_id, before, after)
     values (gen_random_uuid(), $1, $2, '', 'session', 'intent.payer', 'intent', $3, '{"name":"A made-up buyer","phone":""}', $4)`,
    [accountId, new Date(clock.now()).toISOString(), paid.id, early],
  )
  assert.deepEqual(empty.sort(), ['counter_sales', 'limit_requests', 'payment_links', 'push_devices'])
  await sql(`update owner_notices set facts = '{"said":"${number}"}' where account_id = $1`, [otherId])
  await sql(`update wallets set name = 'said ${number}' where account_id = $1`, [otherId])
  const ofOthers = await holding(otherId)

  const found = await steps('find')
  for (const kind of ['messages', 'claimed_payers', 'customers', 'payments', 'webhooks', 'api_answers', 'audit'])
    assert.ok(found[kind]!.found > 0, kind)
  assert.equal(found.messages!.unclear, 1)

  // Killed before the commit: nothing is half done, and the next start does it.
  await assert.rejects(
    db.transaction(async (tx) => {
      await eraseBuyer(tx, () => {}, hiding, scope, { phone: number, cursor: undefined, most: 2_000 }, clock.now())
      throw new Error('killed before the commit')
    }),
    /killed/,
  )
  assert.deepEqual(foundOf(await steps('find')), foundOf(found))
  // Small steps end where large ones do.
  const cursors: string[] = []
  let cursor: string | undefined
  do {
    const step = await db.transaction((tx) =>
      findBuyer(tx, hiding, scope, { phone: number, cursor, most: 1 }, clock.now()),
    )
    assert.ok(!('refused' in step))
    if ('refused' in step) return
    assert.ok(step.lookedAt <= 1 && !cursors.includes(step.cursor ?? 'end'))
    cursors.push(step.cursor ?? 'end')
    cursor = step.cursor ?? undefined
  } while (cursor !== undefined && cursors.length < 5_000)

  const erased = await steps('erase')
  for (const { kind, found: all, erased: gone, fixed, waiting } of Object.values(erased))
    assert.equal(gone + fixed + waiting, all, kind)
  const rest = () => holding(accountId)
  // The message about which a member must still decide keeps its text until then.
  assert.deepEqual(await rest(), ['alerts.raw_text'])
  await sql(`update alerts set state = 'debit' where account_id = $1 and state = 'unread' and raw_text like $2`, [
    accountId,
    `%${number}%`,
  ])
  assert.equal((await steps('erase')).messages!.erased, 1)
  assert.deepEqual(await rest(), [])
  const again = await steps('erase')
  assert.deepEqual(foundOf(again), {})
  const masked = (await sql(
    `select before::text, "after"::text from audit_log where action = 'intent.payer' order by length("after"::text) desc limit 1`,
  )) as [[string, string]]
  const [was, is] = masked[0].map((text) => JSON.parse(text))
  assert.deepEqual(was, { name: '***************', phone: '' })
  assert.deepEqual(is, { name: '*******************', phone: '+*** *******56', mobile: '******5', amount: '5.00' })
  // Nothing but stars may come into the log of changes, and only when it is said.
  for (const change of [`after = '{}'`, `actor = '*'`, `action = replace(action, 'a', '*')`])
    for (const said of ['none', 'payers', 'audit'])
      await assert.rejects(
        db.transaction(async (tx) => {
          await tx.run({ text: `select set_config('sanad.forgets', $1, true)`, values: [said] })
          await tx.run({ text: `update audit_log set ${change}`, values: [] })
        }),
        (fault: Error) => /append-only/.test(`${fault.message} ${fault.cause}`),
      )
  const [[entries]] = (await sql(`select count(*) from audit_log where action = 'account.erase_buyer'`)) as [[string]]
  assert.ok(Number(entries) >= 1)
  const [[after]] = (await sql(
    `select "after"::text from audit_log where action = 'account.erase_buyer' order by id desc limit 1`,
  )) as [[string]]
  assert.equal(JSON.parse(after).number_ends, '56')
  assert.ok(!after.includes(number))

  assert.deepEqual(await holding(otherId), ofOthers)
  assert.deepEqual(ofOthers, ['owner_notices.facts', 'wallets.name'])
  const states = await sql('select id::text, state, amount::text, reference_key from alerts order by id')
  assert.deepEqual(
    states.slice(0, before.length).filter(([, state]) => state === 'matched'),
    before.filter(([, state]) => state === 'matched'),
  )
  // The phone sends the spent message again: it is recognised, and nothing is paid twice.
  const sent = ok(await shop.phone.alerts([paidReport])).body.results[0]
  assert.equal(sent.status, 'duplicate', JSON.stringify(sent))
  const [[spent]] = (await sql(`select count(*) from alerts where wallet_id = $1 and state = 'matched'`, [
    shop.wallet,
  ])) as [[string]]
  assert.equal(spent, '1')
  assert.equal(await statusOf(paid.id), 'VERIFIED')
  // The order of another buyer is decided as always.
  assert.equal(await statusOf(others.id), 'PENDING')
  ok(await shop.sms(transferText(others.payable_amount, '2531', '770000000')))
  assert.equal(await statusOf(others.id), 'VERIFIED')
  assert.equal(ok(await askCheckout('GET', `/sessions/${checkout.id}/`)).status, 200)
  // Its body was made up.
  await sql(`delete from events where account_id = $1 and id = '019a0000-0000-7000-8000-000000000001'`, [accountId])
  await assertMoneyInvariants(sql)
})

test('the command finds, asks twice, erases, and says that nothing is left', async () => {
  await sql(`update intents set notes = 'said ${number}' where account_id = $1`, [accountId])
  assert.match((await sanad('buyer', 'find', '--account', accountId, '--phone', '12')).err, /no whole mobile number/)
  const [options, phone] = [
    ['--account', accountId],
    ['--phone', `+967${number}`],
  ]
  const found = await sanad('buyer', 'find', ...options, ...phone)
  assert.match(found.out, /^payments +found \d+, erased 0/m)
  assert.match(
    (await sanad('buyer', 'erase', ...options, ...phone, '--confirm', '00000000')).err,
    /not of what is found/,
  )
  const asked = await sanad('buyer', 'erase', ...options, ...phone)
  const code = /--confirm ([0-9a-f]{8})/.exec(asked.out)![1]!
  assert.ok((await holding(accountId)).includes('intents.notes'))
  const done = await sanad('buyer', 'erase', ...options, ...phone, '--confirm', code)
  assert.match(done.out, /^payments +found (\d+), erased \1/m, done.err)
  assert.ok(!(await holding(accountId)).includes('intents.notes'))
})
