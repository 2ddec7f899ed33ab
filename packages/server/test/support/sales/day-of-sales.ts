/**
 * Days of sales of all kinds, driven over HTTP: in two wallets, one with unique amounts, by two cashiers with shifts and one without.
 * Every payment is written down here as it is made, so that sums can be compared with what the service shows: nothing is read back.
 */
import assert from 'node:assert/strict'
import type { MoneyOutcome } from '@sanad/contract/kinds'
import type { Instant } from '../../../src/core/clock.ts'
import { day_ms, hour_ms, minute_ms } from '../../../src/core/duration.ts'
import { zoneOf } from '../../../src/core/zone.ts'
import { finishSales } from '../../../src/matching/queue/finish-sales.ts'
import { randomFrom } from '../../crashes/crash-service.ts'
import { phone } from '../phone.ts'
import { queueStory } from '../queue-story.ts'
import { purchaseText } from '../sms-texts.ts'
import { askAt, type TestService } from '../story.ts'
import { createMember } from '../users.ts'

export const minorOf = (amount: string): bigint => BigInt(amount.replace('.', ''))
export const decimalOf = (units: bigint): string => `${units / 100n}.${String(units % 100n).padStart(2, '0')}`

/** One message about money, and what became of it. */
export type DrivenPayment = {
  readonly at: Instant
  readonly wallet: number
  readonly amount: bigint
  readonly outcome: Exclude<MoneyOutcome, 'denied'>
  /** The cashier who took it. */
  readonly by?: number
  readonly handed?: boolean
  readonly forgiven?: bigint
}

const shares = {
  sale: 0.3,
  order: 0.2,
  unique: 0.08,
  booked: 0.1,
  accepted: 0.07,
  undone: 0.05,
  wrong: 0.05,
  rest: 0.04,
  aside: 0.04,
  nobody: 0.07,
} as const
type Kind = keyof typeof shares
const kindOf = (draw: number): Kind => {
  let left = draw
  for (const [kind, share] of Object.entries(shares)) {
    left -= share
    if (left < 0) return kind as Kind
  }
  return 'nobody'
}

export const daysOfSales = async (service: TestService, seed: number) => {
  const { clock, create, demo, db, sql } = service
  const story = await queueStory(service)
  const { owner, attach, newReference } = story
  const shopPhone = phone(service.origin, clock.now, demo.device)
  const zone = zoneOf('Asia/Aden')
  const random = randomFrom(seed)
  const wallets = [
    { id: demo.wallets.main, simSlot: 'SIM1' },
    { id: demo.wallets.second, simSlot: 'SIM2' },
  ] as const
  await sql(
    `update wallets set unique_amounts = 'more', unique_amounts_most = 50, version = version + 1 where id = $1`,
    [demo.wallets.second],
  )
  const payments: DrivenPayment[] = []
  const kinds: Partial<Record<Kind, number>> = {}
  let reports = 0

  /** Moves the clock to an hour of Aden, so many days from now. */
  const goTo = async (days: number, hour: number): Promise<void> => {
    clock.advance(days * day_ms - ((clock.now() + 3 * hour_ms) % day_ms) + hour * hour_ms)
    await sql(`update sessions set last_seen_at = $1, expires_at = $1::timestamptz + interval '9 days'`, [
      new Date(clock.now()).toISOString(),
    ])
  }
  // A phone that was connected today is a doubt.
  await goTo(4, 7)
  /** The first two have a shift, the third works without one. */
  const cashiers = [
    await createMember(service, story.accountId, 'cashier'),
    await createMember(service, story.accountId, 'cashier'),
    await createMember(service, story.accountId, 'cashier'),
  ]

  /** The phone reports a message, and sometimes sends the same report, or the same message, once more. */
  const money = async (amount: string, reference: string, simSlot: string): Promise<string> => {
    const text = purchaseText(amount, reference)
    const report = { client_id: reference, kind: 'sms', sender: 'Jawali', text, sim_slot: simSlot }
    const send = async (clientId: string): Promise<void> => {
      const received_at = Math.floor(clock.now() / 1000)
      const answer = await shopPhone.alerts([{ ...report, client_id: clientId, received_at }])
      assert.equal(answer.status, 200, answer.text)
      reports++
    }
    await send(reference)
    if (random() < 0.1) await send(reference)
    if (random() < 0.1) await send(`${reference} again`)
    const found = await sql("select id from alerts where reference = $1 and state <> 'duplicate'", [reference])
    assert.equal(found.length, 1, reference)
    return found[0]![0]!
  }
  const done = (answer: { readonly status: number; readonly text: string }): void =>
    assert.ok(answer.status < 300, answer.text)

  /** The rest of a wrong amount, which the buyer pays on the page that the cashier shares. */
  const payRest = async (id: string, arrived: string, ask: (typeof cashiers)[number]['ask'], wallet: number) => {
    const rest = await ask('POST', `/intents/${id}/collect-rest/`, { body: { paid_amount: arrived } })
    done(rest)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const fields = { wallet: new URLSearchParams({ wallet: wallets[wallet]!.id }).toString() }
    const chosen = await askAt(`${rest.body.url}/wallet/`, 'POST', { body: fields.wallet, headers })
    assert.equal(chosen.status, 303, chosen.text)
    const { body } = await owner.ask('GET', `/checkouts/${rest.body.id}/`)
    const open = (body.intents as { status: string; payable_amount: string; id: string }[]).find(
      ({ status }) => status === 'PENDING',
    )!
    const reference = newReference()
    await attach(open.id, reference)
    await money(open.payable_amount, reference, wallets[wallet]!.simSlot)
    return minorOf(open.payable_amount)
  }

  const sell = async (n: number, kind: Kind): Promise<void> => {
    // Each amount once: two equal ones within a minute would be asked about, which is not what this is for.
    const amount = decimalOf(10_000n + BigInt(n) * 6_000n + BigInt(Math.floor(random() * 99)))
    const by = Math.floor(random() * cashiers.length)
    const wallet = kind === 'unique' || random() >= 0.7 ? 1 : 0
    const { id: walletId, simSlot } = wallets[wallet]!
    const { ask } = cashiers[by]!
    const reference = newReference()
    const note = (payment: Omit<DrivenPayment, 'at' | 'wallet'>): void =>
      void payments.push({ at: clock.now(), wallet, ...payment })
    const units = minorOf(amount)
    if (kind === 'aside') {
      const alert = await money(amount, reference, simSlot)
      done(await owner.ask('POST', `/unmatched/${alert}/dismiss/`, { body: { reason: 'not a sale' } }))
      return note({ amount: units, outcome: 'dismissed' })
    }
    if (kind === 'sale' || kind === 'undone') {
      const alert = await money(amount, reference, simSlot)
      const body = { amount, not_for_order: true, looked: true, another_payment: true }
      done(await ask('POST', `/unmatched/${alert}/take-sale/`, { body }))
      if (kind === 'sale') return note({ amount: units, outcome: 'sale', by, handed: true })
      done(await ask('POST', `/unmatched/${alert}/undo-sale/`))
      return note({ amount: units, outcome: 'unmatched' })
    }
    const isShort = kind === 'booked' || kind === 'accepted' || kind === 'wrong' || kind === 'rest'
    const made = await create({ wallet: walletId, amount, external_order_id: `D-${n}` })
    assert.equal(made.status, 201, made.text)
    const { id, payable_amount: asked } = made.body
    if (kind !== 'booked' && kind !== 'unique') await attach(id, reference)
    const arrived = isShort ? decimalOf(minorOf(asked) - 5_000n) : asked
    const alert = await money(arrived, reference, simSlot)
    const what = { amount: minorOf(arrived) }
    // The addition of a unique amount is not forgiven: the order's own amount would have been enough.
    const forgiven = units - what.amount
    if (kind === 'wrong') return note({ ...what, outcome: 'wrong_amount' })
    if (kind === 'booked') {
      const body = { intent: id, alert_amount: arrived, intent_amount: asked }
      done(await ask('POST', `/unmatched/${alert}/book/`, { body }))
      return note({ ...what, outcome: 'booked', by, forgiven })
    }
    if (kind === 'accepted') {
      done(await ask('POST', `/intents/${id}/accept-paid/`, { body: { paid_amount: arrived } }))
      return note({ ...what, outcome: 'booked', by, forgiven })
    }
    if (kind === 'rest') {
      const rest = await payRest(id, arrived, ask, wallet)
      // Who collects the rest takes the part that arrived (0083).
      note({ ...what, outcome: 'booked', by })
      return note({ amount: rest, outcome: 'matched' })
    }
    const handed = kind === 'order' || (kind === 'unique' && random() < 0.5)
    if (handed) done(await ask('POST', `/intents/${id}/hand-over/`))
    note({ ...what, outcome: 'matched', ...(handed ? { by, handed } : {}) })
  }

  return {
    ...story,
    cashiers,
    wallets,
    payments,
    kinds,
    reports: (): number => reports,
    goTo,
    /** So many sales, one after another, with a gap between them. */
    async drive(sales: number, gap_ms: number = minute_ms): Promise<void> {
      await shopPhone.heartbeat()
      for (let n = 0; n < sales; n++) {
        const kind = kindOf(random())
        kinds[kind] = (kinds[kind] ?? 0) + 1
        await sell(n, kind)
        clock.advance(gap_ms + Math.floor(random() * gap_ms))
        await finishSales({ db, zone }, 500, clock.now())
      }
    },
  }
}

export const sumOf = (payments: readonly DrivenPayment[]): bigint =>
  payments.reduce((sum, { amount }) => sum + amount, 0n)

const spent: readonly MoneyOutcome[] = ['matched', 'sale', 'booked']
export const isSpent = ({ outcome }: DrivenPayment): boolean => spent.includes(outcome)
export const hasArrived = ({ outcome }: DrivenPayment): boolean => outcome !== 'dismissed'
