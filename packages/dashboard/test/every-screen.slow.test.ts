/**
 * Every screen with data and without, in both languages: no serious fault, no sideways scrolling, every control reachable
 * by keyboard, and the first queries answered together with the page.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createAccount } from '../../server/src/wallets/entries/create-account.ts'
import { phone as phoneOf } from '../../server/test/support/phone.ts'
import { planted, plantIntents } from '../../server/test/support/plant-intents.ts'
import { purchaseText, transferText } from '../../server/test/support/sms-texts.ts'
import { createMember, createMembers } from '../../server/test/support/users.ts'
import { desktop, expectGood, expectKeyboard, type Look, phone as narrow, openDashboard } from './browser.ts'

const { service, openAs, visit } = await openDashboard()
const { demo, clock, sql } = service
const staff = await createMembers(service)
const phone = phoneOf(service.origin, clock.now, demo.device)
const newcomer = await createMember(service, await createAccount(service.db, 'A new shop', null, clock.now()), 'owner')

const statuses = ['VERIFIED', 'EXPIRED', 'CANCELLED', 'WRONG_AMOUNT', 'VERIFIED'] as const
await plantIntents(
  service.db,
  Array.from({ length: 1000 }, (_, i) =>
    planted({
      accountId: staff.accountId,
      walletId: i % 3 === 0 ? demo.wallets.second : demo.wallets.main,
      createdAt: clock.now() - (i + 1) * 1_100_000,
      status: statuses[i % statuses.length]!,
      payable: BigInt(50_000 + ((i * 7919) % 3_000_000)),
      externalOrderId: i % 4 === 0 ? '' : `طلب-${i} / A`,
      reference: i % 5 === 0 ? String(900_000_000_000 + i) : '',
    }),
  ),
)
// A realistic name: two scripts, numbers, brackets, and longer than any column.
const long = 'محفظة الفرع الثاني – شارع الزبيري، صنعاء (Branch No. 2, Al-Zubairi Street) </template> & 770 123 456'
await sql('update wallets set name = $2 where id = $1', [demo.wallets.second, long])
await phone.heartbeat()
const texts = [
  transferText('1000', '10000.00'),
  transferText('500', '12000.00'),
  purchaseText('1234567.5', '814000000001', 'محمد عبد الرحمن المثال'),
  `عرض خاص https://example.com/${'0123456789'.repeat(12)}`,
]
await phone.alerts(
  texts.map((text, i) => ({ client_id: `all-${i}`, kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1' })),
)
const { body: waiting } = await service.create({ external_order_id: `order-${'0123456789'.repeat(9)}` })
const { body: paid } = await service.create({ amount: '1234567.50' })
await service.ask('PATCH', `/intents/${paid.id}/`, { body: { reference: '814000000001' } })

const createByCashier = async (path: string, body: unknown): Promise<string> => {
  const answer = await staff.cashier.ask('POST', path, { body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}
const description = 'كرتون تمر خلاص كبير – Large box of dates, with a long name & a <b>'
const checkout = await createByCashier('/checkouts/', {
  amount: '1234567.5',
  description,
  external_order_id: `order-${'0123456789'.repeat(9)}`,
})
const link = await createByCashier('/payment-links/', { description, min_amount: '100', max_amount: '1234567.5' })
await createByCashier('/payment-links/', { amount: '1500' })

/** All screens without a parameter, and `more`: those of one record. */
const screens = (more: readonly string[]): string[] => [
  '/',
  '/counter',
  '/counter/new',
  '/intents',
  '/intents?new=1',
  '/unmatched',
  '/checkouts',
  '/checkouts?new=1',
  '/payment-links',
  '/payment-links?new=1',
  '/settings/payment-page',
  '/wallets',
  '/phones',
  '/keys',
  '/calls',
  '/day-close',
  '/shifts',
  '/first-payment',
  '/search',
  ...more,
]

const looks: Look[] = [narrow, { ...desktop, scheme: 'dark' }]
const [[unread]] = (await sql("select id from alerts where state = 'unread' limit 1")) as [[string]]
const paths = screens([
  `/intents/${waiting.id}`,
  `/intents/${paid.id}`,
  `/unmatched/${unread}`,
  `/phones/${demo.device.id}`,
  `/checkouts/${checkout}`,
  `/payment-links/${link}`,
  `/payment-links/${link}/poster`,
  '/search?q=814000000001',
  '/counter?q=0001',
  '/counter?q=nothing',
  `/counter/sale/${checkout}`,
  '/nowhere',
])

/** The queries of these screens are answered with the page. */
const answeredWithPage = paths.filter(
  (path) =>
    !path.includes('?') &&
    !path.endsWith('/poster') &&
    !path.startsWith('/counter/') &&
    !['/first-payment', '/nowhere', '/settings/payment-page'].includes(path),
)

/**
 * A query that is sent after the first view, on purpose: a suggestion counts up to 2,000 messages of a wallet, and the screen
 * does not wait for it. The pictures of Today and of links load when they are seen. The counter says that it is in view; it reads nothing.
 */
const isLater = (pathname: string): boolean =>
  /\/overview\/(days|hours|charts|links)\/$/.test(pathname) ||
  pathname.endsWith('/unique-amounts/') ||
  pathname.endsWith('/notifications/counter/')

/** Waits until no loading state is shown. */
const loaded = (page: Page): Promise<void> =>
  page.locator('main [role=status][aria-label]').first().waitFor({ state: 'detached' })

for (const look of looks)
  test(`every screen of an account with data fits and has no fault, ${look.language} at ${look.width}, ${look.scheme}`, async () => {
    const page = await openAs(staff.owner, look)
    const requests: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/') && !pathname.endsWith('/stream/') && !isLater(pathname)) requests.push(pathname)
    })
    for (const path of paths) {
      requests.length = 0
      await visit(page, path)
      await loaded(page)
      if (look === narrow && answeredWithPage.includes(path)) assert.deepEqual(requests, [], path)
      await expectGood(page, path)
      if (look !== narrow) await expectKeyboard(page, path)
      if (path === '/wallets') await page.getByText(long).waitFor()
    }
  })

test('every screen of an empty account fits and has no fault', async () => {
  const page = await openAs(newcomer, narrow)
  for (const path of screens([])) {
    await visit(page, path)
    await loaded(page)
    await expectGood(page, path)
  }
})
