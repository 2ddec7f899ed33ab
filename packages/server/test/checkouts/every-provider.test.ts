/**
 * Buyers pay on the page with every provider whose templates are shipped: correctly, with a wrong amount, late, in parts and
 * twice. The page explains each case, and the API returns how much is paid. If a provider's messages have no reference, a
 * member books the payment.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { asOwner } from '../../src/alerts/approvals/provider-senders.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { SHIPPED_ELSEWHERE } from '../../src/alerts/shipped/shipped-elsewhere.ts'
import type { ShippedProvider } from '../../src/alerts/shipped/shipped-provider.ts'
import { SHIPPED_PROVIDERS } from '../../src/alerts/shipped/shipped-templates.ts'
import { buyerSamples } from '../../src/checkouts/buyer/buyer-templates.ts'
import type { PhoneId } from '../../src/core/ids.ts'
import { minor } from '../../src/core/money.ts'
import { isRefusal } from '../../src/core/refusal.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { createWallet } from '../../src/wallets/entries/account-wallets.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { createMembers } from '../support/users.ts'
import { openCheckouts, textOf } from './checkout-story.ts'

const service = await openCheckouts()
const { clock, demo, newCheckout, open, pay, read, send, shopPhone, sql, sweep } = service
const { cashier } = await createMembers(service)
const { main } = demo.wallets
let number = 880_000_000
const reference = (): string => String(++number * 1000)

/** Sends a form and follows the redirect, as a browser does. */
const submit = async (path: string, fields: Record<string, string>) => {
  const answer = await send(path, fields)
  return answer.status === 303 ? open(String(answer.headers.location)) : answer
}

const paidOf = async (id: string): Promise<[status: string, paid: string]> => {
  const { status, paid } = await read(id)
  return [status, paid]
}

const walletAt = async (provider: ShippedProvider, at: number): Promise<string> => {
  const settings = {
    providerId: shippedProviderId(provider.name),
    name: `Wallet at ${provider.displayName}`,
    accountNumber: `7720000${String(at).padStart(2, '0')}`,
    senderName: provider.senderNames[0]!,
    phoneId: demo.device.id as PhoneId,
    simSlot: '' as const,
    furtherPhones: [],
    active: true,
    reviewAbove: null,
    lowTrustLimit: minor(0n),
    // The balances in the samples do not form a balance chain.
    reviewBrokenChains: false,
    reviewLaterMessages: true,
  }
  const created = await service.db.transaction((tx) =>
    createWallet(tx, wholeAccount(service.accountId), settings, clock.now(), asOwner),
  )
  assert.ok(!isRefusal(created), JSON.stringify(created))
  // Longer than any cache of wallets.
  clock.advance(2_000)
  return (created as { id: string }).id
}

const report = (sender: string, text: string, simSlot: string) =>
  shopPhone.alerts([
    {
      client_id: randomUUID(),
      kind: 'sms',
      sender,
      text,
      sim_slot: simSlot,
      received_at: Math.floor(clock.now() / 1000),
    },
  ])

/** The buyer pastes the provider's message if a sample of it is known, and then sends the reference. */
const sendNumber = async (page: string, provider: string, reference: string): Promise<void> => {
  const sample = buyerSamples.find(
    (candidate) => candidate.provider === provider && candidate.reference?.length === reference.length,
  )
  if (sample?.reference != null) {
    const confirm = await send(`${page}/reference/`, { reference: sample.text.replace(sample.reference, reference) })
    assert.match(textOf(confirm.text), new RegExp(`Is this the transaction number\\?.*${reference}`))
  }
  assert.equal((await send(`${page}/reference/`, { reference })).status, 303)
}

for (const [at, provider] of SHIPPED_PROVIDERS.filter(({ currency }) => currency === 'YER').entries())
  test(`every message that ${provider.displayName} sends for received money pays a checkout`, async () => {
    const wallet = provider.name === 'jawali' ? main : await walletAt(provider, at)
    const samples = provider.templates
      .filter(({ direction }) => direction === 'credit')
      .flatMap((template) => template.samples)
    assert.ok(samples.length > 0)
    for (const { text, expect } of samples) {
      await shopPhone.heartbeat()
      const { id, page } = await newCheckout({ amount: expect.amount, wallets: [wallet] })
      await send(`${page}/wallet/`, { wallet })
      const sender = provider.senderNames[0]!
      const found = expect.reference as string | undefined
      await sendNumber(page, provider.name, found ?? reference())
      assert.match(textOf((await open(page)).text), /We are looking for your payment/)
      const sent = await report(sender, text, wallet === main ? 'SIM1' : '')
      assert.equal(sent.status, 200, sent.text)
      if (found === undefined) {
        // The message has no reference: a member books it.
        assert.deepEqual(await paidOf(id), ['OPEN', '0.00'])
        const [[alert]] = (await sql('select id from alerts order by id desc limit 1')) as [[string]]
        const intent = (await read(id)).intents[0].id
        const amounts = { alert_amount: expect.amount, intent_amount: expect.amount }
        const body = { intent, ...amounts }
        const first = await cashier.ask('POST', `/unmatched/${alert}/book/`, { body })
        // Two samples of one provider may look like one payment: then the member confirms that it is another one.
        const isAsked = first.status === 400 && first.body.errors[0].code === 'may_be_same_payment'
        const confirmed = { ...body, another_payment: true }
        const booked = isAsked ? await cashier.ask('POST', `/unmatched/${alert}/book/`, { body: confirmed }) : first
        assert.equal(booked.status, 200, `${text}: ${booked.text}`)
      }
      assert.match(textOf((await open(page)).text), /The money has arrived/, text)
      assert.deepEqual(await paidOf(id), ['COMPLETE', expect.amount], text)
      clock.advance(60_000)
    }
  })

test('the shipped providers of other countries have other currencies, for which checkouts do not exist yet', () => {
  for (const { name, currency } of SHIPPED_ELSEWHERE) assert.notEqual(currency, 'YER', name)
})

/** A checkout on which the buyer has chosen a wallet. */
const startedCheckout = async (fields: Record<string, unknown> = {}) => {
  await shopPhone.heartbeat()
  const checkout = await newCheckout(fields)
  await send(`${checkout.page}/wallet/`, { wallet: main })
  return checkout
}

test('wrong amount: too little and too much are shown as they are, and nothing counts as paid', async () => {
  for (const [amount, words] of [
    ['1499.99', /1,499\.99 YER arrived, 1,500 YER was asked: 0\.01 YER is missing/],
    ['1500.01', /1,500\.01 YER arrived, 1,500 YER was asked: 0\.01 YER too much/],
  ] as const) {
    const { id, page } = await startedCheckout()
    const own = reference()
    await send(`${page}/reference/`, { reference: own })
    await pay(amount, own)
    assert.match(textOf((await open(page)).text), words)
    assert.deepEqual(await paidOf(id), ['OPEN', '0.00'])
  }
})

test('late: a payment after the intent has expired is not lost: the page says so, and it waits in the queue', async () => {
  const { id, page } = await startedCheckout()
  const own = reference()
  await send(`${page}/reference/`, { reference: own })
  clock.advance(2 * 3_600_000)
  assert.match(textOf((await open(page)).text), /The time to pay is over.*it is not lost/)
  await pay('1500', own)
  await sweep()
  assert.deepEqual(await paidOf(id), ['EXPIRED', '0.00'])
  assert.match(textOf((await open(page)).text), /it is not lost/)
  const [[alert]] = (await sql('select id from alerts where reference = $1', [own])) as [[string]]
  const shown = await cashier.ask('GET', `/unmatched/${alert}/`)
  assert.equal(shown.status, 200, 'it is in the queue of unmatched money')
})

test('late: a payment after the time of the checkout does not pay it, although its reference was sent in time', async () => {
  const { id, page } = await startedCheckout({ expires_in: 300 })
  const own = reference()
  await send(`${page}/reference/`, { reference: own })
  clock.advance(300_000)
  assert.match(textOf((await open(page)).text), /The time to pay is over/)
  await pay('1500', own)
  assert.deepEqual(await paidOf(id), ['EXPIRED', '0.00'])
  assert.match(textOf((await open(page)).text), /it is not lost/)
})

test('split: three payments add up to exactly the amount', async () => {
  const { id, page } = await startedCheckout({ allow_remaining: true })
  for (const [part, paid, words] of [
    ['1000.50', '1000.50', /Already paid: 1,000\.50 YER of 1,500 YER\. Remaining: 499\.50 YER|1,000\.50 YER/],
    ['499', '1499.50', /0\.50 YER/],
  ] as const) {
    const own = reference()
    await send(`${page}/reference/`, { reference: own })
    await pay(part, own)
    assert.match(textOf((await open(page)).text), /is missing.*Pay the remaining/)
    const rest = await submit(`${page}/rest/`, {})
    assert.match(textOf(rest.text), words)
    assert.deepEqual(await paidOf(id), ['OPEN', paid])
  }
  const last = reference()
  await send(`${page}/reference/`, { reference: last })
  await pay('0.50', last)
  assert.deepEqual(await paidOf(id), ['COMPLETE', '1500.00'])
  assert.match(textOf((await open(page)).text), /The money has arrived.*1,500 YER/)
})

test('twice: the second payment is not counted, waits in the queue, and the receipt says that it is not lost', async () => {
  // The transfers that the other tests booked are more than a day old.
  clock.advance(25 * 3_600_000)
  const { id, page } = await startedCheckout()
  const [first, again] = [reference(), reference()]
  await send(`${page}/reference/`, { reference: first })
  await pay('1500', first)
  await pay('1500', again)
  // The same message once more is the same payment.
  await pay('1500', first)
  assert.deepEqual(await paidOf(id), ['COMPLETE', '1500.00'])
  assert.match(textOf((await open(page)).text), /PAID .*Did you send the money twice\? The second payment is not lost/)
  const refused = await send(`${page}/reference/`, { reference: again })
  assert.equal(refused.status, 400)
  assert.deepEqual(await paidOf(id), ['COMPLETE', '1500.00'])
  const [[alert]] = (await sql('select id from alerts where reference = $1', [again])) as [[string]]
  assert.equal((await cashier.ask('GET', `/unmatched/${alert}/`)).status, 200)
})

test('the money invariants hold after all these tests', async () => {
  await sweep()
  await assertMoneyInvariants(sql)
})
