/**
 * Query plans of the counter in an account with many intents: neither the last payments nor the search among waiting intents
 * reads the whole table.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Minor } from '../../src/core/money.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { lastPayments } from '../../src/views/counter/last-payments-sql.ts'
import { mostWaiting, waitingIntentsLike } from '../../src/views/counter/waiting-intents-sql.ts'
import { planted, plantIntents } from '../support/plant-intents.ts'
import { openTestService } from '../support/story.ts'
import { accountOfWallet } from '../support/users.ts'
import { readsOf } from './table-reads.ts'

const service = await openTestService()
const { clock, demo } = service
const accountId = await accountOfWallet(service, demo.wallets.main)
const many = 40_000

// A fifth of the intents still waits: far more than a shop has in an hour.
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

const intentsRead = (run: (session: never) => Promise<unknown>) => readsOf(service.db, 'intents', run)

test('the last payments read as many intents as they show', async () => {
  const read = await intentsRead((s) => lastPayments(s, wholeAccount(accountId), 20))
  assert.deepEqual(read, { count: 1, isWhole: false, rows: 20 })
})

test('a search among waiting intents reads a limited number of them, the newest', async () => {
  const amount = 150_000n as Minor
  for (const terms of [['770000321'], ['nobody', 'nowhere'], ['1500']]) {
    const { isWhole, rows } = await intentsRead((s) =>
      waitingIntentsLike(s, wholeAccount(accountId), amount, terms, 21),
    )
    assert.ok(!isWhole && rows <= mostWaiting + 21, `${terms}: ${rows}`)
  }
})
