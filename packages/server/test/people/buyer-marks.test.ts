/**
 * What is left of a buyer, and of an account, after each way of forgetting: a name and a number go in by every way that takes them,
 * then every column of every table, the log and the archive of the account are looked through.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { usualRetention } from '../../src/accounts/retention/retention.ts'
import { hidingBy } from '../../src/alerts/hidden/hidden-text.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { day_ms, minute_ms } from '../../src/core/duration.ts'
import { timeOrderedId } from '../../src/core/ids.ts'
import { eraseOld } from '../../src/work/erase-old.ts'
import { openAttacks } from '../attacks/attack-story.ts'
import { commandsOf } from '../support/commands.ts'
import { columnsWith } from '../support/rows/marks.ts'
import { depositText, transferText } from '../support/sms-texts.ts'
import { askAt } from '../support/story.ts'

const name = 'Zubaydah Madeupname'
const number = '779341256'
const marks = [name, number]

const folder = mkdtempSync(join(tmpdir(), 'sanad-marks-'))
after(() => rmSync(folder, { recursive: true }))

/** A shop with a buyer whose name and number went in by every way that takes them. */
const open = async () => {
  const story = await openAttacks()
  const { clock, newShop, ok, order, origin, owner, sql, statusOf } = story
  ok(
    await owner.ask('POST', '/webhooks/', {
      body: { url: 'https://merchant.example/hook', events: ['payment.verified', 'payment.unmatched'] },
    }),
  )
  const shop = await newShop({ provider: shippedProviderId('mfloos'), sender_name: 'MFloos' })
  const transfers = await newShop()
  await story.uniqueAmounts(transfers.wallet)
  const said = { sender: 'MFloos' }
  const deposit = (amount: string, reference: string) => depositText(amount, reference).replace('علي صالح المثال', name)

  // A member says who pays; the messages say it too.
  const paid = await order(transfers.wallet, '750.00')
  ok(await owner.ask('POST', `/intents/${paid.id}/payer/`, { body: { name, phone: `+967 ${number}` } }))
  ok(await transfers.sms(transferText(paid.payable_amount, '1750', number)))
  assert.equal(await statusOf(paid.id), 'VERIFIED')
  const attached = await order(shop.wallet, '700.00')
  await story.attach(attached.id, '700700700')
  ok(await shop.sms(deposit('700', '700700700'), said))
  assert.equal(await statusOf(attached.id), 'VERIFIED')
  // Unmatched money is announced, taken as a sale, set aside, booked.
  ok(await shop.sms(deposit('811', '811811811'), said))
  ok(await shop.sms(deposit('812', '812812812'), said))
  ok(await shop.sms(deposit('813', '813813813'), said))
  const [sale, aside, book] = (
    await sql(`select id::text from alerts where amount in (81100, 81200, 81300) order by amount`)
  ).map(([id]) => id as string)
  const late = await order(shop.wallet, '813.00')
  const told = [
    await owner.ask('POST', `/unmatched/${sale}/take-sale/`, { body: { amount: '811.00', note: 'from the shelf' } }),
    await owner.ask('POST', `/unmatched/${aside}/dismiss/`, { body: { reason: 'ours' } }),
    await owner.ask('POST', `/unmatched/${book}/book/`, {
      body: { intent: late.id, alert_amount: '813.00', intent_amount: '813.00' },
    }),
  ]
  // A checkout with a customer, by the API; asked for again with its key.
  const token = await story.tokenFor(story.demo.client_id, story.demo.client_secret)
  const create = (body: Record<string, unknown>) =>
    askAt(`${origin}/api/v1/checkout/sessions/`, 'POST', { token, body, headers: { 'idempotency-key': 'made-up-key' } })
  const customer = { name, phone: `+967 ${number}` }
  ok(await create({ amount: '80.00', customer }))
  ok(await create({ amount: '80.00', customer }))
  // A call that is refused: its body is in the log of calls.
  assert.equal((await create({ amount: 'none', customer })).status, 400)
  // It is written after the answer.
  const logged = () => sql(`select from api_calls where request_body like '%' || $1 || '%'`, [name])
  while ((await logged()).length === 0) await delay(20)
  // Messages that are no money.
  ok(await shop.sms(`${name} ${number} says good morning`, said))
  ok(await shop.sms(`${name} ${number} says good morning`, { sender: 'Somebody' }))
  clock.advance(minute_ms)
  return { ...story, shop, told }
}

test('the buyer went in by many ways, and neither the log of changes nor the log has a mark', async () => {
  const story = await open()
  for (const answer of story.told) assert.ok(answer.status < 300, answer.text)
  const found = await columnsWith(story.sql, marks)
  for (const place of ['alerts.payer', 'alerts.raw_text', 'checkouts.customer_name', 'claimed_payers.phone'])
    assert.ok(found.includes(place), `${place} is not in ${found.join(', ')}`)
  assert.deepEqual(
    found.filter((place) =>
      /^(?:audit_log|owner_notices|user_notices|events|deliver|intents|intent_moves)/.test(place),
    ),
    [],
  )
  assert.deepEqual(
    story.lines.filter((line) => marks.some((mark) => line.includes(mark))),
    [],
  )

  const file = join(folder, 'before.tar')
  const { sanad } = commandsOf(story)
  assert.equal((await sanad('account', 'export', '--account', story.accountId, '--to', file)).code, 0)
  assert.ok(marks.every((mark) => readFileSync(file, 'utf8').includes(mark)))

  // Forgotten by number, after the days in which messages are compared.
  story.clock.advance(46 * day_ms)
  await story.sql(`update alerts set state = 'debit', reason = '' where state = 'unread'`)
  let cursor: string | null = null
  do {
    const body: Record<string, unknown> = { phone: number, ...(cursor === null ? {} : { cursor }) }
    const answer = story.ok(await story.owner.ask('POST', '/buyers/erase/', { body })).body
    cursor = answer.cursor
  } while (cursor !== null)
  assert.deepEqual(await columnsWith(story.sql, [number]), [])
  // The name stays where no number is beside it, in messages that name the payer alone; and in calls, for their seven days.
  assert.deepEqual(await columnsWith(story.sql, [name]), ['alerts.payer', 'alerts.raw_text', 'api_calls.request_body'])
  const later = join(folder, 'forgotten.tar')
  assert.equal((await sanad('account', 'export', '--account', story.accountId, '--to', later)).code, 0)
  assert.ok(!readFileSync(later, 'utf8').includes(number))
})

test('after the days of retention no column holds the name or the number, in entries of earlier versions neither', async () => {
  const story = await open()
  const { clock, db, sql } = story
  const at = new Date(clock.now()).toISOString()
  for (const [action, json] of [
    ['intent.payer', { name, phone: number }],
    ['intent.create', { notes: `call ${number}` }],
  ] as const)
    await sql(
      `insert into audit_log (id, account_id, at, actor, via, action, kind, object_id, before, after)
       values ($1, $2, $3, '', 'session', $4, 'intent', 'made-up', $5, $5)`,
      [timeOrderedId(clock.now()), story.accountId, at, action, JSON.stringify(json)],
    )
  assert.ok((await columnsWith(sql, marks)).includes('audit_log.after'))
  const deps = { db, hiding: hidingBy(story.masterKey), retention: usualRetention }
  const longest = Math.max(usualRetention.texts, usualRetention.payers, usualRetention.no_money) + 366
  clock.advance(longest * day_ms)
  for (let runs = 0; runs < 1_000; runs++) if (!(await eraseOld(deps, 500, clock.now()))) break
  assert.deepEqual(await columnsWith(sql, marks), [])
  const [[left]] = (await sql(`select count(*) from audit_log where object_id = 'made-up'`)) as [[string]]
  assert.equal(left, '2')
})
