/**
 * 0087: however the wallets of an account are divided, what members see of each part adds up to what an owner sees: sums of Today,
 * counts of the queue, day close, shifts, lists. A random week of money is driven through three wallets; one manager is given one
 * part after the other.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hour_ms } from '../../src/core/duration.ts'
import { type ProviderId, randomId, type WalletId } from '../../src/core/ids.ts'
import { queueStory } from '../support/queue-story.ts'
import { plantWallet } from '../support/rows/plant-wallet.ts'
import { runs } from '../support/runs.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { okBody, openTestService } from '../support/story.ts'
import { createMember, type TestMember } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { db, demo, clock, sql } = service
const story = await queueStory(service)
const { owner, accountId } = story
const member = await createMember(service, accountId, 'manager')

const third = randomId<WalletId>()
const [[providerId]] = (await sql('select provider_id from wallets where id = $1', [demo.wallets.main])) as [
  [ProviderId],
]
await plantWallet(
  db,
  { id: third, accountId, providerId, phoneId: null, name: 'Third', accountNumber: '7', senderName: 'S' },
  clock.now(),
)
const wallets: readonly WalletId[] = [demo.wallets.main as WalletId, demo.wallets.second as WalletId, third]

const get = async (by: TestMember, path: string) => okBody(await by.ask('GET', path))

const acts = ['leave', 'pay', 'pay less', 'dismiss', 'sell', 'hand over', 'open', 'unread'] as const
type Act = (typeof acts)[number]
type Step = { readonly act: Act; readonly wallet: 0 | 1 | 2; readonly minor: number; readonly pause_h: number }

const decimal = (minor: number): string => (minor / 100).toFixed(2)

/** One thing that happens to a wallet. Money of the third wallet has no phone: its message is moved there. */
const drive = async ({ act, wallet, minor, pause_h }: Step): Promise<void> => {
  clock.advance(pause_h * hour_ms)
  const now = new Date(clock.now()).toISOString()
  await sql(`update sessions set last_seen_at = $1, expires_at = $1::timestamptz + interval '1 day'`, [now])
  const walletId = wallets[wallet]!
  const slot = { simSlot: wallet === 1 ? ('SIM2' as const) : ('SIM1' as const) }
  const reference = story.newReference()
  const arrive = async (amount: string): Promise<string> => {
    await story.record([story.report(purchaseText(amount, reference), slot)])
    const [row] = await sql('select id from alerts where reference = $1', [reference])
    if (wallet === 2) await sql('update alerts set wallet_id = $2, identity = $2 where id = $1', [row![0], third])
    return row![0] as string
  }
  if (act === 'unread') return void (await story.record([story.report(`No template reads ${reference}`, slot)]))
  // An intent is not made for a wallet without a phone.
  const asks = wallet !== 2 && (act === 'pay' || act === 'pay less' || act === 'hand over' || act === 'open')
  if (!asks) {
    const alert = await arrive(decimal(minor))
    if (act === 'dismiss')
      okBody(await owner.ask('POST', `/unmatched/${alert}/dismiss/`, { body: { reason: 'no order' } }))
    if (act === 'sell') {
      const body = { amount: decimal(minor), not_for_order: true, looked: true, note: '' }
      okBody(await member.ask('POST', `/unmatched/${alert}/take-sale/`, { body }))
    }
    return
  }
  const intent = okBody(await owner.ask('POST', '/intents/', { body: { wallet: walletId, amount: decimal(minor) } }))
  if (act === 'open') return
  okBody(await owner.ask('POST', `/intents/${intent.id}/reference/`, { body: { reference } }))
  const [row] = await sql('select payable from intents where id = $1', [intent.id])
  await arrive(decimal(Number(row![0]) - (act === 'pay less' ? 1 : 0)))
  if (act === 'hand over') okBody(await member.ask('POST', `/intents/${intent.id}/hand-over/`))
}

/** What does not add up: medians, the state of phones, and what describes a wallet or a moment. */
const notSums = new Set(['usual', 'weeks', 'hour_now', 'silent_phones', 'failing_endpoints', 'time_to_verify'])
const isDecimal = (value: unknown): value is string => typeof value === 'string' && /^-?\d+\.\d\d$/.test(value)

/** Every number and amount of an answer, by where it is: an element of a list by its texts (currency, day, wallet, member). */
const figuresIn = (value: unknown, path = '', found = new Map<string, bigint>()): Map<string, bigint> => {
  const add = (amount: bigint): void => {
    if (amount !== 0n) found.set(path, (found.get(path) ?? 0n) + amount)
  }
  if (typeof value === 'number') add(BigInt(value))
  else if (isDecimal(value)) add(BigInt(value.replace('.', '')))
  else if (Array.isArray(value)) for (const element of value) figuresIn(element, `${path}[${nameOf(element)}]`, found)
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value))
      if (!notSums.has(key) && key !== 'hour') figuresIn(inner, `${path}.${key}`, found)
  return found
}
const nameOf = (element: unknown): string => {
  if (typeof element !== 'object' || element === null) return String(element)
  return Object.entries(element)
    .flatMap(([key, value]) => {
      if (typeof value === 'string' && !isDecimal(value)) return [value]
      if (key === 'hour') return [String(value)]
      return key === 'wallet' || key === 'shift' || key === 'sums' ? [value?.id ?? value?.currency ?? ''] : []
    })
    .join(' ')
}

const rollOf = async (by: TestMember): Promise<{ ids: string[]; cursors: string[] }> => {
  const [ids, cursors]: [string[], string[]] = [[], []]
  for (let after: string | null = ''; after !== null; ) {
    const page = await get(by, `/counter/roll/?page_size=3${after && `&after=${after}`}`)
    ids.push(...page.results.map(({ id }: { id: string }) => id))
    after = page.next as string | null
    if (after !== null) cursors.push(after)
  }
  return { ids, cursors }
}

/** Everything that sums, as this member sees it now. */
const seenBy = async (by: TestMember, shift: string) => {
  const figures = new Map<string, bigint>()
  const days = await get(by, '/overview/days/')
  const paths = [
    '/overview/',
    '/overview/days/',
    '/overview/charts/',
    '/unmatched/counts/',
    `/shifts/${shift}/`,
    ...days.days.flatMap((day: string) => [`/day-close/sums/?day=${day}`, `/overview/hours/?day=${day}`]),
  ]
  for (const path of paths)
    for (const [at, amount] of figuresIn(await get(by, path))) figures.set(`${path} ${at}`, amount)
  const { count } = await get(by, '/intents/')
  figures.set('intents', BigInt(count))
  return { figures, roll: await rollOf(by) }
}

const give = async (part: readonly WalletId[] | null): Promise<void> => {
  okBody(await owner.ask('PATCH', `/members/${member.userId}/`, { body: { wallets: part } }))
}
const readable = (figures: ReadonlyMap<string, bigint>): Record<string, string> =>
  Object.fromEntries([...figures].map(([at, amount]) => [at, String(amount)] as const).toSorted())

const oneStep = fc.record({
  act: fc.constantFrom(...acts),
  wallet: fc.constantFrom(0 as const, 1 as const, 2 as const),
  minor: fc.integer({ min: 1_000, max: 900_000 }),
  pause_h: fc.constantFrom(0, 0, 0, 1, 9),
})

test('sums, counts and lists of any division of the wallets add up to those of an owner', async () => {
  clock.advance(48 * hour_ms)
  let drove = 0
  let compared = 0
  const each = async (steps: readonly Step[], parts: readonly number[]): Promise<void> => {
    await give(null)
    const now = new Date(clock.now()).toISOString()
    await sql(`update sessions set last_seen_at = $1, expires_at = $1::timestamptz + interval '1 day'`, [now])
    const shift = okBody(await member.ask('POST', '/shifts/')).id
    for (const step of steps) await drive(step)
    // The whole shift is looked at: it is ended, and the next run starts another one.
    const open = await sql('select 1 from shifts where id = $1 and ended_at is null and latest_end > $2', [
      shift,
      new Date(clock.now()).toISOString(),
    ])
    if (open.length > 0) okBody(await member.ask('POST', `/shifts/${shift}/end/`))
    const whole = await seenBy(owner, shift)
    drove += whole.roll.ids.length
    const added = new Map<string, bigint>()
    const listed: string[] = []
    for (const part of [0, 1, 2]) {
      const given = wallets.filter((_, i) => parts[i] === part)
      await give(given)
      const seen = await seenBy(member, shift)
      for (const [at, amount] of seen.figures) added.set(at, (added.get(at) ?? 0n) + amount)
      listed.push(...seen.roll.ids)
      const ids = [...seen.roll.ids, ...seen.roll.cursors]
      const foreign = await sql(
        'select id from alerts where id = any($1::uuid[]) and not (wallet_id = any($2::uuid[]))',
        [ids, given],
      )
      assert.deepEqual(foreign, [], 'the roll and its cursors name messages of other wallets')
    }
    assert.deepEqual(readable(added), readable(whole.figures))
    assert.deepEqual(listed.toSorted(), whole.roll.ids.toSorted())
    compared += added.size
  }
  const aWeek = fc.array(oneStep, { minLength: 6, maxLength: 14 })
  const aDivision = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 3, maxLength: 3 })
  await fc.assert(fc.asyncProperty(aWeek, aDivision, each), { numRuns: runs(25, 4), endOnFailure: true })
  assert.ok(drove > 10 && compared > 100, `${drove} payments, ${compared} figures`)
})
