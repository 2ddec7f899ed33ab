/** Money that came before the newest ten thousand messages is found by its full reference and, while nobody has it, by its amount. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { search } from '@sanad/contract/dashboard/money/search'
import { mostScanned } from '../../src/alerts/alert-list.ts'
import { minor } from '../../src/core/money.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { alertsOfReference, unclaimedOfAmount } from '../../src/views/alerts/find-alerts-sql.ts'
import { fits, queueStory } from '../support/queue-story.ts'
import { openTestService } from '../support/story.ts'
import { readsOf } from './table-reads.ts'

const service = await openTestService()
const { clock, demo } = service
const { accountId, owner, stranger, money, newReference } = await queueStory(service)

const found = async (q: string, user = owner): Promise<string[]> => {
  const answer = await user.ask('GET', `/search/?q=${encodeURIComponent(q)}`)
  assert.equal(answer.status, 200, answer.text)
  fits(search.answer, answer)
  return answer.body.alerts.map(({ id }: { id: string }) => id)
}

clock.advance(2 * 24 * 3_600_000)
/** Unclaimed messages of one amount, a millisecond apart. */
const plantMany = async (name: string, minor: number, count: number): Promise<void> => {
  await service.plant(
    `insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                         normaliser_version, fingerprint, wallet_id, direction, amount, currency, state, reference, reference_key)
     select $1, (lpad(to_hex($4::bigint + n), 12, '0') || '7000' || substr(md5(n::text), 1, 16))::uuid, $3, $6::text || n, 'native',
            true, 'sms', 'Jawali', 'text', to_timestamp(($4::bigint + n) / 1000.0), 1, sha256(($6::text || n)::bytea), $2, 'credit',
            $7::int8, 'YER', 'review', $6::text || n, $6::text || n
       from generate_series(1, $5::int) as n`,
    [accountId, demo.wallets.main, demo.device.id, clock.now(), count, name, minor],
  )
  clock.advance(count + 1_000)
}
await plantMany('M', 77_777, 1_500)
const reference = newReference()
const old = await money('777.77', reference)
clock.advance(1_000)
await plantMany('N', 150_000, mostScanned + 1)
await service.plant('analyze alerts')

test('a full reference finds its money, in any spelling', async () => {
  const arabic = reference.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
  for (const q of [reference, ` ${reference} `, arabic, `${reference.slice(0, 4)} ${reference.slice(4)}`])
    assert.deepEqual(await found(q), [old], q)
  assert.deepEqual(await found(reference.slice(0, -1)), [])
  assert.deepEqual(await found(reference, stranger), [])
})

test('the exact amount finds the newest money that nobody has, of however much there is', async () => {
  const all = await found('777.77')
  assert.deepEqual([all[0], all.length], [old, 20])
  assert.deepEqual(await found('777.78'), [])
  assert.deepEqual(await found('777.77', stranger), [])
})

test('a full reference is looked up and reads little', async () => {
  const { rows, isWhole } = await readsOf(service.db, 'alerts', (session: never) =>
    alertsOfReference(session, wholeAccount(accountId), ['N417', 'N999999'], 21, ['review']),
  )
  assert.ok(!isWhole && rows <= 10, String(rows))
})

test('an amount is looked up, and no more of it is read than is shown', async () => {
  for (const amount of [77_777n, 150_000n, 1n]) {
    const { rows, isWhole } = await readsOf(service.db, 'alerts', (session: never) =>
      unclaimedOfAmount(session, wholeAccount(accountId), minor(amount), 21),
    )
    assert.ok(!isWhole && rows <= 21, `${amount}: ${rows}`)
  }
})
