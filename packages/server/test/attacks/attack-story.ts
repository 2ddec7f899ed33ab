/**
 * A shop for attacks. Everything goes over HTTP, as an attacker or a careless cashier would do it. The name of an attack says
 * what is tried. An attack returns a description if it succeeds, and `undefined` if the service stopped it. A test fails with
 * the names of the attacks that succeeded.
 */
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { MemberRole } from '../../src/accounts/people/permission.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { phone as phoneAt, type RequestChanges } from '../support/phone.ts'
import { askAt, ok, openTestService } from '../support/story.ts'
import { type AskAs, createMember, createMembers } from '../support/users.ts'

/** What went wrong; undefined if the service stopped the attack. */
export type Breach = string | undefined
export type Attack = readonly [name: string, run: () => Promise<Breach> | Breach]
export const attack = (...attack: Attack): Attack => attack

export const openAttacks = async (env: Record<string, string> = {}) => {
  const service = await openTestService({ SANAD_LIMITS: 'off', ...env })
  const members = await createMembers(service)
  const { clock, origin, sql, demo } = service
  let token = service.token
  /** As the merchant's server, with a new token when the old one has expired. */
  const ask: typeof service.ask = async (method, path, options) => {
    const answer = await service.ask(method, path, { token, ...options })
    if (answer.status !== 401 || options?.token !== undefined) return answer
    token = await service.tokenFor(demo.client_id, demo.client_secret)
    return service.ask(method, path, { token, ...options })
  }
  /** A member who gets a new session when the old one has ended: attacks move the clock by days. */
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

  const seconds = (): number => Math.floor(clock.now() / 1000)

  /** A phone of the account that was paired two days ago, so that the service does not treat it as new. */
  const newPhone = async (name = 'Phone') => {
    const created = ok(await owner.ask('POST', '/phones/', { body: { name: `${name} ${randomUUID().slice(0, 8)}` } }))
    const paired = ok(
      await askAt(`${origin}/api/v1/device/pair`, 'POST', { body: { code: created.body.pairing.code } }),
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
      sms: (text: string, more: Record<string, unknown> = {}, changes?: RequestChanges) =>
        signing.alerts([report(text, more)], changes),
    }
  }

  /** An app that does not sign, on a phone of its own. `at`: the time of the message, in seconds. */
  const newApp = async () => {
    const { id } = ok(await owner.ask('POST', '/phones/', { body: { name: `App ${randomUUID().slice(0, 8)}` } })).body
      .phone
    const { url } = ok(await owner.ask('POST', `/phones/${id}/ingest/`, { body: { app: 'text' } })).body
    const { pathname } = new URL(url)
    const say = (text: string, sender = 'Jawali', at = seconds()) =>
      askAt(`${origin}${pathname}?from=${encodeURIComponent(sender)}&at=${at * 1000}`, 'POST', {
        body: text,
        headers: { 'content-type': 'text/plain' },
      })
    return { id: id as string, say }
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

  /** A wallet with its own phone, so that its balance and its messages do not affect another attack. */
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
  /** An order whose buyer has sent this reference. */
  const orderWith = async (reference: unknown, ...asked: Parameters<typeof order>) => {
    const created = await order(...asked)
    await attach(created.id, reference)
    return created
  }
  const statusOf = async (id: string): Promise<string> => (await ask('GET', `/intents/${id}/`)).body.status
  const verifiedOf = async (ids: readonly string[]): Promise<number> =>
    (await Promise.all(ids.map(statusOf))).filter((status) => status === 'VERIFIED').length
  /** A breach if more of these orders were verified than real payments were made. */
  const atMost = async (payments: number, ids: readonly string[]): Promise<Breach> => {
    const verified = await verifiedOf(ids)
    return verified > payments ? `${verified} orders were verified by ${payments} payments` : undefined
  }
  /** A breach if not as many orders were verified as real payments were made: stopping an honest payment is an attack too. */
  const exactly = async (payments: number, ids: readonly string[]): Promise<Breach> => {
    const verified = await verifiedOf(ids)
    return verified === payments ? undefined : `${verified} orders verified, ${payments} payments were made`
  }
  const alerts = async (where: string, values: unknown[] = []) =>
    (await sql(`select id, state, reason, amount, reference_key from alerts where ${where} order by id`, values)).map(
      ([id, state, reason, amount, reference]) => ({ id: id!, state: state!, reason: reason!, amount, reference }),
    )
  const book = (alert: string, intent: string, body: Record<string, unknown> = {}, as = cashier) =>
    as.ask('POST', `/unmatched/${alert}/book/`, { body: { intent, ...body } })

  /** Registers one test that runs a family of attacks. */
  const attacks = (family: string, list: readonly Attack[]): void => {
    test(`attacks: ${family}`, async (context: TestContext) => {
      const breaches: string[] = []
      for (const [name, run] of list) {
        const breach = await Promise.resolve()
          .then(run)
          .catch((fault: Error) => `fault: ${fault.message}`)
        if (breach !== undefined) breaches.push(`${name}: ${breach}`)
        clock.advance(15 * 60_000)
      }
      context.diagnostic(`${list.length} attacks`)
      if (breaches.length > 0)
        throw new Error(`${breaches.length} of ${list.length} attacks succeeded\n${breaches.join('\n')}`)
      await assertMoneyInvariants(sql)
    })
  }

  return {
    ...service,
    ...members,
    ask,
    owner,
    manager,
    cashier,
    viewer,
    demo,
    ok,
    seconds,
    newPhone,
    newApp,
    makeWallet,
    newShop,
    uniqueAmounts,
    order,
    attach,
    orderWith,
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
