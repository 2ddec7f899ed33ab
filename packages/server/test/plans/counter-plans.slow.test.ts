/**
 * Query plans of the counter in an account with many intents: neither the last payments nor the search among waiting
 * intents reads the whole table, however much there is.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Minor } from '../../src/core/money.ts'
import type { RawQuery } from '../../src/postgres/connection/database.ts'
import { lastPayments } from '../../src/views/counter/last-payments-sql.ts'
import { mostWaiting, waitingIntentsLike } from '../../src/views/counter/waiting-intents-sql.ts'
import { planted, plantIntents } from '../support/plant-intents.ts'
import { openTestService } from '../support/story.ts'
import { accountOfWallet } from '../support/users.ts'

const service = await openTestService()
const { clock, demo } = service
const accountId = await accountOfWallet(service, demo.wallets.main)
const many = 40_000

// A fifth still waits: far more than an hour's worth.
for (let from = 0; from < many; from += 5_000)
  await plantIntents(
    service.db,
    Array.from({ length: 5_000 }, (_, n) =>
      planted({
        accountId,
        walletId: demo.wallets.main,
        createdAt: clock.now() - (from + n + 1) * 1_000,
        status: n % 5 === 0 ? 'PENDING' : 'VERIFIED',
        payable: BigInt(100_000 + ((from + n) % 700) * 100),
      }),
    ),
  )
await service.plant('analyze')

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}

/** How the intents are read, and how many rows of them. */
const intentsRead = async (ask: (session: { run(query: RawQuery): Promise<never[]> }) => Promise<unknown>) => {
  let asked: RawQuery | undefined
  await ask({
    run: async (query) => {
      asked = query
      return []
    },
  })
  const { text, values } = asked!
  const [row] = await service.db.run({ text: `explain (analyze, format json) ${text}`, values })
  const nodes: Plan[] = []
  const walk = (plan: Plan): void => {
    nodes.push(plan)
    for (const below of plan.Plans ?? []) walk(below)
  }
  walk(JSON.parse(row![0]!)[0].Plan)
  const reads = nodes.filter((node) => node['Relation Name'] === 'intents')
  return {
    isWhole: reads.some((node) => node['Node Type'] === 'Seq Scan'),
    rows: reads.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0),
  }
}

test('the last payments read as many intents as they show', async () => {
  const read = await intentsRead((s) => lastPayments(s as never, accountId, 20))
  assert.deepEqual(read, { isWhole: false, rows: 20 })
})

test('a search among waiting intents reads at most the newest of them', async () => {
  const amount = 150_000n as Minor
  for (const terms of [['770000321'], ['nobody', 'nowhere'], ['1500']]) {
    const { isWhole, rows } = await intentsRead((s) => waitingIntentsLike(s as never, accountId, amount, terms, 21))
    assert.ok(!isWhole && rows <= mostWaiting + 21, `${terms}: ${rows}`)
  }
})
