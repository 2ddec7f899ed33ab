/**
 * Query plans of wallets, phones and templates in the dashboard, in an account with many alerts. Each query is planned with
 * real values, and none may read the whole table of alerts.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertsOfPhone, firstAlertSince } from '../../src/alerts/phone-alerts-sql.ts'
import { phoneHasAlerts } from '../../src/alerts/phone-has-alerts-sql.ts'
import { alertsToPreview } from '../../src/alerts/publishing/account-templates-sql.ts'
import { firstIdAt, type PhoneId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { findAccountWallet, listAccountWallets } from '../../src/views/wallets/account-wallets-sql.ts'
import { morning, openTestService } from '../support/story.ts'
import { accountOfWallet } from '../support/users.ts'
import { readsOf } from './table-reads.ts'

const service = await openTestService()
const { demo } = service
const accountId = await accountOfWallet(service, demo.wallets.main)
const many = 60_000

// One alert every second, all of the main wallet. One in a hundred is unread; one sender is rare.
await service.plant(
  `
  insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                      normaliser_version, fingerprint, wallet_id, state)
  select $1, (lpad(to_hex($2::bigint + n * 1000), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' ||
              substr(md5(n::text), 4, 15))::uuid,
         $3, 'plan-' || n, 'native', true, 'sms', case when n % 20000 = 7 then 'Rare' else 'Jawali' end, 'text ' || n,
         to_timestamp(($2::bigint + n * 1000) / 1000.0), 1, md5(n::text)::bytea, $4,
         case when n % 100 = 0 then 'unread' else 'debit' end
    from generate_series(1, $5::int) n`,
  [accountId, morning, demo.device.id, demo.wallets.main, many],
)
await service.plant('analyze')

const lowestId = '00000000-0000-0000-0000-000000000000'
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const [[silent]] = (await service.sql('select device_id from wallets where id = $1', [demo.wallets.off])) as [[PhoneId]]
const end = firstIdAt(morning + (many - 10) * 1000)

const queries = {
  'a page of a phone’s alerts': [
    100,
    (s: never) => alertsOfPhone(s, wholeAccount(accountId), demo.device.id, highestId, 51),
  ],
  'a page in the middle of a phone’s alerts': [
    100,
    (s: never) => alertsOfPhone(s, wholeAccount(accountId), demo.device.id, firstIdAt(morning + 30_000_000), 51),
  ],
  'the first alert since a test began': [
    5,
    (s: never) => firstAlertSince(s, wholeAccount(accountId), demo.device.id, end),
  ],
  'no alert since a test began': [
    5,
    (s: never) => firstAlertSince(s, wholeAccount(accountId), demo.device.id, highestId),
  ],
  'a page of the alerts of a phone that reported none': [
    0,
    (s: never) => alertsOfPhone(s, wholeAccount(accountId), silent, highestId, 51),
  ],
  'whether a phone that reported none has alerts': [
    0,
    (s: never) => phoneHasAlerts(s, wholeAccount(accountId), silent),
  ],
  'whether a phone has alerts': [5, (s: never) => phoneHasAlerts(s, wholeAccount(accountId), demo.device.id)],
  'a wallet with its last alert': [5, (s: never) => findAccountWallet(s, wholeAccount(accountId), demo.wallets.main)],
  'all wallets with their last alerts': [
    10,
    (s: never) => listAccountWallets(s, wholeAccount(accountId), ['', lowestId], 51),
  ],
  'a preview over a sender’s alerts': [
    6_600,
    (s: never) => alertsToPreview(s, wholeAccount(accountId), ['Jawali'], 500),
  ],
  'a preview over a sender with few messages': [
    5_100,
    (s: never) => alertsToPreview(s, wholeAccount(accountId), ['Rare'], 500),
  ],
} as const

for (const [name, [most, run]] of Object.entries(queries))
  test(`${name}: uses an index, and reads about as much as it returns`, async () => {
    const { count, isWhole, rows } = await readsOf(service.db, 'alerts', run)
    assert.ok(count > 0 && !isWhole)
    assert.ok(rows <= most, `${rows} rows`)
  })
