/** Money that came before the newest ten thousand messages is found by its full reference and, while nobody has it, by its amount. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { search } from '@sanad/contract/dashboard/money/search'
import { mostScanned } from '../../src/alerts/alert-list.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { alertsOfReference } from '../../src/views/alerts/find-alerts-sql.ts'
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
const reference = newReference()
const old = await money('777.77', reference)
clock.advance(1_000)
await service.plant(
  `insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                       normaliser_version, fingerprint, wallet_id, direction, amount, currency, state, reference, reference_key)
   select $1, (lpad(to_hex($4::bigint + n), 12, '0') || '7000' || substr(md5(n::text), 1, 16))::uuid, $3, 'planted ' || n, 'native', true,
          'sms', 'Jawali', 'text', to_timestamp(($4::bigint + n) / 1000.0), 1, sha256(('planted ' || n)::bytea), $2, 'credit', 150000,
          'YER', 'review', 'N' || n, 'N' || n
     from generate_series(1, $5::int) as n`,
  [accountId, demo.wallets.main, demo.device.id, clock.now(), mostScanned + 1],
)
await service.plant('analyze alerts')

test('a full reference finds its money, in any spelling', async () => {
  const arabic = reference.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)))
  for (const q of [reference, ` ${reference} `, arabic, `${reference.slice(0, 4)} ${reference.slice(4)}`])
    assert.deepEqual(await found(q), [old], q)
  assert.deepEqual(await found(reference.slice(0, -1)), [])
  assert.deepEqual(await found(reference, stranger), [])
})

test('the exact amount finds money that nobody has', async () => {
  assert.deepEqual(await found('777.77'), [old])
  assert.deepEqual(await found('777.78'), [])
  assert.deepEqual(await found('777.77', stranger), [])
})

test('a full reference is looked up and reads little', async () => {
  const { rows, isWhole } = await readsOf(service.db, 'alerts', (session: never) =>
    alertsOfReference(session, wholeAccount(accountId), ['N417', 'N999999'], 21, ['review']),
  )
  assert.ok(!isWhole && rows <= 10, String(rows))
})
