/** Checkouts in the dashboard: members create, find, read and cancel them, by role, and never those of another account. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { listCheckouts, showCheckout } from '@sanad/contract/dashboard/checkouts/checkouts'
import { Check } from 'typebox/value'
import { wholeAccount } from '../../src/core/scope.ts'
import { pageOfCheckouts } from '../../src/views/checkouts/page-checkouts.ts'
import { errorsOf } from '../support/story.ts'
import { openStream } from '../support/stream-client.ts'
import { createMembers } from '../support/users.ts'
import { openCheckouts, textOf } from './checkout-story.ts'

const service = await openCheckouts()
const { clock, demo, newCheckout, open, pay, send } = service
const members = await createMembers(service)
const path = '/checkouts/'

const created = async (body: Record<string, unknown> = {}, member = members.cashier) => {
  const answer = await member.ask('POST', path, { body: { amount: '1500', ...body } })
  assert.equal(answer.status, 201, answer.text)
  assert.ok(Check(showCheckout.answer, answer.body), answer.text)
  const { url, qr_svg } = answer.body
  assert.ok(url !== null && qr_svg !== null)
  return { ...answer.body, url, qr_svg }
}
const idsOf = async (query: string, member = members.viewer): Promise<string[]> =>
  (await member.ask('GET', `${path}?${query}`)).body.results.map(({ id }: { id: string }) => id)
const kindsOf = (shown: { timeline: { kind: string; by: { kind: string } }[] }): string[] =>
  shown.timeline.map(({ kind, by }) => `${kind} by ${by.kind}`)

test('a cashier creates a checkout, shares its link, and sees what the buyer does with it', async () => {
  const shared = await created({ external_order_id: 'D-1', description: 'Dates', expires_in: 86_400 })
  assert.deepEqual([shared.status, shared.amount, shared.created_by.kind], ['OPEN', '1500.00', 'person'])
  assert.match(shared.qr_svg, /^<svg/)
  const page = new URL(shared.url).pathname
  assert.match(textOf((await open(page)).text), /D-1/)
  await send(`${page}/wallet/`, { wallet: demo.wallets.second })
  await send(`${page}/wallet/`, { wallet: demo.wallets.main })
  await pay('1400', '670000000001')
  await send(`${page}/reference/`, { reference: '670000000001' })
  clock.advance(1000)
  // The list also shows the wrong amount that arrived.
  const listed = async () =>
    (await members.viewer.ask('GET', path)).body.results.find(({ id }: { id: string }) => id === shared.id)
  assert.deepEqual([(await listed()).status, (await listed()).arrived], ['OPEN', '1400.00'])
  await send(`${page}/wallet/`, { wallet: demo.wallets.main })
  await send(`${page}/reference/`, { reference: '670000000002' })
  clock.advance(1000)
  await pay('1500', '670000000002')
  const shown = (await members.viewer.ask('GET', `${path}${shared.id}/`)).body
  assert.ok(Check(showCheckout.answer, shown))
  assert.deepEqual([shown.status, shown.paid], ['COMPLETE', '1500.00'])
  assert.equal((await listed()).arrived, null)
  assert.deepEqual(kindsOf(shown), [
    'created by person',
    'wallet by buyer',
    'intent_cancelled by buyer',
    'wallet by buyer',
    'reference by buyer',
    'wrong_amount by reference',
    'wallet by buyer',
    'reference by buyer',
    'verified by alert',
    'completed by clock',
  ])
  const wrong = shown.timeline.find(({ kind }) => kind === 'wrong_amount')
  assert.deepEqual(wrong?.facts, { payable: '1500.00', paid: '1400.00' })
  // The timeline of the intent also names the buyer as the actor.
  const intent = (await members.viewer.ask('GET', `/intents/${shown.intents.at(-1)?.id}/`)).body
  assert.equal(intent.timeline.find(({ kind }: { kind: string }) => kind === 'reference').by.kind, 'buyer')
})

test('a viewer sees checkouts without the URLs of their pages, because a URL lets one act as the buyer', async () => {
  const { id, url } = await created({ external_order_id: 'D-2' })
  const shown = (await members.viewer.ask('GET', `${path}${id}/`)).body
  assert.deepEqual([shown.url, shown.qr_svg, shown.external_order_id], [null, null, 'D-2'])
  const token = new URL(url).pathname.split('/').at(-1)!
  assert.ok(!JSON.stringify(shown).includes(token))
  assert.ok(!(await members.viewer.ask('GET', path)).text.includes(token))
  for (const [method, where] of [
    ['POST', path],
    ['POST', `${path}${id}/cancel/`],
  ] as const)
    assert.equal((await members.viewer.ask(method, where, { body: { amount: '1' } })).status, 403)
})

test('the rules are those of the checkout API: every wrong field is named, and nothing is created', async () => {
  const before = await idsOf('')
  const wrong = await members.cashier.ask('POST', path, {
    body: { amount: '0', expires_in: 5, wallets: [demo.wallets.off], return_url: 'http://shop.example.com' },
  })
  assert.deepEqual(errorsOf(wrong), [
    'min_value@amount',
    'invalid@return_url',
    'min_value@expires_in',
    'wallet_not_monitored@wallets.0',
  ])
  assert.deepEqual(
    errorsOf(await members.cashier.ask('POST', path, { body: { amount: '1', wallets: [demo.other.wallet] } })),
    ['does_not_exist@wallets.0'],
  )
  assert.deepEqual(await idsOf(''), before)
  assert.deepEqual(errorsOf(await members.viewer.ask('GET', `${path}?status=NONE&link=x`)), [
    'invalid_choice@status',
    'invalid@link',
  ])
})

test('a repeated key makes one checkout and one entry in the audit log', async () => {
  const headers = { 'SERVICE-IDEMPOTENCY-KEY': randomUUID() }
  const body = { amount: '1500', external_order_id: 'D-3' }
  const answers = await Promise.all([1, 2, 3].map(() => members.cashier.ask('POST', path, { body, headers })))
  const done = answers.filter(({ status }) => status === 201)
  assert.equal(new Set(done.map(({ body }) => body.id)).size, 1)
  const again = await members.cashier.ask('POST', path, { body, headers })
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, 'true'])
  const log = (await members.owner.ask('GET', '/audit/?kind=checkout')).body.results as {
    object: string
    action: string
  }[]
  assert.deepEqual(
    log.filter(({ object }) => object === again.body.id).map(({ action }) => action),
    ['checkout.create'],
  )
})

test('cancelling ends the open intent too, is logged, and is refused once the checkout has ended', async () => {
  const { id, url } = await created({ external_order_id: 'D-4' })
  const page = new URL(url).pathname
  await send(`${page}/wallet/`, { wallet: demo.wallets.main })
  const stream = await openStream(service.origin, { cookie: `sanad_session=${members.owner.session.token}` })
  const done = await members.cashier.ask('POST', `${path}${id}/cancel/`)
  assert.deepEqual([done.status, done.body.status, done.body.intents[0].status], [200, 'CANCELLED', 'CANCELLED'])
  await stream.untilHint('checkout', id)
  stream.hangUp()
  assert.match((await open(page)).text, /cancelled/i)
  const again = await members.cashier.ask('POST', `${path}${id}/cancel/`)
  assert.deepEqual(errorsOf(again), ['checkout_not_open@non_field_errors'])
  assert.deepEqual(again.body.facts, { status: 'CANCELLED' })
  const [entry] = (await members.owner.ask('GET', '/audit/?kind=checkout')).body.results
  assert.deepEqual([entry.action, entry.object, entry.after.status], ['checkout.cancel', id, 'CANCELLED'])

  // The checkout is paid and its end is not stored yet: the refusal stores the end with its event.
  const paid = await created({ external_order_id: 'D-5' })
  const paidPage = new URL(paid.url).pathname
  await send(`${paidPage}/wallet/`, { wallet: demo.wallets.main })
  await send(`${paidPage}/reference/`, { reference: '670000000005' })
  await pay('1500', '670000000005')
  assert.deepEqual(errorsOf(await members.cashier.ask('POST', `${path}${paid.id}/cancel/`)), [
    'checkout_not_open@non_field_errors',
  ])
  const events = (await service.events()).filter(({ body }) => body.checkout_id === paid.id)
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['checkout.completed'],
  )
})

test('the list is filtered by status and by search terms, and paged', async () => {
  const ids: string[] = []
  for (const n of [1, 2, 3, 4, 5]) {
    clock.advance(5)
    ids.unshift((await created({ external_order_id: `LIST-${n}`, description: n % 2 === 0 ? 'even' : 'odd' })).id)
  }
  await members.owner.ask('POST', `${path}${ids[0]}/cancel/`)
  assert.deepEqual(await idsOf('search=list-'), ids)
  assert.deepEqual(await idsOf('search=LIST-%20even'), [ids[1], ids[3]])
  assert.deepEqual(await idsOf('search=list-&status=CANCELLED'), [ids[0]])
  assert.deepEqual(await idsOf('search=list-&status=OPEN,COMPLETE'), ids.slice(1))
  const seen: string[] = []
  let after = ''
  for (let pages = 0; pages < 10; pages++) {
    const answer = await members.viewer.ask('GET', `${path}?search=list-&page_size=2${after}`)
    assert.ok(Check(listCheckouts.answer, answer.body), answer.text)
    seen.push(...answer.body.results.map(({ id }: { id: string }) => id))
    if (answer.body.next === null) break
    after = `&after=${answer.body.next}`
  }
  assert.deepEqual(seen, ids)
  // Its time is over, but its end is not stored yet.
  const { id } = await created({ external_order_id: 'LATE', expires_in: 300 })
  clock.advance(301_000)
  assert.deepEqual(await idsOf('status=EXPIRED&search=late'), [id])
  assert.equal((await members.viewer.ask('GET', `${path}?after=junk`)).status, 400)
})

test('a search that finds little stops after a bounded number of rows, and the next page continues there', async () => {
  const search = { scope: wholeAccount(members.accountId), linkId: undefined, statuses: undefined, terms: ['list-1'] }
  const [expected] = await idsOf('search=list-1')
  let after: string | undefined
  const found: string[] = []
  let calls = 0
  do {
    const page = await pageOfCheckouts(service.db, search, { after, size: 50 }, clock.now(), 2)
    found.push(...page.found.map(({ checkout }) => checkout.id))
    after = page.next
    calls++
  } while (after !== undefined)
  assert.deepEqual(found, [expected])
  assert.ok(calls > 3, String(calls))
})

test('a checkout of another account does not exist', async () => {
  const { id } = await newCheckout({})
  assert.equal((await members.stranger.ask('GET', `${path}${id}/`)).status, 404)
  assert.equal((await members.stranger.ask('POST', `${path}${id}/cancel/`)).status, 404)
  assert.deepEqual(await idsOf('', members.stranger), [])
  // A checkout that was created with an API key shows the key as its creator.
  const shown = (await members.owner.ask('GET', `${path}${id}/`)).body
  assert.equal(shown.created_by.kind, 'key')
})
