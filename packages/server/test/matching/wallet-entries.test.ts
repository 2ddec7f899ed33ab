/** One real wallet with several entries and phones, closed and opened again: in fixed stories, and in random orders of events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Report } from '../../src/alerts/alert.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import type { PhoneId } from '../../src/core/ids.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { queueStory } from '../support/queue-story.ts'
import { runs } from '../support/runs.ts'
import { depositText } from '../support/sms-texts.ts'
import { errorsOf, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const story = await queueStory(service)
const { clock, create, sql } = service
const { attach, report, owner, cashier } = story

let numbers = 775_000_000
let phones = 0
/** A new phone, switched on. */
const newPhone = async (): Promise<PhoneId> => {
  const created = await owner.ask('POST', '/phones/', { body: { name: `Phone ${++phones}` } })
  assert.equal(created.status, 201, created.text)
  await owner.ask('PATCH', `/phones/${created.body.phone.id}/`, { body: { switched_on: true } })
  return created.body.phone.id
}
const tryEnterWallet = (body: Record<string, unknown>) =>
  owner.ask('POST', '/wallets/', {
    body: { name: 'Till', provider: shippedProviderId('mfloos'), sender_name: 'MFloos', ...body },
  })
const enterWallet = async (body: Record<string, unknown>): Promise<string> => {
  const created = await tryEnterWallet(body)
  assert.equal(created.status, 201, created.text)
  clock.advance(2_000)
  return created.body.id
}
const close = async (id: string): Promise<number> => {
  const { status } = await owner.ask('PATCH', `/wallets/${id}/`, { body: { active: false } })
  clock.advance(2_000)
  return status
}
let references = 600_000_000
const newReference = (): string => String(++references)
const send = (phoneId: PhoneId, text: string, more: Partial<Report> = {}) =>
  story.record([report(text, { sender: 'MFloos', simSlot: '', ...more })], true, phoneId)
const statusOf = async (id: string): Promise<string> => (await service.ask('GET', `/intents/${id}/`)).body.status

test('a wallet that is closed and entered again is the same wallet: its used references stay used', async () => {
  const number = String(++numbers)
  const phone = await newPhone()
  const first = await enterWallet({ account_number: number, phone })
  const reference = newReference()
  const paid = (await create({ wallet: first, amount: '500.00' })).body
  await attach(paid.id, reference)
  await send(phone, depositText('500.00', reference))
  assert.equal(await statusOf(paid.id), 'VERIFIED')
  await close(first)
  const again = await enterWallet({ account_number: `+967 ${number}`, name: 'Till again', phone })
  clock.advance(2 * 86_400_000)
  const intent = (await create({ wallet: again, amount: '500.00' })).body
  assert.deepEqual(errorsOf(await attach(intent.id, reference)), ['reference_already_used@reference'])
  await send(phone, depositText('500.00', reference))
  assert.equal(await statusOf(intent.id), 'PENDING')
  // The same text from another phone.
  const other = await newPhone()
  await owner.ask('PATCH', `/wallets/${again}/`, { body: { phones: [{ phone: other, sim_slot: '' }] } })
  clock.advance(2_000)
  await send(other, depositText('500.00', reference), { sentAt: null })
  assert.equal(await statusOf(intent.id), 'PENDING')
  await assertMoneyInvariants(sql)
  // Whatever the service decides, the database refuses the same payment again, and the same alert again.
  const spend = `with copy as (
      insert into alerts (id, account_id, device_id, wallet_id, identity, kind, sender, raw_text, adapter, trusted, direction, amount,
                          currency, reference, reference_key, state, reason, intent_id, received_at, client_id, normaliser_version,
                          fingerprint)
      select gen_random_uuid(), a.account_id, $2, $3, null, a.kind, a.sender, a.raw_text, a.adapter, a.trusted, a.direction, a.amount,
             a.currency, a.reference, a.reference_key, a.state, a.reason, $4, a.received_at, 'by hand', a.normaliser_version,
             a.fingerprint
        from alerts a where a.intent_id = $1
      returning id) select id from copy`
  await assert.rejects(sql(spend, [paid.id, other, again, intent.id]), { constraint: 'alerts_reference' })
  const verify = `update intents set status = 'VERIFIED', verified_at = p.verified_at, alert_id = p.alert_id
                    from (select verified_at, alert_id from intents where id = $1) p where id = $2`
  await assert.rejects(sql(verify, [paid.id, intent.id]), { constraint: 'intents_alert' })
})

test('a reference that is in use on a closed entry is in use on the open entry', async () => {
  const number = String(++numbers)
  const phone = await newPhone()
  const first = await enterWallet({ account_number: number, phone })
  const reference = newReference()
  const old = (await create({ wallet: first, amount: '10.00' })).body
  await attach(old.id, reference)
  await close(first)
  const again = await enterWallet({ account_number: number, name: 'Till again', phone })
  const intent = (await create({ wallet: again, amount: '10.00' })).body
  assert.deepEqual(errorsOf(await attach(intent.id, reference)), ['reference_already_used@reference'])
  await send(phone, depositText('10.00', reference))
  assert.deepEqual([await statusOf(old.id), await statusOf(intent.id)], ['VERIFIED', 'PENDING'])
})

test('a second open entry is refused; a wallet has several phones, each can prove a payment, once', async () => {
  const number = String(++numbers)
  const [firstPhone, secondPhone] = [await newPhone(), await newPhone()]
  const phones = [firstPhone, secondPhone].map((phone) => ({ phone, sim_slot: '' }))
  const wallet = await enterWallet({ account_number: number, phones })
  const twin = await tryEnterWallet({ account_number: `00967${number}`, name: 'Twin', phone: secondPhone })
  assert.deepEqual(errorsOf(twin), ['wallet_exists@account_number'])
  assert.match(twin.body.errors[0].detail, /Till/)
  const [a, b] = [newReference(), newReference()]
  const [first, second] = [
    (await create({ wallet, amount: '700.00' })).body,
    (await create({ wallet, amount: '700.00' })).body,
  ]
  await attach(first.id, a)
  await attach(second.id, b)
  await Promise.all([send(firstPhone, depositText('700.00', a)), send(secondPhone, depositText('700.00', a))])
  assert.equal(await statusOf(first.id), 'VERIFIED')
  await send(secondPhone, depositText('700.00', b))
  await send(firstPhone, depositText('700.00', b))
  assert.equal(await statusOf(second.id), 'VERIFIED')
  const rows = await sql('select state, count(*) from alerts where wallet_id = $1 group by 1 order by 1', [wallet])
  assert.deepEqual(rows, [
    ['duplicate', '2'],
    ['matched', '2'],
  ])
})

test('two phones that report a payment without a reference make one alert in the queue, however late the second is', async () => {
  const [firstPhone, secondPhone] = [await newPhone(), await newPhone()]
  const phones = [firstPhone, secondPhone].map((phone) => ({ phone, sim_slot: '' }))
  const wallet = await enterWallet({
    account_number: String(++numbers),
    provider: shippedProviderId('one-cash'),
    sender_name: 'ONE Cash',
    phones,
  })
  const text = 'استلمت 500.00\nمن علي صالح المثال\nرصيدك500.00 ر.ي'
  await send(firstPhone, text, { sender: 'ONE Cash' })
  clock.advance(5 * 3_600_000)
  await send(secondPhone, text, { sender: 'ONE Cash', sentAt: null })
  const queue = (await cashier.ask('GET', `/unmatched/?wallet=${wallet}`)).body.results
  assert.equal(queue.length, 1)
})

/** A step of the random test: what can happen to one real wallet with two phones. */
type Step =
  | { readonly kind: 'create'; readonly amount: number }
  | { readonly kind: 'attach'; readonly intent: number; readonly reference: number }
  | {
      readonly kind: 'pay'
      readonly phone: number
      readonly reference: number
      readonly amount: number
      readonly signed: boolean
    }
  | { readonly kind: 'reenter' }
  | { readonly kind: 'book'; readonly alert: number; readonly intent: number }
  | { readonly kind: 'dismiss' | 'undo'; readonly alert: number }
  | { readonly kind: 'wait'; readonly minutes: number }

const index = fc.nat({ max: 3 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), amount: fc.nat({ max: 1 }) }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('attach' as const), intent: index, reference: fc.nat({ max: 2 }) }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('pay' as const),
        phone: fc.nat({ max: 1 }),
        reference: fc.nat({ max: 2 }),
        amount: fc.nat({ max: 1 }),
        signed: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'reenter' as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('book' as const), alert: index, intent: index }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('dismiss' as const, 'undo' as const), alert: index }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 30, 1500) }) },
  ),
  { minLength: 8, maxLength: 16 },
)

test('in any order of events on a real wallet, one payment verifies one intent and nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const number = String(++numbers)
      const phones = [await newPhone(), await newPhone()]
      const usedReferences = Array.from({ length: 3 }, newReference)
      const amounts = ['40.00', '50.00']
      const phoneBindings = phones.map((phone) => ({ phone, sim_slot: '' }))
      const wallets = [await enterWallet({ account_number: number, phones: phoneBindings })]
      const intents: { id: string; amount: string }[] = []
      let reports = 0
      const alerts = async (): Promise<{ id: string; amount: string | null }[]> =>
        (
          await sql('select id, amount from alerts where wallet_id = any($1::uuid[]) order by id', [`{${wallets}}`])
        ).map(([id, amount]) => ({ id: id!, amount: amount === null ? null : (Number(amount) / 100).toFixed(2) }))
      for (const step of all) {
        clock.advance(6_000)
        if (step.kind === 'create') {
          const amount = amounts[step.amount]!
          const created = await create({ wallet: wallets.at(-1), amount })
          if (created.status === 201) intents.push({ id: created.body.id, amount })
        } else if (step.kind === 'attach') {
          const intent = intents[step.intent]
          if (intent !== undefined) await attach(intent.id, usedReferences[step.reference]!)
        } else if (step.kind === 'pay') {
          reports++
          const text = depositText(amounts[step.amount]!, usedReferences[step.reference]!)
          const sent = report(text, { sender: 'MFloos', simSlot: '' })
          await story.record([sent], step.signed, phones[step.phone]!)
        } else if (step.kind === 'reenter') {
          await close(wallets.at(-1)!)
          wallets.push(
            await enterWallet({ account_number: number, phones: phoneBindings, name: `Till ${wallets.length}` }),
          )
        } else if (step.kind === 'wait') clock.advance(step.minutes * 60_000)
        else {
          const alert = (await alerts())[step.alert]
          if (alert === undefined) continue
          if (step.kind === 'book') {
            const intent = intents[step.intent]
            const body = { intent: intent?.id, alert_amount: alert.amount, intent_amount: intent?.amount }
            if (intent !== undefined) await cashier.ask('POST', `/unmatched/${alert.id}/book/`, { body })
          } else if (step.kind === 'dismiss')
            await cashier.ask('POST', `/unmatched/${alert.id}/dismiss/`, { body: { reason: 'a story' } })
          else await cashier.ask('POST', `/unmatched/${alert.id}/undo-dismiss/`)
        }
      }
      assert.equal((await alerts()).length, reports, 'every report is stored')
      await assertMoneyInvariants(sql)
      // Each reference of this run verified at most one intent, over all entries.
      const verified = await sql(
        `select a.reference_key from intents i join alerts a on a.id = i.alert_id
          where i.status = 'VERIFIED' and a.reference_key = any($1::text[]) group by 1 having count(*) > 1`,
        [`{${usedReferences}}`],
      )
      assert.deepEqual(verified, [])
    }),
    { numRuns: runs(12, 4) },
  )
})
