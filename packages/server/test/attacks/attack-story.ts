/**
 * A shop for attacks: everything goes over HTTP, as an attacker and as a careless cashier would do it. Each attack says in its name
 * what was tried, and returns why it got through; `undefined`: it was held. A test fails with the names of those that got through.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { MemberRole } from '../../src/accounts/people/permission.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { phone as phoneAt, type Wrongly } from '../support/phone.ts'
import { type Answer, askAt, openTestService } from '../support/story.ts'
import { type AskAs, createMember, createMembers } from '../support/users.ts'

export type Held = string | undefined
export type Attack = readonly [name: string, run: () => Promise<Held> | Held]

export const openAttacks = async (env: Record<string, string> = {}) => {
  const service = await openTestService({ SANAD_LIMITS: 'off', ...env })
  const members = await createMembers(service)
  const { clock, origin, ask, sql, demo } = service
  /** A member whose session is opened again when it has ended: attacks move the clock by days. */
  const staff = (role: MemberRole): { readonly ask: AskAs } => {
    let current: { readonly ask: AskAs } = members[role]
    return {
      async ask(...call) {
        const answer = await current.ask(...call)
        if (answer.status !== 401) return answer
        current = await createMember(service, members.accountId, role)
        return current.ask(...call)
      },
    }
  }
  const [owner, manager, cashier, viewer] = [staff('owner'), staff('manager'), staff('cashier'), staff('viewer')]
  let number = 771_500_000
  let references = 640_000_000_000

  const ok = (answer: Answer): Answer => {
    assert.ok(answer.status < 300, `${answer.status} ${answer.text}`)
    return answer
  }
  const seconds = (): number => Math.floor(clock.now() / 1000)

  /** A phone of the account that was paired two days ago, so that it is not new. */
  const newPhone = async (name = 'Phone') => {
    const made = ok(await owner.ask('POST', '/phones/', { body: { name: `${name} ${randomUUID().slice(0, 8)}` } }))
    const paired = ok(
      await askAt(`${origin}/api/v1/device/pair`, 'POST', { body: { code: made.body.pairing.code } }),
    ).body
    await sql('update devices set paired_at = $2 where id = $1', [
      paired.device_id,
      new Date(clock.now() - 2 * 86_400_000).toISOString(),
    ])
    const signing = phoneAt(origin, clock.now, { id: paired.device_id, secret: paired.secret })
    const report = (text: string, more: Record<string, unknown> = {}) => ({
      client_id: randomUUID(),
      kind: 'sms',
      sender: 'Jawali',
      text,
      sent_at: seconds(),
      received_at: seconds(),
      ...more,
    })
    return {
      ...signing,
      report,
      sms: (text: string, more: Record<string, unknown> = {}, wrongly?: Wrongly) =>
        signing.alerts([report(text, more)], wrongly),
    }
  }

  const makeWallet = (body: Record<string, unknown>) =>
    owner.ask('POST', '/wallets/', {
      body: {
        name: `Wallet ${++number}`,
        account_number: String(number),
        provider: shippedProviderId('jawali'),
        sender_name: 'Jawali',
        ...body,
      },
    })

  /** A wallet with a phone of its own, so that its balance and its messages touch no other attack. */
  const newShop = async (body: Record<string, unknown> = {}) => {
    const phone = await newPhone()
    const wallet: string = ok(await makeWallet({ phone: phone.id, ...body })).body.id
    clock.advance(2_000)
    return { wallet, phone, sms: phone.sms }
  }
  const uniqueAmounts = async (wallet: string, most = 99) => {
    const body = { unique_amounts: 'more', unique_amounts_most: most }
    ok(await owner.ask('PUT', `/wallets/${wallet}/unique-amounts/`, { body }))
    clock.advance(2_000)
  }

  const order = async (wallet: string, amount: string, more: Record<string, unknown> = {}) =>
    ok(await ask('POST', '/intents/', { body: { wallet, amount, ...more } })).body as {
      id: string
      payable_amount: string
      base_amount: string
      code: string
    }
  const attach = (id: string, reference: unknown) => ask('PATCH', `/intents/${id}/`, { body: { reference } })
  const statusOf = async (id: string): Promise<string> => (await ask('GET', `/intents/${id}/`)).body.status
  const verifiedOf = async (ids: readonly string[]): Promise<number> =>
    (await Promise.all(ids.map(statusOf))).filter((status) => status === 'VERIFIED').length
  /** Held unless more of these orders are paid than there were real payments. */
  const atMost = async (payments: number, ids: readonly string[]): Promise<Held> => {
    const verified = await verifiedOf(ids)
    return verified > payments ? `${verified} orders were verified by ${payments} payments` : undefined
  }
  /** Held, and the honest buyer was paid too: an attack that stops honest money is one as well. */
  const exactly = async (payments: number, ids: readonly string[]): Promise<Held> => {
    const verified = await verifiedOf(ids)
    return verified === payments ? undefined : `${verified} orders verified, ${payments} payments were made`
  }
  const alerts = async (where: string, values: unknown[] = []) =>
    (await sql(`select id, state, reason, amount, reference_key from alerts where ${where} order by id`, values)).map(
      ([id, state, reason, amount, reference]) => ({ id: id!, state: state!, reason: reason!, amount, reference }),
    )
  const book = (alert: string, intent: string, body: Record<string, unknown> = {}, as = cashier) =>
    as.ask('POST', `/unmatched/${alert}/book/`, { body: { intent, ...body } })

  const tried = new Map<string, number>()
  /** One test of a family of attacks. */
  const attacks = (family: string, list: readonly Attack[]): void => {
    test(`attacks: ${family}`, async (context: TestContext) => {
      const through: string[] = []
      for (const [name, run] of list) {
        tried.set(family, (tried.get(family) ?? 0) + 1)
        const why = await Promise.resolve()
          .then(run)
          .catch((fault: Error) => `fault: ${fault.message}`)
        if (why !== undefined) through.push(`${name}: ${why}`)
        clock.advance(15 * 60_000)
      }
      context.diagnostic(`${list.length} attacks`)
      if (through.length > 0) throw new Error(`${through.length} of ${list.length} got through\n${through.join('\n')}`)
      await assertMoneyInvariants(sql)
    })
  }

  return {
    ...service,
    ...members,
    owner,
    manager,
    cashier,
    viewer,
    demo,
    ok,
    seconds,
    newPhone,
    makeWallet,
    newShop,
    uniqueAmounts,
    order,
    attach,
    statusOf,
    verifiedOf,
    atMost,
    exactly,
    alerts,
    book,
    attacks,
    reference: (): string => String(++references),
  }
}
