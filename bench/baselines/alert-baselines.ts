/**
 * The baselines of the two calls that end in VERIFIED: the statements of a phone's report, one alert per transaction; and the
 * statements of a PATCH whose reference finds its alert, one intent per transaction.
 */
import { sameMessage_ms } from '../../packages/server/src/alerts/alert.ts'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { firstIdAt } from '../../packages/server/src/core/ids.ts'
import { lockForReferences } from '../../packages/server/src/intents/reference-sql.ts'
import { mostCompared, recentAmounts } from '../../packages/server/src/matching/resolve/amounts-sql.ts'
import {
  knownAlerts,
  mostComparedText,
  mostSameText,
  recentParts,
} from '../../packages/server/src/matching/resolve/known-alerts-sql.ts'
import {
  alertsByReference,
  insertAlerts,
  lockBalances,
  lockIntentsByReference,
  lockKeys,
  phonesOn,
  walletsAwaiting,
} from '../../packages/server/src/matching/resolve/matching-sql.ts'
import { resolveIntents, resolveWithReferences } from '../../packages/server/src/matching/resolve/resolution-sql.ts'
import { samePayment_ms } from '../../packages/server/src/matching/rules/same-payment.ts'
import { findPhoneRequests, rememberPhoneRequests } from '../../packages/server/src/wallets/phones/phone-sql.ts'
import type { ServiceProcess } from '../harness/service-process.ts'
import type { AlertedPool, AlertPool } from '../rows/alert-pool.ts'
import { type Baseline, type BaselineStatement, listOf, type Parameter } from './run-baseline.ts'

const arrayWith = (make: string): Parameter => ({ make: `array[${make}]` })
const arrayWithNull: Parameter = { send: '{NULL}' }
const now = 'now()'
const begin: BaselineStatement = { sql: 'begin', parameters: [] }
const commit: BaselineStatement = { sql: 'commit', parameters: [] }
const verifiedBody = (intentId: string): string =>
  `{"event":"payment.verified","payment_id":"0123456789","intent_id":"${intentId}","order_id":"order","reference":"123456789012","base_amount":"1500.00","amount":"1500.00","currency":"YER","status":"VERIFIED","verified_at":"2026-01-02T06:04:05.678000+03:00","manual_override":false}`
/** The clients of pgbench take turns, so that no number is used twice. */
const nextNumber = ['\\set k :k + 1', '\\set n :client_id + (:k - 1) * :clients']

export const alertBaseline = (
  service: ServiceProcess,
  pool: AlertPool,
  text: (reference: string) => string,
): Baseline => {
  const { accountId, demo } = service.merchant
  const { main: wallet } = demo.wallets
  const reference = `('${pool.references}' || lpad(:n::text, 9, '0'))`
  const intent = `('${pool.prefix}' || lpad(:n::text, 12, '0'))::uuid`
  const uuid = (kind: string) => `md5('${kind} ${pool.references}' || :n::text)::uuid`
  const textDigest = `sha256(${reference}::text::bytea)`
  const [before, after] = text('REFERENCE').split('REFERENCE') as [string, string]
  const request = [listOf(demo.device.id), arrayWith(uuid('request'))]
  const answer = `{"results":[{"client_id":"12345678901234","status":"accepted"}],"server_time":1767323045,"switched_on":true,"config_version":"0123456789abcdef"}`
  const walletAndReference = [listOf(wallet), arrayWith(reference)]
  const templateId = pool.templateId
  const body = verifiedBody(pool.ids[0]!)
  return {
    protocol: 'prepared',
    before: nextNumber,
    scripts: [
      [
        begin,
        {
          sql: lockKeys.sql,
          parameters: [
            {
              make: `array[${[0, 1, 2, 3].map((seed) => `hashtextextended(${reference}, ${seed})`).join(', ')}]`,
            },
          ],
        },
        { sql: findPhoneRequests.sql, parameters: request },
        { sql: phonesOn.sql, parameters: [listOf(demo.device.id)] },
        {
          sql: knownAlerts.sql,
          parameters: [
            listOf(demo.device.id),
            arrayWith(reference),
            arrayWith(textDigest),
            { send: String(mostSameText + 1) },
            { send: String(mostComparedText + 1) },
          ],
        },
        {
          sql: recentParts.sql,
          parameters: [
            { make: `'${accountId}'::uuid` },
            listOf('Jawali'),
            listOf(firstIdAt(systemClock.now() - sameMessage_ms)),
            listOf(firstIdAt(systemClock.now() + sameMessage_ms)),
            { send: String(mostCompared + 1) },
            listOf(wallet),
            listOf('150000'),
          ],
        },
        { sql: alertsByReference.sql, parameters: walletAndReference },
        { sql: lockIntentsByReference.sql, parameters: walletAndReference },
        { sql: lockBalances.sql, parameters: [listOf(wallet)] },
        { sql: walletsAwaiting.sql, parameters: [listOf(wallet), { make: now }] },
        {
          sql: recentAmounts.sql,
          parameters: [
            listOf(accountId),
            listOf(wallet),
            listOf('150000'),
            listOf('f'),
            listOf(firstIdAt(systemClock.now() - samePayment_ms)),
            { send: String(mostCompared + 1) },
            listOf('f'),
          ],
        },
        {
          sql: insertAlerts.sql,
          parameters: [
            listOf(accountId),
            arrayWith(uuid('alert')),
            listOf(demo.device.id),
            arrayWith(reference),
            listOf('native'),
            listOf('t'),
            listOf('sms'),
            listOf('Jawali'),
            listOf(''),
            listOf(''),
            arrayWith(`'${before}' || ${reference} || '${after}'`),
            listOf('SIM1'),
            arrayWithNull,
            arrayWith(now),
            arrayWith(now),
            listOf('1'),
            arrayWith(textDigest),
            listOf(wallet),
            listOf(wallet),
            listOf(templateId),
            listOf('credit'),
            listOf('150000'),
            listOf('YER'),
            arrayWith(reference),
            arrayWith(reference),
            listOf('تاجر تجريبي'),
            arrayWithNull,
            listOf('unknown'),
            arrayWithNull,
            arrayWithNull,
            listOf('matched'),
            listOf(''),
            arrayWithNull,
            arrayWith(intent),
            listOf('f'),
            listOf('f'),
            listOf('f'),
            arrayWithNull,
            arrayWithNull,
            listOf(''),
            arrayWithNull,
            arrayWithNull,
          ],
        },
        {
          sql: resolveIntents.sql,
          parameters: [
            listOf(accountId),
            arrayWith(intent),
            arrayWith(now),
            listOf('VERIFIED'),
            arrayWithNull,
            arrayWithNull,
            arrayWithNull,
            arrayWithNull,
            arrayWith(now),
            listOf('f'),
            arrayWith(uuid('alert')),
            arrayWithNull,
            arrayWithNull,
            listOf('matched'),
            arrayWith(uuid('move')),
            listOf('verified'),
            listOf('alert'),
            listOf('{}'),
            arrayWith(uuid('event')),
            listOf(wallet),
            listOf(body),
            arrayWithNull,
          ],
        },
        { sql: rememberPhoneRequests.sql, parameters: [...request, listOf(answer), arrayWith(now)] },
        commit,
      ],
    ],
  }
}

export const referenceBaseline = (service: ServiceProcess, pool: AlertedPool): Baseline => {
  const { accountId, demo } = service.merchant
  const reference = `('${pool.references}' || lpad(:n::text, 9, '0'))`
  const intent = `('${pool.prefix}' || lpad(:n::text, 12, '0'))::uuid`
  const uuid = (kind: string) => `md5('${kind} ${pool.references}' || :n::text)::uuid`
  return {
    protocol: 'prepared',
    before: nextNumber,
    scripts: [
      [
        begin,
        { sql: lockKeys.sql, parameters: [{ make: `array[hashtextextended(${reference}, 0)]` }] },
        {
          sql: lockForReferences.sql,
          parameters: [
            listOf(accountId),
            arrayWith(intent),
            arrayWith(reference),
            arrayWith(reference),
            arrayWith(now),
          ],
        },
        {
          sql: resolveWithReferences.sql,
          parameters: [
            listOf(accountId),
            arrayWith(intent),
            arrayWith(now),
            listOf('VERIFIED'),
            arrayWithNull,
            arrayWithNull,
            arrayWithNull,
            arrayWithNull,
            arrayWith(now),
            listOf('f'),
            arrayWith(`('${pool.alerts}' || lpad(:n::text, 12, '0'))::uuid`),
            listOf('waiting'),
            arrayWithNull,
            listOf('matched'),
            arrayWith(uuid('verified')),
            listOf('verified'),
            listOf('reference'),
            listOf('{}'),
            arrayWith(uuid('event')),
            listOf(demo.wallets.main),
            listOf(verifiedBody(pool.ids[0]!)),
            arrayWithNull,
            arrayWith(reference),
            arrayWith(reference),
            arrayWith(reference),
            arrayWith(uuid('reference')),
            listOf(`key ${demo.client_id}`),
          ],
        },
        commit,
      ],
    ],
  }
}
