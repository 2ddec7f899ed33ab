/**
 * Property: whatever members, buyers and the service do with the same money, in whatever order and two at a time, it pays at most one
 * intent; undone, a sale leaves nothing; its event is stored once and not before ten seconds.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { zoneOf } from '../../src/core/zone.ts'
import { finishSales } from '../../src/matching/queue/finish-sales.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { queueStory } from '../support/queue-story.ts'
import { type Answer, openTestService } from '../support/story.ts'
import { createMember } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, create, sql, db } = service
const story = await queueStory(service)
const huda = await createMember(service, story.accountId, 'cashier')
const zone = zoneOf('Asia/Aden')
// A phone that was connected today is a doubt.
clock.advance(2 * 24 * 3_600_000)

const amount = '1500.00'
/** What is done; `first` and `late` are two orders of the amount, the second made after the money came. */
const acts = [
  'take',
  'take by huda',
  'undo',
  'undo by huda',
  'finish',
  'book first',
  'book late',
  'attach first',
  'attach late',
  'cancel first',
  'hand over',
  'repeat',
  'dismiss',
  'undo dismissal',
] as const
type Act = (typeof acts)[number]
type Step = { readonly acts: readonly Act[]; readonly wait_ms: number }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    // Two acts are done at the same time.
    acts: fc.array(fc.constantFrom(...acts), { minLength: 1, maxLength: 2 }),
    wait_ms: fc.constantFrom(0, 1, 4_000, 9_999, 10_000),
  }),
  { minLength: 2, maxLength: 9 },
)

const startRun = async () => {
  const reference = story.newReference()
  const text = story.paid(amount, reference)
  const first = (await create({ amount })).body.id as string
  await story.record([story.report(text)])
  const [[alert]] = (await sql('select id from alerts where reference = $1', [reference])) as [[string]]
  const late = (await create({ amount })).body.id as string
  const book = (intent: string) =>
    story.cashier.ask('POST', `/unmatched/${alert}/book/`, {
      body: { intent, alert_amount: amount, intent_amount: amount, another_payment: true },
    })
  const take = (ask: typeof huda.ask) =>
    ask('POST', `/unmatched/${alert}/take-sale/`, {
      body: { amount, looked: true, another_payment: true, not_for_order: true },
    })
  const paidBy = async () =>
    (await sql(`select id from intents where alert_id = $1 and status = 'VERIFIED'`, [alert])).map(([id]) => id!)
  const does: Readonly<Record<Act, () => Promise<Answer | unknown>>> = {
    take: () => take(story.cashier.ask),
    'take by huda': () => take(huda.ask),
    undo: () => story.cashier.ask('POST', `/unmatched/${alert}/undo-sale/`),
    'undo by huda': () => huda.ask('POST', `/unmatched/${alert}/undo-sale/`),
    finish: () => finishSales({ db, zone }, 100, clock.now()),
    'book first': () => book(first),
    'book late': () => book(late),
    'attach first': () => story.attach(first, reference),
    'attach late': () => story.attach(late, reference),
    'cancel first': () => story.cashier.ask('POST', `/intents/${first}/cancel/`),
    'hand over': async () => {
      const [intent] = await paidBy()
      return intent === undefined ? undefined : huda.ask('POST', `/intents/${intent}/hand-over/`)
    },
    repeat: () => story.record([story.report(text)]),
    dismiss: () => story.cashier.ask('POST', `/unmatched/${alert}/dismiss/`, { body: { reason: 'a test' } }),
    'undo dismissal': () => story.cashier.ask('POST', `/unmatched/${alert}/undo-dismiss/`),
  }
  return { alert, does, paidBy }
}

/** What must hold after every step. */
const check = async (alert: string, paidBy: () => Promise<string[]>): Promise<void> => {
  const paid = await paidBy()
  assert.ok(paid.length <= 1, 'one message paid two intents')
  const events = await sql(`select created_at from events where alert_id = $1 and kind = 'payment.verified'`, [alert])
  assert.equal(events.length, paid.length, 'a paid intent has one event, and nothing else has one')
  const [sale] = await sql('select intent_id, due_at from counter_sales where alert_id = $1', [alert])
  const [[state, takenFrom]] = (await sql('select state, taken_from from alerts where id = $1', [alert])) as [
    [string, string | null],
  ]
  const takings = await sql('select user_id from takings where alert_id = $1', [alert])
  if (sale === undefined) assert.equal(takenFrom, null, 'an undone sale left its mark')
  else if (sale[0] === null) assert.equal(paid.length, 0, 'a sale that can be undone has paid an intent')
  else assert.deepEqual([...paid], [sale[0]])
  if (state !== 'matched' && state !== 'booked') assert.equal(takings.length, 0, 'an undone sale left its taking')
  if (state === 'booked') assert.equal(takings.length, 1)
}

test('property: take, undo, finish, book, attach, cancel, hand over and dismiss in any order, two at a time', async () => {
  const seen = { taken: 0, finished: 0, undone: 0, otherwise: 0 }
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const { alert, does, paidBy } = await startRun()
      for (const { acts: both, wait_ms } of list) {
        const answers = await Promise.all(both.map((act) => does[act]()))
        for (const [n, act] of both.entries()) {
          const answer = answers[n]
          const status = (answer as Answer | undefined)?.status
          if (typeof status === 'number') assert.ok(status < 500, `${act}: ${(answer as Answer).text}`)
          if (act.startsWith('take') && status === 200) seen.taken++
          if (act.startsWith('undo') && !act.endsWith('dismissal') && status === 200) seen.undone++
        }
        await check(alert, paidBy)
        clock.advance(wait_ms)
      }
      clock.advance(10_000)
      await finishSales({ db, zone }, 100, clock.now())
      await finishSales({ db, zone }, 100, clock.now())
      await check(alert, paidBy)
      const [sale] = await sql('select intent_id from counter_sales where alert_id = $1', [alert])
      if (sale !== undefined) {
        assert.notEqual(sale[0], null, 'a sale was not finished')
        seen.finished++
      } else if ((await paidBy()).length > 0) seen.otherwise++
    }),
    { numRuns: 120 },
  )
  await assertMoneyInvariants(sql)
  // The runs did what they are for.
  for (const [what, count] of Object.entries(seen)) assert.ok(count >= 5, `${what}: ${count}`)
})
