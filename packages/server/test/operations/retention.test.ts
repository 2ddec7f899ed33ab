/** What is old is erased: what goes, what stays, and that money is decided as before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longestRetention, readRetention, retentionBounds } from '../../src/accounts/retention/retention.ts'
import { matchable_ms } from '../../src/alerts/alert.ts'
import { hidingBy } from '../../src/alerts/hidden/hidden-text.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import type { ApiCallId } from '../../src/calls/api-call.ts'
import { insertApiCalls } from '../../src/calls/api-calls-sql.ts'
import { day_ms, hour_ms } from '../../src/core/duration.ts'
import { type ClientId, timeOrderedId } from '../../src/core/ids.ts'
import { REST_PAID_MS, REST_UNPAID_MS } from '../../src/intents/payable/unique-amounts.ts'
import { clockError_ms, oldest_ms, samePayment_ms, untimed_ms } from '../../src/matching/rules/same-payment.ts'
import { eraseOld } from '../../src/work/erase-old.ts'
import { openAttacks } from '../attacks/attack-story.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { depositText, purchaseText, transferText } from '../support/sms-texts.ts'

const longestWindow_ms = 30 * day_ms
const sender = 'MFloos'
const mfloos = { provider: shippedProviderId('mfloos'), sender_name: sender }

const open = async () => {
  const story = await openAttacks()
  const hiding = hidingBy(story.masterKey)
  const retention = { texts: 60, no_money: 30, payers: 60, api_calls: 7, audit: 365 }
  const erase = async (most = 500) => {
    // As often as it says that there is more, and never for ever.
    for (let runs = 0; runs < 1_000; runs++)
      if (!(await eraseOld({ db: story.db, hiding, retention }, most, story.clock.now()))) return
    assert.fail('erasing does not end')
  }
  return { ...story, erase, hiding, retention }
}

test('no time is shorter than what matching compares and what a member still decides', () => {
  const { texts, payers, no_money } = retentionBounds
  assert.ok(texts.least * day_ms > oldest_ms + untimed_ms + samePayment_ms + clockError_ms)
  for (const least of [texts.least, payers.least])
    for (const time of [longestWindow_ms + REST_PAID_MS, REST_UNPAID_MS, matchable_ms + longestWindow_ms])
      assert.ok(least * day_ms > time, `${least} days`)
  assert.ok(no_money.least * day_ms > matchable_ms + untimed_ms)
  for (const { usual, least } of Object.values(retentionBounds)) assert.ok(usual >= least && usual <= longestRetention)
})

test('the setting of the environment changes single kinds and refuses what is too short', () => {
  const read = readRetention('{"texts": 90}')
  assert.ok(read.ok && read.retention.texts === 90 && read.retention.audit === retentionBounds.audit.usual)
  for (const [setting, why] of [
    ['{"texts": 44}', /"texts" must be whole days from 45 to 3650/],
    ['{"audit": 364}', /"audit" must be whole days from 365/],
    ['{"text": 90}', /There is no kind "text"/],
    ['[]', /an object/],
    ['texts=90', /not JSON/],
  ] as const) {
    const wrong = readRetention(setting)
    assert.ok(!wrong.ok && why.test(wrong.error), setting)
  }
})

const story = await open()
const { alerts, attach, clock, erase, newShop, ok, order, owner, sql, statusOf } = story

test('old texts, payers, customers and messages go; amounts, references and states stay', async () => {
  const shop = await newShop(mfloos)
  const paid = await order(shop.wallet, '700.00')
  await attach(paid.id, '700700700')
  ok(await shop.sms(depositText('700', '700700700'), { sender }))
  assert.equal(await statusOf(paid.id), 'VERIFIED')
  ok(await shop.sms('Good morning from the shop of the neighbours', { sender }))
  ok(await shop.sms(depositText('800', '800800800').slice(0, -2), { sender }))
  ok(await owner.ask('POST', `/intents/${(await order(shop.wallet, '5.00')).id}/payer/`, { body: { name: 'Salem' } }))
  const shown = async () =>
    (
      await sql(
        `select concat_ws(',', state, coalesce(amount::text, ''), coalesce(reference_key, ''),
                          case raw_text when '' then 'no text' else 'text' end,
                          case when payer is null then 'no payer' else 'payer' end)
           from alerts where wallet_id = $1 order by id`,
        [shop.wallet],
      )
    ).map(([line]) => line as string)
  const before = await shown()
  clock.advance(31 * day_ms)
  await erase()
  assert.deepEqual(
    (await shown()).map((line) => line.replace(/^hidden,,,no text/, 'unread,,,text')),
    before,
  )
  clock.advance(30 * day_ms)
  await erase(1)
  const lines = await shown()
  assert.ok(lines.includes('matched,70000,700700700,no text,no payer'), lines.join('\n'))
  assert.equal(lines.filter((line) => /^review,.*,text,payer$/.test(line)).length, 1, lines.join('\n'))
  assert.equal(Number((await sql('select count(*) from claimed_payers'))[0]![0]), 0)
  clock.advance(366 * day_ms)
  await erase()
  assert.ok((await shown()).every((line) => line.includes('no text')))
  const [late] = await alerts(`wallet_id = $1 and state = 'dismissed'`, [shop.wallet])
  const undo = await owner.ask('POST', `/unmatched/${late!.id}/undo-dismiss/`)
  assert.equal(`${undo.status} ${undo.body.errors[0].code}`, '400 alert_erased')
  await assertMoneyInvariants(sql)
})

test('calls and audit entries are deleted by account; an entry of the last year never is', async () => {
  const count = async (table: string, path = '') =>
    Number(
      (
        await sql(`select count(*) from ${table} where account_id = $1${path && ` and path = '${path}'`}`, [
          story.accountId,
        ])
      )[0]![0],
    )
  // Written here: the calls of this test are written later, in batches.
  const call = (at: number) => ({
    id: timeOrderedId<ApiCallId>(at),
    accountId: story.accountId,
    at,
    clientId: 'a'.repeat(32) as ClientId,
    method: 'GET',
    path: '/made-up',
    status: 200,
    code: '',
    took_ms: 1,
    requestId: 'made-up',
    requestBody: '',
    errorBody: '',
    hint: '',
    ignored: '',
    skipped: 0,
  })
  clock.advance(2 * hour_ms)
  const now = clock.now()
  await insertApiCalls(story.db, [
    call(now - 8 * day_ms),
    call(now - 7 * day_ms - 1),
    call(now - 7 * day_ms + 1),
    call(now),
  ])
  ok(await owner.ask('PATCH', '/retention/', { body: { audit: 400 } }))
  await erase()
  assert.equal(await count('api_calls', '/made-up'), 2)
  const kept = await count('audit_log')
  await assert.rejects(
    sql(`with s as (select set_config('sanad.forgets', 'none', true)) delete from audit_log using s`),
    /append-only/,
  )
  clock.advance(401 * day_ms)
  await erase()
  assert.ok(kept > 0 && (await count('audit_log')) === 0)
})

test('an owner sets the days within their bounds; another account and other roles see nothing of it', async () => {
  const refused = await owner.ask('PATCH', '/retention/', { body: { texts: 44 } })
  assert.equal(
    `${refused.status} ${refused.body.errors[0].code} ${refused.body.errors[0].attr}`,
    '400 retention_bounds texts',
  )
  ok(await owner.ask('PATCH', '/retention/', { body: { texts: 45, no_money: null } }))
  const { kept } = ok(await owner.ask('GET', '/retention/')).body
  const texts = kept.find(({ kind }: { kind: string }) => kind === 'texts')
  assert.deepEqual(texts, { kind: 'texts', days: 45, usual_days: 730, least_days: 45, most_days: 3650 })
  for (const member of [story.manager, story.cashier, story.viewer])
    assert.equal((await member.ask('GET', '/retention/')).status, 403)
})

test('a node that is killed in the middle leaves nothing half done, and two nodes do not do the same', async () => {
  const shop = await newShop(mfloos)
  for (let n = 0; n < 6; n++) ok(await shop.sms(depositText('910', `91091091${n}`), { sender }))
  clock.advance(61 * day_ms)
  const { db, hiding, retention } = story
  const killed = {
    ...db,
    transaction: <T>(work: (tx: Parameters<Parameters<typeof db.transaction>[0]>[0]) => Promise<T>) =>
      db.transaction(async (tx) => {
        await work(tx)
        throw new Error('killed before the commit')
      }),
  } as unknown as typeof db
  const left = async () =>
    Number((await sql(`select count(*) from alerts where wallet_id = $1 and raw_text <> ''`, [shop.wallet]))[0]![0])
  await assert.rejects(eraseOld({ db: killed, hiding, retention }, 2, clock.now()), /killed/)
  assert.equal(await left(), 6)
  for (let runs = 0; runs < 200; runs++) {
    const more = await Promise.all([1, 2, 3].map(() => eraseOld({ db, hiding, retention }, 2, clock.now())))
    if (!more.includes(true)) break
  }
  assert.equal(await left(), 0)
})

/** A number that looks random and is the same in every run. */
const generator = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

test('reports, references and bookings are decided the same with and without an erase in between', async () => {
  const [plain, erased] = [await open(), await open()]
  let [verified, repeated] = [0, 0]
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const results: string[][] = []
    for (const side of [plain, erased]) {
      const random = generator(seed)
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
      const unique = seed % 2 === 0
      const shop = await side.newShop(unique ? {} : mfloos)
      const from = { sender: unique ? 'Jawali' : sender }
      const orders: string[] = []
      const sent: (readonly [string, Record<string, unknown>])[] = []
      const outcomes: string[] = []
      const step = async (late: boolean) => {
        const reference = `55${seed}00${Math.floor(random() * 4)}`
        const text = unique
          ? pick([purchaseText('40', reference), transferText('40', String(1_000 + Math.floor(random() * 3) * 40))])
          : pick([depositText('40', reference), depositText('40', reference).slice(0, -3)])
        const act = pick(['order', 'attach', 'report', 'again', 'same id', 'late copy'])
        const intent = await side.order(shop.wallet, '40.00')
        orders.push(intent.id)
        if (act === 'attach') outcomes.push(String((await side.attach(intent.id, reference)).status))
        if (act === 'report') {
          if (random() < 0.7) await side.attach(intent.id, reference)
          const at = side.seconds()
          const report = { client_id: `id-${seed}-${sent.length}`, sent_at: at, received_at: at, ...from }
          sent.push([text, report])
          outcomes.push(String((await shop.sms(text, report)).status))
        }
        if (sent.length === 0) return
        const [said, report] = pick(sent)
        if (act === 'same id')
          outcomes.push(JSON.stringify((await shop.sms(said, report)).body.results?.[0]?.status ?? ''))
        if (act === 'again' || (act === 'late copy' && late)) {
          await side.attach(intent.id, /\d{6}/.exec(said)?.[0] ?? reference)
          await shop.sms(said, { ...report, client_id: `again-${seed}-${outcomes.length}` })
        }
        side.clock.advance(Math.floor(random() * 40) * 60_000)
      }
      for (let n = 0; n < 10; n++) await step(false)
      side.clock.advance(62 * day_ms)
      if (side === erased) await side.erase(3)
      for (let n = 0; n < 10; n++) await step(true)
      for (const id of orders) outcomes.push(await side.statusOf(id))
      const rows = await side.alerts('wallet_id = $1', [shop.wallet])
      outcomes.push(...rows.map(({ state, reason, amount }) => `${state} ${reason} ${amount}`))
      results.push(outcomes)
      await assertMoneyInvariants(side.sql)
    }
    assert.deepEqual(results[1], results[0], `seed ${seed}`)
    verified += results[0]!.filter((outcome) => outcome === 'VERIFIED').length
    repeated += results[0]!.filter((outcome) => outcome.startsWith('duplicate')).length
  }
  const [[erasedRows]] = (await erased.sql('select count(*) from alerts where erased_at is not null')) as [[string]]
  // The sequences do what they are there for.
  assert.ok(Number(erasedRows) > 10 && verified > 2 && repeated > 5, `${erasedRows} erased, ${verified}, ${repeated}`)
})
