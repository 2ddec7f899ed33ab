/**
 * A scope of some wallets: what belongs to other wallets of the account is not found, listed, counted or summed, and a statement
 * that cannot be limited to wallets refuses such a scope.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listKeyRows } from '../../src/accounts/keys/account-keys-sql.ts'
import { day_ms } from '../../src/core/duration.ts'
import type { AccountId, WalletId } from '../../src/core/ids.ts'
import { type Scope, seesWallet, todayIn, wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { cancelPending } from '../../src/intents/intent-sql.ts'
import { noFilter } from '../../src/intents/list/intent-list.ts'
import { figurePeriods } from '../../src/intents/totals/figure-periods.ts'
import { figuresByDay, waitingNow } from '../../src/intents/totals/figures-sql.ts'
import { countQueue } from '../../src/views/alerts/alert-list-sql.ts'
import { listAlerts } from '../../src/views/alerts/list-alerts.ts'
import { walletOfDay } from '../../src/views/day-close/day-close-sql.ts'
import { intentFinder } from '../../src/views/intents/find-intents.ts'
import { intentLister } from '../../src/views/intents/list-intents.ts'
import { queueFigures } from '../../src/views/queue/queue-figures-sql.ts'
import { walletLookup } from '../../src/views/wallets/find-wallet.ts'
import { listWallets } from '../../src/views/wallets/wallet-sql.ts'
import { queueStory } from '../support/queue-story.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService()
const { db, clock, demo, create } = service
const { accountId, record, report, paid, newReference } = await queueStory(service)
const { main, second } = demo.wallets

const all = wholeAccount(accountId)
const only = (...wallets: WalletId[]): Scope => ({ accountId, wallets, today: null })

const ofMain = (await create({ amount: '1500', wallet: main })).body
const ofSecond = (await create({ amount: '2500', wallet: second })).body
await record([report(paid('1700', newReference())), report(paid('2700', newReference()), { simSlot: 'SIM2' })])

test('intents of other wallets are not found, listed, counted or cancelled', async () => {
  const find = intentFinder(db)
  const list = intentLister({ db, shared: db, talliedUntil: () => 0 })
  const now = clock.now()
  assert.equal((await find(only(main), ofMain.id))?.id, ofMain.id)
  assert.equal(await find(only(main), ofSecond.id), undefined)
  assert.equal(await find(only(), ofMain.id), undefined)
  const order = [{ field: 'created_at', down: true }] as const
  const ids = async (scope: Scope) => {
    const { count, intents } = await list.first(noFilter(scope), order, 10, now)
    assert.equal(count, intents.length)
    assert.equal(await list.count(noFilter(scope), now), intents.length)
    return intents.map(({ id }) => id)
  }
  assert.deepEqual(await ids(all), [ofSecond.id, ofMain.id])
  assert.deepEqual(await ids(only(main)), [ofMain.id])
  assert.deepEqual(await ids(only(second)), [ofSecond.id])
  assert.deepEqual(await ids(only(main, second)), [ofSecond.id, ofMain.id])
  assert.deepEqual(await ids(only()), [])
  const cancellation = { id: ofSecond.id, entryId: ofMain.id, by: 'user Amal' }
  assert.deepEqual(await cancelPending(db, only(main), cancellation, now), [])
})

test('messages of other wallets are not listed or counted', async () => {
  const any = { states: undefined, walletId: undefined, phoneId: undefined, templateId: undefined }
  const anyTime = { amount: undefined, from: undefined, until: undefined, terms: [] }
  const amounts = async (scope: Scope) =>
    (await listAlerts(db, { scope, ...any, ...anyTime }, { size: 10, newestFirst: true, after: undefined })).alerts.map(
      ({ amount }) => amount,
    )
  assert.deepEqual(await amounts(all), [270_000n, 170_000n])
  assert.deepEqual(await amounts(only(main)), [170_000n])
  assert.deepEqual(await amounts(only(second)), [270_000n])
  const waiting = async (scope: Scope) =>
    (await countQueue(db, scope, 100)).find(({ state }) => state === 'waiting')?.found
  assert.deepEqual([await waiting(all), await waiting(only(main)), await waiting(only())], [2, 1, 0])
})

test('sums are of the wallets of the scope', async () => {
  const now = clock.now()
  const unmatched = async (scope: Scope) => (await queueFigures(db, scope)).map(({ state, sum }) => [state, sum])
  assert.deepEqual(await unmatched(all), [['waiting', 440_000n]])
  assert.deepEqual(await unmatched(only(second)), [['waiting', 270_000n]])
  const asked = async (scope: Scope) => (await waitingNow(db, scope, now)).map(({ count, sum }) => [count, sum])
  assert.deepEqual(await asked(all), [[2, 400_000n]])
  assert.deepEqual(await asked(only(main)), [[1, 150_000n]])
  const periods = figurePeriods([Math.floor(now / day_ms) * day_ms], 0)
  const wallets = async (scope: Scope) => (await figuresByDay(db, scope, periods, now)).map((row) => row.wallet_id)
  assert.deepEqual((await wallets(all)).toSorted(), [main, second].toSorted())
  assert.deepEqual(await wallets(only(second)), [second])
})

test('other wallets are not found', async () => {
  const names = async (scope: Scope) => (await listWallets(db, scope)).map(({ id }) => id)
  assert.ok((await names(all)).includes(second))
  assert.deepEqual(await names(only(main)), [main])
  const lookup = walletLookup(db)
  assert.equal((await lookup.get(only(main), main, clock.now()))?.id, main)
  assert.equal(await lookup.get(only(main), second, clock.now()), undefined)
  assert.equal((await walletOfDay(db, only(main), second)).length, 0)
  assert.ok(seesWallet(all, second) && seesWallet(only(second), second) && !seesWallet(only(main), second))
})

test('a statement that cannot be limited to wallets refuses a scope of some wallets', async () => {
  assert.ok((await listKeyRows(db, all, ['', ''], 10)).length > 0)
  await assert.rejects(listKeyRows(db, only(main), ['', ''], 10), /list_key_rows cannot be limited to wallets/)
})

test('a statement that does not say what is of today refuses a scope of today', async () => {
  const today: Scope = { ...all, today: todayIn(zoneOf('Asia/Aden'), clock.now()) }
  await assert.rejects(listKeyRows(db, today, ['', ''], 10), /list_key_rows cannot be limited to today/)
  assert.ok((await listWallets(db, today)).length > 0)
})

test('a wallet of another account adds nothing to a scope', async () => {
  const other = demo.other.wallet as WalletId
  const scope: Scope = { accountId: accountId as AccountId, wallets: [other], today: null }
  assert.deepEqual(await listWallets(db, scope), [])
  assert.equal(await intentLister({ db, shared: db, talliedUntil: () => 0 }).count(noFilter(scope), clock.now()), 0)
})
