/**
 * Query plans of the counter in an account with many intents: neither the roll nor the search among waiting intents
 * reads the whole table.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Minor } from '../../src/core/money.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { mostScanned, rollEnd, rollIds } from '../../src/views/counter/roll-sql.ts'
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
await service.plant(
  `insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                       normaliser_version, fingerprint, wallet_id, direction, amount, currency, state)
   select $1, gen_random_uuid(), $3, 'planted ' || n, 'native', true, 'sms', 'Jawali', 'text', $4, 1,
          sha256(('planted ' || n)::bytea), $2, case when n % 3 = 0 then 'debit' else 'credit' end, 150000, 'YER',
          case when n % 3 = 0 then 'debit' else 'review' end
     from generate_series(1, 20000) as n`,
  [accountId, demo.wallets.main, demo.device.id, new Date(clock.now()).toISOString()],
)
await service.plant('analyze')

const intentsRead = (run: (session: never) => Promise<unknown>) => readsOf(service.db, 'intents', run)

const alertsRead = (run: (session: never) => Promise<unknown>) => readsOf(service.db, 'alerts', run)
const scope = wholeAccount(accountId)

test('a page of the roll reads little more than it shows', async () => {
  const read = await alertsRead((s) => rollIds(s, scope, undefined, 31))
  assert.deepEqual([read.count, read.isWhole], [1, false])
  assert.ok(read.rows <= 40, String(read.rows))
  const later = (await rollIds(service.db, scope, undefined, 31)).at(-1)!.id
  assert.ok((await alertsRead((s) => rollIds(s, scope, later, 31))).rows <= 40)
  const end = await alertsRead((s) => rollEnd(s, scope, later))
  assert.ok(!end.isWhole && end.rows <= mostScanned, String(end.rows))
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
