/**
 * Attacks on what members and buyers do: claimed payers, two members at once, merging two entries of one wallet, the self-test of
 * a phone, another account's phone, checkouts, and every write of the dashboard by a role that is not allowed to.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import { permissions } from '../../src/accounts/people/permission.ts'
import { shippedProviderId } from '../../src/alerts/shipped/ship-templates.ts'
import { commandsOf } from '../support/commands.ts'
import { purchaseText, transferText } from '../support/sms-texts.ts'
import { askAt } from '../support/story.ts'
import { type Attack, attack, openAttacks } from './attack-story.ts'

const story = await openAttacks()
const { ask, attach, alerts, atMost, attacks, book, cashier, clock, demo, exactly, manager, newPhone, newShop, ok } =
  story
const {
  order,
  orderWith,
  origin,
  owner,
  reference,
  seconds,
  sql,
  statusOf,
  stranger,
  token,
  uniqueAmounts,
  viewer,
  accountId,
} = story

const folder = mkdtempSync(join(tmpdir(), 'sanad-attacks-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const { sanad } = commandsOf(story, { SANAD_DATA_DIR: folder })

type Shop = Awaited<ReturnType<typeof newShop>>
const amounts = { alert_amount: '1500.00', intent_amount: '1500.00' }
const lastAlert = async (shop: Shop) =>
  (await alerts("wallet_id = $1 and state <> 'duplicate' and direction = 'credit'", [shop.wallet])).at(-1)!

let balances = 0
/** The payer `claim` is claimed for an order with a unique amount; the payment shows `shown`. `pays`: what it must verify. */
const claimed = (
  how: string,
  claim: Record<string, string>,
  shown: string,
  pays: 'nothing' | 'the order' = 'nothing',
): Attack =>
  attack(`claimed ${how}`, async () => {
    const shop = await newShop()
    await uniqueAmounts(shop.wallet)
    // Each wallet has its own balance, because the same text in two wallets would count as another attack.
    const before = ++balances * 10_000
    await shop.sms(transferText('10', `${before}.00`, '770009999'))
    clock.advance(60_000)
    const intent = await order(shop.wallet, '1500.00')
    const set = await cashier.ask('POST', `/intents/${intent.id}/payer/`, { body: claim })
    if (set.status === 400) return undefined
    if (set.status !== 200) return `the claim was answered with ${set.status}`
    const payable = Number(intent.payable_amount)
    await shop.sms(transferText(String(payable), `${before + payable}.00`, shown))
    return pays === 'nothing' ? atMost(0, [intent.id]) : exactly(1, [intent.id])
  })
attacks('claimed payers', [
  claimed('the payer himself', { phone: '770000123' }, '770000123', 'the order'),
  claimed('with a country code', { phone: '+967 770000123' }, '770000123', 'the order'),
  claimed('in Arabic digits', { phone: '٧٧٠٠٠٠١٢٣' }, '770000123', 'the order'),
  claimed('masked, the same as far as it is shown', { phone: '770000123' }, '77XXXX123', 'the order'),
  claimed('another number', { phone: '771999888' }, '770000123'),
  claimed('another number with the same last digits', { phone: '733000123' }, '770000123'),
  claimed('another country', { phone: '+966 550000123' }, '770000123'),
  claimed('masked, with another end', { phone: '770000124' }, '77XXXX123'),
  claimed('masked, with another beginning', { phone: '733000123' }, '77XXXX123'),
  claimed('another number in full-width digits', { phone: '７７１９９９８８８' }, '770000123'),
  claimed('with letters for digits', { phone: '77OOOO123' }, '770000123'),
  claimed('a list of numbers', { phone: '770000123,771999888' }, '771999888'),
  claimed('another number with invisible marks in it', { phone: '7\u200b7\u200b1999888' }, '770000123'),
])

const race = (name: string, rounds: number, run: (shop: Shop, round: number) => ReturnType<Attack[1]>): Attack[] =>
  Array.from({ length: rounds }, (_, round): Attack => [`${name}, ${round}`, async () => run(await newShop(), round)])

const both = async (round: number, one: () => Promise<unknown>, two: () => Promise<unknown>): Promise<void> => {
  const runs = round % 2 === 0 ? [one, two] : [two, one]
  const answers = (await Promise.all(runs.map((run) => run()))) as { status?: number; text?: string }[]
  const fault = answers.find(({ status = 200 }) => status >= 500)
  if (fault !== undefined) throw new Error(`${fault.status} ${fault.text}`)
}

attacks('two members at once', [
  ...race('the paid amount is accepted while its alert is booked', 4, async (shop, round) => {
    const number = reference()
    const wrong = await orderWith(number, shop.wallet, '9000.00')
    await shop.sms(purchaseText('1500', number))
    const next = await order(shop.wallet, '1500.00')
    const { id } = await lastAlert(shop)
    await both(
      round,
      () => cashier.ask('POST', `/intents/${wrong.id}/accept-paid/`, { body: { paid_amount: '1500.00' } }),
      () => book(id, next.id, amounts),
    )
    const [verified] = await sql("select count(*) from intents where wallet_id = $1 and status = 'VERIFIED'", [
      shop.wallet,
    ])
    return verified?.[0] === '1' ? undefined : `${verified?.[0]} orders were verified`
  }),
  ...race(
    'the paid amount is accepted twice while its reference is attached to another order',
    4,
    async (shop, round) => {
      const number = reference()
      const wrong = await orderWith(number, shop.wallet, '9000.00')
      await shop.sms(purchaseText('1500', number))
      const next = await order(shop.wallet, '1500.00')
      const accept = () =>
        cashier.ask('POST', `/intents/${wrong.id}/accept-paid/`, { body: { paid_amount: '1500.00' } })
      await both(
        round,
        () => Promise.all([accept(), accept()]).then(([one]) => one),
        () => attach(next.id, number),
      )
      const [verified] = await sql("select count(*) from intents where wallet_id = $1 and status = 'VERIFIED'", [
        shop.wallet,
      ])
      return verified?.[0] === '1' ? undefined : `${verified?.[0]} orders were verified`
    },
  ),
  ...race('an alert is dismissed while its reference is attached', 4, async (shop, round) => {
    const number = reference()
    await shop.sms(purchaseText('1500', number))
    const { id } = await lastAlert(shop)
    const [one, two] = [await order(shop.wallet, '1500.00'), await order(shop.wallet, '1500.00')]
    await both(
      round,
      () => cashier.ask('POST', `/unmatched/${id}/dismiss/`, { body: { reason: 'try' } }),
      () => attach(one.id, number),
    )
    await both(
      round,
      () => cashier.ask('POST', `/unmatched/${id}/undo-dismiss/`),
      () => attach(two.id, number),
    )
    return atMost(1, [one.id, two.id])
  }),
  ...race('a held alert is released while it is reported again', 4, async (shop, round) => {
    const number = reference()
    ok(await owner.ask('PATCH', `/phones/${shop.phone.id}/`, { body: { switched_on: false } }))
    clock.advance(2_000)
    const [one, two] = [await order(demo.wallets.main, '1500.00'), await order(demo.wallets.main, '1500.00')]
    await shop.sms(purchaseText('1500', number))
    const [held] = await alerts("wallet_id = $1 and state = 'held'", [shop.wallet])
    ok(await owner.ask('PATCH', `/phones/${shop.phone.id}/`, { body: { switched_on: true } }))
    clock.advance(2_000)
    const own = [await order(shop.wallet, '1500.00'), await order(shop.wallet, '1500.00')]
    await attach(own[0]!.id, number)
    await both(
      round,
      () => cashier.ask('POST', `/unmatched/${held!.id}/release/`),
      () => shop.sms(purchaseText('1500', number)),
    )
    await attach(own[1]!.id, number)
    return exactly(1, [one.id, two.id, ...own.map(({ id }) => id)])
  }),
  ...race('two members say at once that an alert is another payment', 4, async (shop, round) => {
    const number = reference()
    await shop.sms(transferText('1500', '2510.00', '770000123'))
    const first = await order(shop.wallet, '1500.00')
    ok(await book((await lastAlert(shop)).id, first.id, amounts))
    await shop.sms(purchaseText('1500', number))
    const { id } = await lastAlert(shop)
    const [one, two] = [await order(shop.wallet, '1500.00'), await order(shop.wallet, '1500.00')]
    await attach(one.id, number)
    await both(
      round,
      () => cashier.ask('POST', `/unmatched/${id}/not-duplicate/`),
      () => book(id, two.id, { ...amounts, another_payment: true }),
    )
    return exactly(2, [first.id, one.id, two.id])
  }),
])

let twins = 776_500_000
/** Two entries of one real wallet, as a version before identities stored them. */
const twinShop = async () => {
  const number = String(++twins)
  const entry = async (name: string, spelled: string, phone: string): Promise<string> =>
    (
      await sql(
        `insert into wallets (id, account_id, provider_id, name, account_number, sender_name, device_id, sim_slot, active, created_at)
         values (gen_random_uuid(), $1, $2, $3, $4, 'Jawali', $5, '', true, now()) returning id`,
        [accountId, shippedProviderId('jawali'), name, spelled, phone],
      )
    )[0]![0]!
  const [one, two] = [await newPhone(), await newPhone()]
  const keep = await entry(`Kept ${number}`, number, one.id)
  const other = await entry(`Other ${number}`, `+967 ${number}`, two.id)
  clock.advance(2_000)
  return { keep, other, one, two, merge: () => sanad('wallet', 'merge', keep, other, '--yes') }
}
type Twins = Awaited<ReturnType<typeof twinShop>>
const onTwins = (name: string, run: (shop: Twins) => ReturnType<Attack[1]>): Attack => [
  name,
  async () => run(await twinShop()),
]
const alertOf = async (wallet: string) =>
  (await alerts("wallet_id = $1 and state <> 'duplicate' and direction = 'credit'", [wallet])).at(-1)!
/** Longer than any cache of wallets. */
const passCaches = (): void => clock.advance(2_000)

attacks('merging two entries of one wallet', [
  onTwins(
    'a payment used in one entry and waiting in the other: after the merge its reference is used',
    async (shop) => {
      const number = reference()
      const first = await orderWith(number, shop.keep, '1500.00')
      await shop.one.sms(purchaseText('1500', number))
      await shop.two.sms(purchaseText('1500', number, 'علي المثال'))
      await shop.merge()
      passCaches()
      const second = await orderWith(number, shop.keep, '1500.00')
      return exactly(1, [first.id, second.id])
    },
  ),
  onTwins(
    'booked without a reference in one entry, waiting with it in the other: it waits for a member',
    async (shop) => {
      const number = reference()
      await shop.one.sms(transferText('1500', '2510.00', '770000123'))
      const first = await order(shop.keep, '1500.00')
      ok(await book((await alertOf(shop.keep)).id, first.id, amounts))
      await shop.two.sms(purchaseText('1500', number))
      await shop.merge()
      passCaches()
      const second = await orderWith(number, shop.keep, '1500.00')
      return exactly(1, [first.id, second.id])
    },
  ),
  onTwins(
    'verified with the reference in one entry, open without it in the other: not booked without a warning',
    async (shop) => {
      const number = reference()
      const first = await orderWith(number, shop.keep, '1500.00')
      await shop.one.sms(purchaseText('1500', number))
      await shop.two.sms(transferText('1500', '2510.00', '770000123'))
      await shop.merge()
      passCaches()
      const second = await order(shop.keep, '1500.00')
      await book((await alertOf(shop.other)).id, second.id, amounts)
      return exactly(1, [first.id, second.id])
    },
  ),
  onTwins(
    'an open order in each entry with one reference: the merge is refused, and both orders stay',
    async (shop) => {
      const number = reference()
      const [first, second] = [await order(shop.keep, '1500.00'), await order(shop.other, '1500.00')]
      await attach(first.id, number)
      await attach(second.id, number)
      const { code } = await shop.merge()
      if (code === 0) return 'it was merged'
      await shop.one.sms(purchaseText('1500', number))
      return exactly(1, [first.id, second.id])
    },
  ),
  onTwins('the same text without a reference in both entries, booked in one: the other shows a doubt', async (shop) => {
    const text = transferText('1500', '2510.00', '770000123')
    await shop.one.sms(text)
    const first = await order(shop.keep, '1500.00')
    ok(await book((await alertOf(shop.keep)).id, first.id, amounts))
    await shop.two.sms(text)
    await shop.merge()
    passCaches()
    const { id } = await alertOf(shop.other)
    const { doubts } = (await cashier.ask('GET', `/unmatched/${id}/`)).body
    return doubts.length === 0 ? 'no doubt is shown' : exactly(1, [first.id])
  }),
  ...([0, 1, 2, 3] as const).map((round) =>
    onTwins(`the merge during traffic, ${round}`, async (shop) => {
      const numbers = [reference(), reference(), reference()]
      const intents = []
      for (const number of numbers) {
        const intent = await order(shop.keep, '1500.00')
        if (round % 2 === 0) await attach(intent.id, number)
        intents.push(intent.id)
      }
      const traffic = numbers.flatMap((number) => [
        () => shop.one.sms(purchaseText('1500', number)),
        () => shop.two.sms(purchaseText('1500', number)),
      ])
      const runs: (() => Promise<unknown>)[] = round < 2 ? [shop.merge, ...traffic] : [...traffic, shop.merge]
      await Promise.all(runs.map((run) => run()))
      passCaches()
      // The phone reports every payment again, as it does when a report was not accepted.
      for (const number of numbers) await shop.one.sms(purchaseText('1500', number))
      if (round % 2 === 1) for (const [i, id] of intents.entries()) await attach(id, numbers[i]!)
      // The merge names the orders whose payment was reported for the other entry: a member books these payments.
      const missed = await sql(
        `select a.id, i.id from alerts a join intents i on i.identity = a.identity and i.reference_key = a.reference_key
          where a.state = 'waiting' and i.status = 'PENDING' and i.wallet_id = $1`,
        [shop.keep],
      )
      for (const [alert, intent] of missed) ok(await book(alert!, intent!, amounts))
      const more = []
      for (const number of numbers) {
        const intent = await orderWith(number, shop.keep, '1500.00')
        more.push(intent.id)
      }
      return exactly(3, [...intents, ...more])
    }),
  ),
])

attacks('the self-test of a phone', [
  ...(['a payment in the window', 'a payment after the window', 'a payment in a window that stays open'] as const).map(
    (how): Attack =>
      attack(`${how} verifies one order`, async () => {
        const shop = await newShop()
        ok(await owner.ask('POST', `/phones/${shop.phone.id}/self-test/`))
        if (how === 'a payment after the window') clock.advance(11 * 60_000)
        if (how === 'a payment in a window that stays open')
          for (let again = 0; again < 5; again++) ok(await owner.ask('POST', `/phones/${shop.phone.id}/self-test/`))
        const number = reference()
        const [one, two] = [await order(shop.wallet, '1500.00'), await order(shop.wallet, '1500.00')]
        await attach(one.id, number)
        await shop.sms(purchaseText('1500', number))
        await shop.sms(purchaseText('1500', number))
        await attach(two.id, number)
        return exactly(1, [one.id, two.id])
      }),
  ),
  attack('a forged payment of an unknown sender in the window verifies nothing', async () => {
    const shop = await newShop()
    ok(await owner.ask('POST', `/phones/${shop.phone.id}/self-test/`))
    const number = reference()
    const intent = await orderWith(number, shop.wallet, '1500.00')
    await shop.sms(purchaseText('1500', number), { sender: '+967770000000' })
    await shop.sms(purchaseText('1500', number), { sender: 'Sanad' })
    return atMost(0, [intent.id])
  }),
  attack('a payment whose text says that it is a test waits for a member', async () => {
    const shop = await newShop()
    ok(await owner.ask('POST', `/phones/${shop.phone.id}/self-test/`))
    const number = reference()
    const intent = await orderWith(number, shop.wallet, '1500.00')
    await shop.sms(purchaseText('1500', number, 'رسالة اختبار'))
    return atMost(0, [intent.id])
  }),
  attack('a cashier or a viewer starts a self-test, or another account reads it', async () => {
    const shop = await newShop()
    const path = `/phones/${shop.phone.id}/self-test/`
    const answers = [await cashier.ask('POST', path), await viewer.ask('POST', path), await stranger.ask('GET', path)]
    const allowed = answers.find(({ status }) => status < 400)
    return allowed === undefined ? undefined : `${allowed.status}`
  }),
])

const walletsAndAccounts: readonly Attack[] = [
  attack('another account’s phone reports a payment of this account', async () => {
    const shop = await newShop()
    const number = reference()
    const intent = await orderWith(number, shop.wallet, '1500.00')
    const created = ok(await stranger.ask('POST', '/phones/', { body: { name: 'Theirs' } })).body
    const paired = ok(
      await askAt(`${origin}/api/v1/device/pair`, 'POST', { body: { code: created.pairing.code } }),
    ).body
    await shop.phone.alerts([shop.phone.report(purchaseText('1500', number))], {
      device: paired.device_id,
      secret: paired.secret,
    })
    return atMost(0, [intent.id])
  }),
  attack('another account enters the same wallet: each account has its own money', async () => {
    const shop = await newShop()
    const { account_number } = (await owner.ask('GET', `/wallets/${shop.wallet}/`)).body
    const phones = await stranger.ask('POST', '/phones/', { body: { name: 'Theirs 2' } })
    const body = {
      name: `Theirs ${account_number}`,
      account_number,
      provider: shippedProviderId('jawali'),
      sender_name: 'Jawali',
      phone: phones.body.phone.id,
    }
    ok(await stranger.ask('POST', '/wallets/', { body }))
    const number = reference()
    await shop.sms(purchaseText('1500', number))
    const [rows] = await sql('select count(*) from alerts where reference_key = $1 and account_id <> $2', [
      number,
      accountId,
    ])
    return rows?.[0] === '0' ? undefined : 'the other account has the alert'
  }),
  attack('another account binds this account’s phone to its wallet', async () => {
    const shop = await newShop()
    const body = {
      name: 'Theft',
      account_number: '779123456',
      provider: shippedProviderId('jawali'),
      sender_name: 'Jawali',
      phone: shop.phone.id,
    }
    const created = await stranger.ask('POST', '/wallets/', { body })
    return created.status === 400 || created.status === 404 ? undefined : `${created.status}`
  }),
  attack('a wallet gets another number: its used references stay used', async () => {
    const shop = await newShop()
    const number = reference()
    const first = await orderWith(number, shop.wallet, '1500.00')
    await shop.sms(purchaseText('1500', number))
    await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { account_number: '778888777' } })
    clock.advance(2_000)
    await shop.sms(purchaseText('1500', number))
    const second = await orderWith(number, shop.wallet, '1500.00')
    return exactly(1, [first.id, second.id])
  }),
  ...(['SIM1', 'SIM2', ''] as const).map(
    (slot): Attack =>
      attack(
        `a wallet on two phones is closed and opened again, and the message comes again with the SIM slot "${slot}"`,
        async () => {
          const shop = await newShop({ sim_slot: 'SIM1' })
          const second = await newPhone()
          const phones = [
            { phone: shop.phone.id, sim_slot: 'SIM1' },
            { phone: second.id, sim_slot: 'SIM2' },
          ]
          ok(await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { phones } }))
          clock.advance(2_000)
          const number = reference()
          const first = await orderWith(number, shop.wallet, '1500.00')
          await shop.sms(purchaseText('1500', number), { sim_slot: 'SIM1' })
          for (const active of [false, true]) {
            ok(await owner.ask('PATCH', `/wallets/${shop.wallet}/`, { body: { active } }))
            clock.advance(2_000)
            await second.sms(purchaseText('1500', number), { sim_slot: slot })
            await shop.sms(purchaseText('1500', number), { sim_slot: slot })
          }
          const next = await orderWith(number, shop.wallet, '1500.00')
          return exactly(1, [first.id, next.id])
        },
      ),
  ),
  attack('one idempotency key for two wallets, and for two amounts', async () => {
    const [one, two] = [await newShop(), await newShop()]
    const headers = { 'SERVICE-IDEMPOTENCY-KEY': `key-${seconds()}` }
    const first = ok(await ask('POST', '/intents/', { body: { wallet: one.wallet, amount: '1500.00' }, headers }))
    const others = [
      await ask('POST', '/intents/', { body: { wallet: two.wallet, amount: '1500.00' }, headers }),
      await ask('POST', '/intents/', { body: { wallet: one.wallet, amount: '1.00' }, headers }),
      await ask('POST', '/intents/', { body: { wallet: one.wallet, amount: '1500.00', notes: 'x' }, headers }),
    ]
    if (others.some(({ status }) => status !== 400)) return `answered ${others.map(({ status }) => status)}`
    const again = ok(await ask('POST', '/intents/', { body: { wallet: one.wallet, amount: '1500.00' }, headers }))
    return again.body.id === first.body.id ? undefined : 'the replay is another order'
  }),
  attack('the replay of an idempotent request after the order was paid makes no second order', async () => {
    const shop = await newShop()
    const headers = { 'SERVICE-IDEMPOTENCY-KEY': `paid-${seconds()}` }
    const body = { wallet: shop.wallet, amount: '1500.00' }
    const first = ok(await ask('POST', '/intents/', { body, headers })).body
    const number = reference()
    await attach(first.id, number)
    await shop.sms(purchaseText('1500', number))
    const again = ok(await ask('POST', '/intents/', { body, headers })).body
    return again.id === first.id && (await statusOf(first.id)) === 'VERIFIED' ? undefined : 'another order'
  }),
]
attacks('wallets, phones and accounts', walletsAndAccounts)

const checkout = async (amount = '1500.00', more: Record<string, unknown> = {}) => {
  const created = ok(
    await askAt(`${origin}/api/v1/checkout/sessions/`, 'POST', { token, body: { amount, ...more } }),
  ).body
  return { id: created.id as string, page: new URL(created.url).pathname }
}
const post = (path: string, fields: Record<string, string>) =>
  askAt(`${origin}${path}`, 'POST', {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const readCheckout = async (id: string) =>
  (await askAt(`${origin}/api/v1/checkout/sessions/${id}/`, 'GET', { token })).body
const paidOf = async (ids: readonly string[]) =>
  (await Promise.all(ids.map(readCheckout))).filter(({ status }) => status === 'COMPLETE').length

attacks('checkouts', [
  ...(['one after the other', 'at once', 'pasted as a message'] as const).map(
    (how): Attack =>
      attack(`one payment for two checkouts, ${how}`, async () => {
        const shop = await newShop()
        await shop.phone.heartbeat()
        const [one, two] = [await checkout(), await checkout()]
        for (const { page } of [one, two]) await post(`${page}/wallet/`, { wallet: shop.wallet })
        const number = reference()
        const typed = how === 'pasted as a message' ? purchaseText('1500', number) : number
        const tries = [one, two].map(
          ({ page }) =>
            () =>
              post(`${page}/reference/`, { reference: typed }),
        )
        if (how === 'at once') await Promise.all(tries.map((run) => run()))
        else for (const run of tries) await run()
        await shop.sms(purchaseText('1500', number))
        for (const run of tries) await run()
        const paid = await paidOf([one.id, two.id])
        return paid <= 1 ? undefined : `${paid} checkouts were paid`
      }),
  ),
  attack('the rest of a checkout is paid with the first payment again', async () => {
    const shop = await newShop()
    await shop.phone.heartbeat()
    const created = await checkout()
    await post(`${created.page}/wallet/`, { wallet: shop.wallet })
    const number = reference()
    await post(`${created.page}/reference/`, { reference: number })
    await shop.sms(purchaseText('750', number))
    await post(`${created.page}/rest/`, {})
    await post(`${created.page}/rest/`, {})
    await post(`${created.page}/wallet/`, { wallet: shop.wallet })
    await post(`${created.page}/reference/`, { reference: number })
    await shop.sms(purchaseText('750', number))
    await shop.sms(purchaseText('750', number), { kind: 'notification' })
    const afterwards = await readCheckout(created.id)
    return afterwards.status === 'COMPLETE' ? 'half of the money paid the whole' : undefined
  }),
  attack('the rest of a checkout is requested for a payment that was booked before without its reference', async () => {
    const shop = await newShop()
    await shop.phone.heartbeat()
    await shop.sms(transferText('750', '1760.00', '770000123'))
    const first = await order(shop.wallet, '750.00')
    ok(await book((await lastAlert(shop)).id, first.id, { alert_amount: '750.00', intent_amount: '750.00' }))
    const created = await checkout()
    await post(`${created.page}/wallet/`, { wallet: shop.wallet })
    const number = reference()
    await post(`${created.page}/reference/`, { reference: number })
    await shop.sms(purchaseText('750', number))
    await post(`${created.page}/rest/`, {})
    const { paid } = await readCheckout(created.id)
    return Number(paid) === 0 ? undefined : `${paid} counts as paid`
  }),
  attack('a status in the query or in a form of the page changes nothing', async () => {
    const created = await checkout('1500.00', { return_url: 'https://shop.example.com/back' })
    for (const query of ['?status=COMPLETE', '?paid=1500', `?checkout=${created.id}&status=COMPLETE`])
      await askAt(`${origin}${created.page}${query}`, 'GET', {})
    await post(`${created.page}/`, { status: 'COMPLETE' })
    return (await readCheckout(created.id)).status === 'OPEN' ? undefined : 'it is not open any more'
  }),
  attack('another account’s token reads and cancels no checkout', async () => {
    const created = await checkout()
    const theirs = await story.tokenFor(demo.other.client_id, demo.other.client_secret)
    const path = `${origin}/api/v1/checkout/sessions/${created.id}/`
    const answers = [
      await askAt(path, 'GET', { token: theirs }),
      await askAt(`${path}cancel/`, 'POST', { token: theirs }),
    ]
    const allowed = answers.find(({ status }) => status < 400)
    return allowed === undefined ? undefined : `${allowed.status}`
  }),
])

/** The id of no object. A role that is not allowed to is refused before the id is looked up. */
const unknownId = '00000000-0000-7000-8000-000000000000'
const roles = { manager, cashier, viewer } as const
attacks(
  'every write of the dashboard, by each role that is not allowed to',
  dashboardOperations
    .filter(({ method, access }) => method !== 'GET' && access in permissions)
    .flatMap((operation) =>
      (['manager', 'cashier', 'viewer'] as const)
        .filter(
          (role) => !(permissions[operation.access as keyof typeof permissions] as readonly string[]).includes(role),
        )
        .map(
          (role): Attack =>
            attack(`${role}: ${operation.method} ${operation.path}`, async () => {
              const path = operation.path.replace(/\{\w+\}/g, unknownId)
              const answer = await roles[role].ask(operation.method, path, { body: {} })
              return answer.status === 403 ? undefined : `${answer.status} ${answer.text.slice(0, 80)}`
            }),
        ),
    ),
)
