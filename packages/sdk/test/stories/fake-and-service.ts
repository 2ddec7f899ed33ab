/**
 * Two worlds for the stories: the fake, and the service with a phone and a dashboard. A story runs in both, with the same
 * time in each, and all answers that it notes must be equal. A test file opens the worlds once.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Intent, Sanad, SanadError, type SanadOptions } from '@sanad/sdk'
import { createFakeSanad, type FakeWallet } from '@sanad/sdk/testing'
import { endDueCheckouts } from '../../../server/src/checkouts/end-checkouts.ts'
import type { AccountId, UserId } from '../../../server/src/core/ids.ts'
import { zoneOf } from '../../../server/src/core/zone.ts'
import { expireIntents } from '../../../server/src/intents/expire-intents.ts'
import { phone } from '../../../server/test/support/phone.ts'
import { purchaseText } from '../../../server/test/support/sms-texts.ts'
import { askAt, openTestService } from '../../../server/test/support/story.ts'
import { lastingToken } from '../../../server/test/support/users.ts'

export type World = {
  readonly name: string
  readonly sanad: Sanad
  readonly raw: NonNullable<SanadOptions['fetch']>
  readonly options: SanadOptions
  advance(ms: number): void
  pay(amount: string, reference: string): Promise<void>
  /** Late money arrives, and a user books it to an expired intent. */
  book(intent: { id: string; payable_amount: string }, reference: string): Promise<void>
  /** A user accepts the wrong amount that arrived. */
  accept(intent: Intent): Promise<void>
  payTest(amount: string, reference: string): Promise<void>
  /** A user cancels an intent. */
  cancel(id: string): Promise<void>
  /** A buyer opens the page of a checkout, or of a link, and pays. */
  payPage(page: { checkout: string } | { link: string }, amount: string, reference: string): Promise<void>
  /** The events so far whose body contains this text. */
  events(text: string): Promise<unknown[]>
}

export type Note = (answer: Promise<unknown>) => Promise<unknown>
export const idOf = (answer: unknown): string => (answer as { id: string }).id

type Operation = { parameters?: { name: string; schema: { type?: string }; explode?: boolean }[] }

/** Replaces ids and codes, which differ between runs, by numbers in the order in which they appear. */
const comparable = (answers: unknown[], fixedIds: readonly string[]): unknown => {
  const names = new Map<string, string>()
  const numbered = (kind: string, value: string): string => {
    if (fixedIds.includes(value)) return value
    if (!names.has(value)) names.set(value, `${kind} ${names.size + 1}`)
    return names.get(value)!
  }
  const text = JSON.stringify(answers)
    .replace(/https?:\/\/[^/"]+\/api\/v1\/(merchant|checkout)/g, 'BASE')
    .replace(/https?:\/\/[^/"]+\/pay\/(link\/)?[\w-]+/g, (_, link = '') => `PAGE ${link}`)
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => numbered('id', id))
    .replace(
      /"(code|payment_id)":"([0-9A-HJKMNP-TV-Z]{10})"/g,
      (_, name, code) => `"${name}":"${numbered('code', code)}"`,
    )
  return JSON.parse(text)
}

const errorOf = (fault: unknown) =>
  fault instanceof SanadError
    ? { status: fault.status, type: fault.type, errors: fault.errors }
    : assert.fail(String(fault))

export const openWorlds = async () => {
  const service = await openTestService({ SANAD_LIMITS: 'off' })
  const { demo } = service
  const { clock } = service
  const testPhone = phone(service.origin, () => clock.now(), demo.device)
  const key = { baseUrl: service.base, clientId: demo.client_id, clientSecret: demo.client_secret }

  // The stories go on for days: longer than the token of a user is valid.
  const [[userId, accountId]] = (await service.sql(
    'select m.user_id, m.account_id from members m join wallets w using (account_id) where w.id = $1',
    [demo.wallets.main],
  )) as [[UserId, AccountId]]
  const token = await lastingToken(service, { userId, accountId }, 30 * 86_400)

  /** Every request of the SDK to the service, by operation. */
  const called = new Set<string>()
  const recorded: SanadOptions['fetch'] = (url, init) => {
    const path = new URL(url).pathname.replace(/\/(intents|sessions|links)\/[^/]+\//, '/$1/{id}/')
    called.add(`${init.method} ${path}`)
    return fetch(url, init)
  }

  const realWorld = (): World => {
    const options: SanadOptions = { ...key, fetch: recorded, now: () => clock.now() }
    let reports = 0
    const pay = async (amount: string, reference: string): Promise<void> => {
      const report = {
        client_id: `story-${++reports}-${reference}`,
        kind: 'sms',
        sender: 'Jawali',
        text: purchaseText(amount, reference),
        sim_slot: 'SIM1',
        received_at: String(Math.floor(clock.now() / 1000)),
      }
      const answer = await testPhone.alerts([report])
      assert.equal(answer.status, 200, answer.text)
    }
    const dashboard = async (path: string, body: object): Promise<void> => {
      const answer = await askAt(`${service.origin}/api/v1/dashboard${path}`, 'POST', { token, body })
      assert.ok(answer.status < 300, answer.text)
    }
    const sendForm = async (path: string, fields: Record<string, string>) => {
      // As the page's script sends it: a refusal is answered with its status, not with a redirect.
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-requested-with': 'fetch' }
      const answer = await askAt(`${service.origin}${path}`, 'POST', {
        body: new URLSearchParams(fields).toString(),
        headers,
      })
      assert.equal(answer.status, 303, answer.text)
      return String(answer.headers.location)
    }
    const sanad = new Sanad(options)
    return {
      name: 'service',
      sanad,
      raw: recorded,
      options,
      advance: (ms) => void clock.advance(ms),
      pay,
      async book(intent, reference) {
        await pay(intent.payable_amount, reference)
        const [[alert]] = (await service.sql('select id from alerts where reference = $1', [reference])) as [[string]]
        const amounts = { alert_amount: intent.payable_amount, intent_amount: intent.payable_amount }
        await dashboard(`/unmatched/${alert}/book-copy/`, { intent: intent.id, ...amounts })
      },
      async accept({ id, paid_amount }) {
        await dashboard(`/intents/${id}/accept-paid/`, { paid_amount })
      },
      cancel: (id) => dashboard(`/intents/${id}/cancel/`, {}),
      async payTest(amount, reference) {
        await dashboard('/test-payment/', { wallet: demo.wallets.test, amount, reference })
      },
      async payPage(page, amount, reference) {
        let path = ''
        let checkout: Awaited<ReturnType<typeof sanad.checkouts.retrieve>> | undefined
        if ('checkout' in page) {
          checkout = await sanad.checkouts.retrieve(page.checkout)
          path = new URL(checkout.url).pathname
        } else {
          const link = new URL((await sanad.links.retrieve(page.link)).url).pathname
          path = (await sendForm(link, { amount })).split('?')[0]!
        }
        const last = checkout?.intents.at(-1)
        const isShort = last?.status === 'WRONG_AMOUNT' && Number(last.paid_amount) < Number(last.payable_amount)
        if (isShort && checkout?.allow_remaining) await sendForm(`${path}/rest/`, {})
        else await sendForm(`${path}/wallet/`, { wallet: demo.wallets.main })
        await sendForm(`${path}/reference/`, { reference })
        await pay(amount, reference)
      },
      async events(text) {
        const zone = zoneOf('Asia/Aden')
        await expireIntents(service.db, 500, clock.now(), zone)
        await endDueCheckouts(service.db, zone, 500, clock.now(), () => {})
        const rows = await service.sql('select body from events where body like $1 order by id', [`%${text}%`])
        return rows.map(([body]) => JSON.parse(body!))
      },
    }
  }

  /** The fake with the wallets of the service, as its answers show them. */
  const fakeWorld = async (endEvents: boolean): Promise<World> => {
    const sanad = new Sanad(key)
    const listed = await sanad.wallets.list({ includeTest: true })
    const slots: Record<string, 'SIM1' | 'SIM2'> = { [demo.wallets.main]: 'SIM1', [demo.wallets.second]: 'SIM2' }
    const offered: FakeWallet[] = listed.map((wallet) => ({ ...wallet, sim_slot: slots[wallet.id] ?? '' }))
    const [first] = offered as [FakeWallet]
    const others: FakeWallet[] = [
      { ...first, id: demo.wallets.off, name: 'Off', state: 'off' },
      { ...first, id: demo.wallets.inactive, name: 'Closed', state: 'closed' },
    ]
    const device = { id: demo.device.id, name: 'Shop phone' }
    const fake = createFakeSanad({ wallets: [...offered, ...others], device, now: clock.now(), endEvents })
    return {
      name: 'fake',
      sanad: new Sanad(fake.options),
      raw: fake.options.fetch,
      options: fake.options,
      advance: fake.advance,
      pay: async (amount, reference) => fake.pay({ wallet: demo.wallets.main, amount, reference }),
      book: async ({ id }, reference) => void fake.book(id, reference),
      accept: async ({ id, reference }) => void fake.book(id, reference),
      payTest: async (amount, reference) => fake.pay({ wallet: demo.wallets.test, amount, reference }),
      cancel: async (id) => fake.cancel(id),
      payPage: async (page, amount, reference) => fake.pay({ ...page, wallet: demo.wallets.main, amount, reference }),
      events: async (text) =>
        (await fake.webhooks()).filter(({ body }) => body.includes(text)).map(({ body }) => JSON.parse(body)),
    }
  }

  let storyCount = 0
  /** The number of this story. */
  const storyNumber = (): number => storyCount

  /** Runs a story in both worlds, with the same time in each, and compares all answers that it notes. */
  const story = (
    name: string,
    run: (world: World, note: Note, tag: string) => Promise<void>,
    { endEvents = false } = {},
  ) =>
    test(name, async () => {
      // Later than the hour of an intent: nothing of the story before is live any more.
      clock.advance(90 * 60_000)
      const tag = `S${++storyCount}`
      const worlds = [await fakeWorld(endEvents), realWorld()]
      const notes: unknown[] = []
      for (const world of worlds) {
        const answers: unknown[] = []
        const note: Note = async (answer) => {
          const value = await answer.catch(errorOf)
          answers.push(value)
          return value
        }
        await run(world, note, tag)
        assert.ok(answers.length > 0)
        notes.push(comparable(answers, Object.values(demo.wallets)))
      }
      assert.deepEqual(notes[0], notes[1])
    })

  /** The operations of a document, and which of them the SDK has not called. */
  const readOperations = (name: 'merchant' | 'checkout') => {
    const path = join(import.meta.dirname, `../../../../openapi/${name}.json`)
    const { paths }: { paths: Record<string, Record<string, Operation>> } = JSON.parse(readFileSync(path, 'utf8'))
    const every = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} /api/v1/${name}${path}`),
    )
    return { paths, every, missing: every.filter((operation) => !called.has(operation)) }
  }
  /** An endpoint that subscribes to these kinds. No sender runs, so nothing is sent to it. */
  const addEndpoint = async (kinds: readonly string[]): Promise<void> => {
    const answer = await askAt(`${service.origin}/api/v1/dashboard/webhooks/`, 'POST', {
      token,
      body: { url: 'https://shop.example.com/hooks', kinds },
    })
    assert.equal(answer.status, 201, answer.text)
  }

  return { addEndpoint, demo, story, storyNumber, readOperations }
}
