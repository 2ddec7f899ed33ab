/** The funnel of payment links by day: the steps of each day, in the shop's time zone, for all links or for one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showFunnelDays } from '@sanad/contract/dashboard/checkouts/funnel-days'
import { Check } from 'typebox/value'
import { pruneLinkViews } from '../../src/checkouts/links/payment-link-sql.ts'
import type { AccountId, WalletId } from '../../src/core/ids.ts'
import { funnelInPeriods } from '../../src/views/checkouts/funnel-sql.ts'
import { errorsOf } from '../support/story.ts'
import { createMembers } from '../support/users.ts'
import { openCheckouts } from './checkout-story.ts'

const service = await openCheckouts()
const { clock, demo, open, pay, send, sweep } = service
// 23:30 in Aden, where the day ends at 21:00 UTC.
clock.advance(Date.parse('2026-05-04T20:30:00Z') - clock.now())
const members = await createMembers(service)
const minute_ms = 60_000

type Day = Record<'opened' | 'started' | 'chosen' | 'sent' | 'paid' | 'paid_unsent', number> & { date: string }
const daysOf = async (query = '', member = members.viewer): Promise<Day[]> => {
  const answer = await member.ask('GET', `/overview/links/${query}`)
  assert.equal(answer.status, 200, answer.text)
  assert.ok(Check(showFunnelDays.answer, answer.body), answer.text)
  return answer.body.days
}
const steps = ({ opened, started, chosen, sent, paid, paid_unsent }: Day): number[] => [
  opened,
  started,
  chosen,
  sent,
  paid,
  paid_unsent,
]
const newLink = async (body: Record<string, unknown> = {}) => {
  const { body: made } = await members.cashier.ask('POST', '/payment-links/', { body: { amount: '1500', ...body } })
  return { id: made.id as string, page: new URL(made.url).pathname }
}
const view = (page: string) => open(`${page}/seen`, { 'sec-fetch-dest': 'image' })
const start = async (page: string): Promise<string> => String((await send(page, {})).headers.location).split('?')[0]!

test('without links every day is zero, and the last of 14 days is today', async () => {
  const days = await daysOf()
  assert.equal(days.length, 14)
  assert.deepEqual([days[0]!.date, days.at(-1)!.date], ['2026-04-21', '2026-05-04'])
  assert.ok(days.every((day) => steps(day).every((count) => count === 0)))
  assert.equal((await daysOf('?days=31')).length, 31)
  for (const days of ['0', '32', '-1', '1.5', 'x'])
    assert.deepEqual(errorsOf(await members.viewer.ask('GET', `/overview/links/?days=${days}`)), ['invalid@days'])
})

const honey = await newLink({ description: 'Honey' })
const dates = await newLink({ description: 'Dates', wallets: [demo.wallets.second] })

test('a buyer counts at every step on the day of the checkout, also when paid after midnight', async () => {
  // Three look, two go on, one chooses a wallet and sends a reference before midnight, and pays after it.
  for (let times = 0; times < 3; times++) await view(honey.page)
  const [first] = [await start(honey.page), await start(honey.page)]
  clock.advance(20 * minute_ms)
  await send(`${first}/wallet/`, { wallet: demo.wallets.main })
  await send(`${first}/reference/`, { reference: '670000000001' })
  assert.deepEqual(steps((await daysOf()).at(-1)!), [3, 2, 1, 1, 0, 0])

  clock.advance(15 * minute_ms)
  await pay('1500', '670000000001')
  await sweep()
  const [before, today] = (await daysOf('?days=2')) as [Day, Day]
  assert.deepEqual([before.date, today.date], ['2026-05-04', '2026-05-05'])
  assert.deepEqual(steps(before), [3, 2, 1, 1, 1, 0])
  assert.deepEqual(steps(today), [0, 0, 0, 0, 0, 0])
})

test('a view at midnight belongs to the new day, a millisecond earlier to the old one', async () => {
  clock.advance(Date.parse('2026-05-05T20:59:59.999Z') - clock.now())
  await view(dates.page)
  clock.advance(1)
  await view(dates.page)
  await view(dates.page)
  const [before, today] = (await daysOf(`?days=2&link=${dates.id}`)) as [Day, Day]
  assert.deepEqual([before.opened, today.opened], [1, 2])
})

test('a buyer whose browser loads no pictures counts as opened; what a link has too many is not taken from another', async () => {
  await start(dates.page)
  await start(dates.page)
  await start(dates.page)
  await view(honey.page)
  // Three of one link, though it had two views; one view of the other.
  assert.deepEqual(steps((await daysOf('?days=1'))[0]!), [4, 3, 0, 0, 0, 0])
  assert.deepEqual(steps((await daysOf(`?days=1&link=${dates.id}`))[0]!), [3, 3, 0, 0, 0, 0])
  assert.deepEqual(steps((await daysOf(`?days=1&link=${honey.id}`))[0]!), [1, 0, 0, 0, 0, 0])
})

test('a checkout that no link made counts nowhere, and other accounts see nothing', async () => {
  const token = await service.tokenFor(demo.client_id, demo.client_secret)
  const alone = await service.askCheckout('POST', '/sessions/', { token, body: { amount: '1500.00' } })
  await send(`${new URL(alone.body.url).pathname}/wallet/`, { wallet: demo.wallets.main })
  assert.deepEqual(steps((await daysOf('?days=1'))[0]!), [4, 3, 0, 0, 0, 0])
  assert.deepEqual(steps((await daysOf('?days=1', members.stranger))[0]!), [0, 0, 0, 0, 0, 0])
  assert.deepEqual(steps((await daysOf(`?days=1&link=${honey.id}`, members.stranger))[0]!), [0, 0, 0, 0, 0, 0])
})

test('who sees some wallets only sees the links of these wallets', async () => {
  const bounds = [Date.parse('2026-05-03T21:00:00Z'), Date.parse('2026-05-06T21:00:00Z')]
  const scope = (wallets: readonly string[] | null) => ({
    accountId: members.accountId as AccountId,
    wallets: wallets as WalletId[] | null,
    today: null,
  })
  const opened = async (wallets: readonly string[] | null) =>
    (await funnelInPeriods(service.db, scope(wallets), undefined, bounds)).map((row) => row.opened)
  assert.deepEqual(await opened(null), [7])
  assert.deepEqual(await opened([demo.wallets.second]), [3])
  assert.deepEqual(await opened([demo.wallets.main]), [])
})

test('the days add up to the funnel of the link', async () => {
  for (const { id } of [honey, dates]) {
    const { funnel } = (await members.viewer.ask('GET', `/payment-links/${id}/`)).body
    const days = await daysOf(`?link=${id}`)
    for (const step of ['started', 'chosen', 'sent', 'paid'] as const)
      assert.equal(
        days.reduce((sum, day) => sum + day[step], 0),
        funnel[step],
        step,
      )
  }
})

test('counts of views are deleted when they are old', async () => {
  const left = async () => Number((await service.sql('select count(*) from link_views'))[0]![0])
  const all = await left()
  assert.ok(all >= 3)
  assert.equal((await pruneLinkViews(service.db, Date.parse('2026-05-05T20:59:00Z'), 1)).length, 1)
  assert.equal((await pruneLinkViews(service.db, clock.now() + 1, 100)).length, all - 1)
  assert.equal(await left(), 0)
})
