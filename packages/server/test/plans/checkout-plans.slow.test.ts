/**
 * Query plans of checkouts and payment links in a large account. The dashboard's lists, and the statements that count each step
 * of a buyer, read about as many rows as they need, also with plans that were made while the tables were empty.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { takeReferenceTry } from '../../src/checkouts/buyer/reference-tries-sql.ts'
import { addCheckoutIntent, storeCheckoutEnd } from '../../src/checkouts/checkout-sql.ts'
import { countLinkOpened, paymentLinksAfter } from '../../src/checkouts/links/payment-link-sql.ts'
import { logoByHash } from '../../src/checkouts/logo/shop-logo-sql.ts'
import type { AccountId, CheckoutId, PaymentLinkId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import type { Session } from '../../src/postgres/connection/database.ts'
import {
  checkoutAtDistance,
  checkoutOfLinkAtDistance,
  checkoutsAfter,
  checkoutsOfLinkAfter,
} from '../../src/views/checkouts/checkout-pages-sql.ts'
import { openTestService } from '../support/story.ts'
import { preparedPlans } from './prepared-plans.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { sql, demo, clock } = service
const now = clock.now()
const [[accountId]] = (await sql('select account_id from devices where id = $1', [demo.device.id])) as [[AccountId]]
const many = 20_000
const id = <Id extends string>(kind: string, n: number): Id =>
  `${kind}${String(n).padStart(7, '0')}-0000-7000-8000-000000000000` as Id
const checkout = id<CheckoutId>('a', 10_000)
const link = id<PaymentLinkId>('b', 500)
const hash = Buffer.alloc(32, 7)

const all = { scope: wholeAccount(accountId), linkId: undefined, statuses: undefined, terms: [] }
const ofLink = { ...all, linkId: link }
const hot: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
  list: (session) => checkoutsAfter(session, all, checkout, undefined, 26, now),
  listPaid: (session) =>
    checkoutsAfter(session, { ...all, statuses: new Set(['COMPLETE']) }, undefined, undefined, 26, now),
  listOfLink: (session) => checkoutsOfLinkAfter(session, ofLink, undefined, undefined, 26, now),
  distance: (session) => checkoutAtDistance(session, all, undefined, 99),
  distanceOfLink: (session) => checkoutOfLinkAtDistance(session, ofLink, undefined, 9),
  links: (session) => paymentLinksAfter(session, wholeAccount(accountId), link, 26),
  opened: (session) => countLinkOpened(session, wholeAccount(accountId), link),
  chosen: (session) => addCheckoutIntent(session, wholeAccount(accountId), checkout, demo.wallets.main, false),
  sent: (session) => takeReferenceTry(session, wholeAccount(accountId), checkout, 20),
  paid: (session) => storeCheckoutEnd(session, wholeAccount(accountId), checkout, 'COMPLETE', now),
  logo: (session) => logoByHash(session, hash),
}
/** All except `chosen`: the intent that it adds does not exist, so a foreign key refuses it. */
const measured = Object.keys(hot).filter((name) => name !== 'chosen')

const { planAll, measure } = preparedPlans(service.databaseUrl, hot)

const fill = async (): Promise<void> => {
  await service.plant(
    `insert into payment_links (account_id, id, token_hash, amount, currency, life_s, created_by, created_at)
     select $1, ('b' || lpad(n::text, 7, '0') || '-0000-7000-8000-000000000000')::uuid, sha256(('link ' || n)::bytea), 1500, 'YER',
            3600, 'story', $2::timestamptz
       from generate_series(1, 1000) as n`,
    [accountId, new Date(now).toISOString()],
  )
  await service.plant(
    `insert into checkouts (account_id, id, token_hash, status, amount, currency, external_order_id, created_by, created_at,
                            expires_at, ended_at, search, link_id)
     select $1, ('a' || lpad(n::text, 7, '0') || '-0000-7000-8000-000000000000')::uuid, sha256(('checkout ' || n)::bytea),
            case when n % 3 = 0 then 'COMPLETE' when n % 3 = 1 then 'EXPIRED' else 'OPEN' end, 1500, 'YER', 'ORD-' || n, 'story',
            $2::timestamptz, $2::timestamptz, case when n % 3 < 2 then $2::timestamptz end, 'ord-' || n,
            ('b' || lpad((1 + n % 1000)::text, 7, '0') || '-0000-7000-8000-000000000000')::uuid
       from generate_series(1, $3::int) as n`,
    [accountId, new Date(now).toISOString(), many],
  )
}

/** These steps of a buyer may read all links of the account, at most 1,000. */
const steps = ['opened', 'sent', 'paid']

/** A list of 26, with the rows that belong to each, may read a few hundred of the rows and pages of twenty thousand checkouts. */
const assertFewReads = async (client: pg.Client): Promise<void> => {
  for (const name of measured) {
    const { rows, pages, way } = await measure(client, name)
    const [mostRows, mostPages] = steps.includes(name) ? [3_100, 100] : [700, 900]
    assert.ok(rows <= mostRows! && pages <= mostPages!, `${name}: ${rows} rows, ${pages} pages: ${way}`)
  }
}

await sql('vacuum analyze checkouts')
await sql('vacuum analyze payment_links')
const early = await planAll()
await fill()
const late = await planAll()
service.atEnd(async () => {
  await Promise.all([early.end(), late.end()])
})

test('plans that were made on empty tables read few rows', () => assertFewReads(early))

test('plans that were made on full tables read few rows, before and after they are analysed', async () => {
  await assertFewReads(late)
  await sql('vacuum analyze checkouts')
  await sql('vacuum analyze payment_links')
  await assertFewReads(late)
})
