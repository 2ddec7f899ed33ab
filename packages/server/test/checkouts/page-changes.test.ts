/** Changes while a buyer has the page open: by wallets, phones, other tabs and the merchant; and paths that are no page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAt } from '../support/story.ts'
import { createMembers } from '../support/users.ts'
import { openCheckouts, textOf } from './checkout-story.ts'

const service = await openCheckouts()
const { askCheckout, clock, demo, newCheckout, open, origin, pay, read, send, shopPhone } = service
const { main, second } = demo.wallets
const { owner } = await createMembers(service)
let number = 770_000_000
const reference = (): string => String(++number * 1000)
await shopPhone.heartbeat()
// With a contact the page tells buyers to contact the shop.
await owner.ask('PATCH', '/account/checkout-page/', { body: { phone: '770000000' } })

/** The current state of a page, as the script of an open page compares it. */
const stateOf = async (page: string): Promise<string> => (await open(`${page}/state/`)).text
/** The state at the time when the page was loaded. */
const shownState = (text: string): string => /data-state="([^"]*)"/.exec(text)![1]!

const setWalletActive = async (id: string, active: boolean): Promise<void> => {
  const changed = await owner.ask('PATCH', `/wallets/${id}/`, { body: { active } })
  assert.equal(changed.status, 200, changed.text)
  // Longer than any cache of wallets.
  clock.advance(2_000)
}

test('the wallet is closed while the buyer pays: the page says so at once and shows no account to send to', async () => {
  const { id, page } = await newCheckout({ wallets: [main, second] })
  const other = await newCheckout({ wallets: [main, second] })
  await send(`${page}/wallet/`, { wallet: main })
  const before = await stateOf(page)
  await setWalletActive(main, false)
  const closed = await open(page)
  assert.match(textOf(closed.text), /Do not send money to it.*Choose another wallet.*send the transaction number here/)
  assert.doesNotMatch(closed.text, /771000001/)
  assert.equal(await stateOf(page), shownState(closed.text))
  assert.notEqual(await stateOf(page), before, 'an open page loads again')
  assert.match(textOf((await open(`${page}?change=1`)).text), /Choose your wallet.*Second wallet/)

  assert.equal((await send(`${other.page}/wallet/`, { wallet: main })).status, 400, 'it cannot be chosen any more')
  await send(`${page}/reference/`, { reference: reference() })
  assert.match(textOf((await open(page)).text), /The shop has stopped this wallet.*contact the shop/)
  await setWalletActive(main, true)
  await shopPhone.heartbeat()
  assert.doesNotMatch((await open(page)).text, /has stopped this wallet/)
  assert.equal((await read(id)).status, 'OPEN')
})

test('the phone becomes silent while the page is open: an open page loads again and says so', async () => {
  await shopPhone.heartbeat()
  const { page } = await newCheckout()
  await send(`${page}/wallet/`, { wallet: main })
  const before = shownState((await open(page)).text)
  assert.equal(await stateOf(page), before)
  clock.advance(10 * 60_000)
  assert.equal(await stateOf(page), `${before}~late`)
  assert.equal(shownState((await open(page)).text), `${before}~late`)
  await shopPhone.heartbeat()
  clock.advance(2_000)
  assert.equal(await stateOf(page), before)
})

test('a payment that came too late pays the next intent when its reference is sent again', async () => {
  const { id, page } = await newCheckout({ expires_in: 86_400 })
  await send(`${page}/wallet/`, { wallet: main })
  const own = reference()
  await send(`${page}/reference/`, { reference: own })
  clock.advance(3_700_000)
  await shopPhone.heartbeat()
  await pay('1500', own)
  const ended = textOf((await open(page)).text)
  assert.match(ended, /The time for this try is over.*Do not send it again: choose the same wallet and enter/)
  await send(`${page}/wallet/`, { wallet: main })
  await send(`${page}/reference/`, { reference: own })
  assert.match((await open(page)).text, /PAID/)
  const { status, paid } = await read(id)
  assert.deepEqual([status, paid], ['COMPLETE', '1500.00'])
})

test('two tabs: each step in one tab changes the state, so that the other tab loads again', async () => {
  const { id, page } = await newCheckout()
  const states = [await stateOf(page)]
  const steps = [
    () => send(`${page}/wallet/`, { wallet: main }),
    () => send(`${page}/wallet/`, { wallet: second }),
    () => send(`${page}/reference/`, { reference: reference() }),
    () => askCheckout('POST', `/sessions/${id}/cancel/`),
  ]
  for (const step of steps) {
    assert.ok((await step()).status < 400)
    states.push(await stateOf(page))
  }
  assert.equal(new Set(states).size, 5, states.join())
  // The other tab still sends its old form: nothing changes, and the answer shows the current state.
  for (const [verb, fields] of [
    ['wallet', { wallet: main }],
    ['reference', { reference: reference() }],
    ['rest', {}],
  ] as const) {
    const old = await send(`${page}/${verb}/`, fields)
    assert.equal(old.status, 400)
    assert.match(textOf(old.text), /The shop has cancelled this payment request/)
  }
  assert.deepEqual([(await read(id)).status, (await read(id)).intents.length], ['CANCELLED', 2])
})

test('the merchant cancels before a wallet was chosen: the stream of the open page says so', async () => {
  const { id, page } = await newCheckout()
  const stop = new AbortController()
  const answer = await fetch(`${origin}${page}/stream/`, { signal: stop.signal })
  for (const [name, value] of [
    ['content-type', /event-stream/],
    ['cache-control', /no-store/],
    ['referrer-policy', /no-referrer/],
    ['x-robots-tag', /noindex/],
    ['content-security-policy', /frame-ancestors 'none'/],
  ] as const)
    assert.match(answer.headers.get(name) ?? '', value, name)
  const texts = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let received = ''
  const until = async (part: string): Promise<void> => {
    while (!received.includes(part)) {
      const { value, done } = await texts.read()
      assert.ok(!done, received)
      received += value
    }
  }
  await until('OPEN.0.none')
  await askCheckout('POST', `/sessions/${id}/cancel/`)
  await until('CANCELLED.0.none')
  stop.abort()
})

test('unique amounts: the page asks for no reference, and without scripts it reloads itself', async () => {
  const { id, page } = await newCheckout({ wallets: [second] })
  const set = (unique_amounts: string) =>
    owner.ask('PUT', `/wallets/${second}/unique-amounts/`, { body: { unique_amounts, unique_amounts_most: 99 } })
  await send(`${page}/wallet/`, { wallet: second })
  assert.doesNotMatch((await open(page)).text, /http-equiv="refresh"/, 'a number is typed there')
  assert.equal((await set('more')).status, 200)
  clock.advance(2_000)
  const unique = await newCheckout({ wallets: [second], expires_in: 86_400 })
  assert.match(textOf((await open(unique.page)).text), /The number of the wallet you pay from \(optional\)/)
  await send(`${unique.page}/wallet/`, { wallet: second, payer: '' })
  const paying = await open(unique.page)
  assert.match(textOf(paying.text), /Send exactly 1,501 YER in one payment, not 1,500 YER.*No number is needed/)
  assert.match(paying.text, /<noscript><meta http-equiv="refresh" content="15">/)
  assert.doesNotMatch(paying.text, /<textarea/)
  assert.match(textOf(paying.text), /Did you send another amount/)
  assert.doesNotMatch((await open(`${unique.page}?change=1`)).text, /http-equiv="refresh"/)
  await setWalletActive(second, false)
  const closed = textOf((await open(unique.page)).text)
  assert.match(closed, /Do not send money to it.*It is not lost: contact the shop/)
  assert.doesNotMatch(closed, /send the transaction number here/, 'there is no field for it')
  await setWalletActive(second, true)
  clock.advance(3_600_000)
  await shopPhone.heartbeat()
  const ended = textOf((await open(unique.page)).text)
  assert.match(ended, /Contact the shop and do not send it again\. If you have sent nothing, choose your wallet again/)
  assert.equal((await set('off')).status, 200)
  clock.advance(2_000)
  assert.equal((await read(id)).paid, '0.00')
})

test('unique amounts: who paid the order’s own amount sends its reference, and can pay the rest; the shop can accept it', async () => {
  const set = (unique_amounts: string) =>
    owner.ask('PUT', `/wallets/${main}/unique-amounts/`, { body: { unique_amounts, unique_amounts_most: 99 } })
  assert.equal((await set('more')).status, 200)
  clock.advance(2_000)
  await shopPhone.heartbeat()
  const payRound = async () => {
    const { id, page } = await newCheckout({ wallets: [main], amount: '1700.00', allow_remaining: true })
    await send(`${page}/wallet/`, { wallet: main, payer: '' })
    const field = await open(`${page}?number=1`)
    assert.match(field.text, /<textarea/)
    assert.doesNotMatch(field.text, /http-equiv="refresh"/, 'a number is typed there')
    const paid = reference()
    await pay('1700.00', paid)
    await send(`${page}/reference/`, { reference: paid })
    const { intents } = await read(id)
    assert.equal(intents.at(-1).status, 'WRONG_AMOUNT')
    return { id, page, intent: intents.at(-1).id as string, addition: Number(intents.at(-1).payable_amount) - 1700 }
  }
  const first = await payRound()
  const wrong = textOf((await open(first.page)).text)
  assert.match(wrong, new RegExp(`Pay the remaining ${first.addition} YER`))
  await send(`${first.page}/rest/`, {})
  const rest = await read(first.id)
  // What arrived is shown; of the order the addition is still to be paid.
  assert.deepEqual([rest.status, rest.paid], ['OPEN', '1700.00'])
  const last = rest.intents.at(-1)
  const number = reference()
  await pay(last.payable_amount, number)
  await send(`${first.page}/reference/`, { reference: number })
  assert.equal((await read(first.id)).status, 'COMPLETE')

  const other = await payRound()
  const accepted = await owner.ask('POST', `/intents/${other.intent}/accept-paid/`, {
    body: { paid_amount: '1700.00' },
  })
  assert.equal(accepted.status, 200, accepted.text)
  assert.equal((await set('off')).status, 200)
  clock.advance(2_000)
})

test("GET on a form's path redirects to the page, and every unknown path shows an error page", async () => {
  const { page } = await newCheckout()
  for (const verb of ['wallet', 'reference', 'rest']) {
    const loaded = await open(`${page}/${verb}/`)
    assert.deepEqual([loaded.status, loaded.headers.location], [303, `${page}?lang=en`])
  }
  const link = new URL((await askCheckout('POST', '/links/', { body: { amount: '100' } })).body.url).pathname
  const unknownPaths = [
    ['GET', `${page}/nothing`],
    ['POST', page],
    ['PUT', page],
    ['DELETE', `${page}/wallet/`],
    ['GET', '/pay'],
    ['GET', '/pay/'],
    ['GET', '/pay/%'],
    ['GET', '/pay/%E0%A4%A'],
    ['GET', '/pay/logo/x'],
    ['GET', `${link}/other`],
    ['GET', '/pay//evil.example.com'],
    ['GET', `${page}/../../api`],
    ['GET', `${page}%2Fstate`],
  ] as const
  for (const [method, path] of unknownPaths) {
    const answer = await askAt(`${origin}${path}`, method, { headers: { 'accept-language': 'en' } })
    assert.equal(answer.status, 404, path)
    if (path.includes('..')) continue
    assert.match(answer.text, /This link is not right/, `${method} ${path}`)
    expectPrivate(answer.headers, `${method} ${path}`)
  }
  for (const path of [page, `${page}/state/`, link, `${link}/seen`]) expectPrivate((await open(path)).headers, path)
})

const expectPrivate = (headers: Record<string, unknown>, path: string): void => {
  for (const [name, value] of [
    ['content-security-policy', /default-src 'none'.*frame-ancestors 'none'/],
    ['referrer-policy', /^no-referrer$/],
    ['x-robots-tag', /noindex/],
    ['x-content-type-options', /nosniff/],
    ['cache-control', /no-store|private/],
  ] as const)
    assert.match(String(headers[name]), value, `${path}: ${name}`)
  assert.equal(headers['set-cookie'], undefined, path)
}
