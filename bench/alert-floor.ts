/**
 * The floors of what ends in VERIFIED: the very statements that a phone's report needs, one alert a transaction; and those of
 * a PATCH whose reference finds its alert, one intent a transaction.
 */
import { sameMessage_ms } from '../packages/server/src/alerts/alert.ts'
import { systemClock } from '../packages/server/src/core/clock.ts'
import { firstIdAt } from '../packages/server/src/core/ids.ts'
import { lockForReferences } from '../packages/server/src/intents/reference-sql.ts'
import { knownAlerts, recentParts } from '../packages/server/src/matching/resolve/known-alerts-sql.ts'
import {
  alertsByReference,
  devicesOn,
  insertAlerts,
  lockBalances,
  lockIntentsByReference,
  lockKeys,
  walletsAwaiting,
} from '../packages/server/src/matching/resolve/matching-sql.ts'
import { resolveIntents, resolveWithReferences } from '../packages/server/src/matching/resolve/resolution-sql.ts'
import { findRequests, rememberRequests } from '../packages/server/src/wallets/phones/phone-sql.ts'
import { type Floor, type FloorStatement, listOf, type Parameter } from './floors/floor.ts'
import type { ServiceProcess } from './harness/service-process.ts'
import type { AlertedPool, AlertPool } from './rows/alert-pool.ts'

const one = (make: string): Parameter => ({ make: `array[${make}]` })
const absent: Parameter = { send: '{NULL}' }
const now = 'now()'
const begin: FloorStatement = { sql: 'begin', parameters: [] }
const commit: FloorStatement = { sql: 'commit', parameters: [] }
const verifiedBody = (intentId: string): string =>
  `{"event":"payment.verified","payment_id":"0123456789","intent_id":"${intentId}","order_id":"order","reference":"123456789012","base_amount":"1500.00","amount":"1500.00","currency":"YER","status":"VERIFIED","verified_at":"2026-01-02T06:04:05.678000+03:00","manual_override":false}`
/** Each client of pgbench takes every so many-th number: no number twice. */
const nextNumber = ['\\set k :k + 1', '\\set n :client_id + (:k - 1) * :clients']

export const alertFloor = (service: ServiceProcess, pool: AlertPool, text: (reference: string) => string): Floor => {
  const { accountId, demo } = service.merchant
  const { main: wallet } = demo.wallets
  const reference = `('${pool.references}' || lpad(:n::text, 9, '0'))`
  const intent = `('${pool.prefix}' || lpad(:n::text, 12, '0'))::uuid`
  const uuid = (kind: string) => `md5('${kind} ${pool.references}' || :n::text)::uuid`
  const print = `sha256(${reference}::text::bytea)`
  const [before, after] = text('REFERENCE').split('REFERENCE') as [string, string]
  const request = [listOf(demo.device.id), one(uuid('request'))]
  const answer = `{"results":[{"client_id":"12345678901234","status":"accepted"}],"server_time":1767323045,"switched_on":true,"config_version":"0123456789abcdef"}`
  const named = [listOf(wallet), one(reference)]
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
              make: `array[hashtextextended(${reference}, 0), hashtextextended(${reference}, 1), hashtextextended(${reference}, 2)]`,
            },
          ],
        },
        { sql: findRequests.sql, parameters: request },
        { sql: devicesOn.sql, parameters: [listOf(demo.device.id)] },
        {
          sql: knownAlerts.sql,
          parameters: [listOf(demo.device.id), one(reference), one(print)],
        },
        {
          sql: recentParts.sql,
          parameters: [
            { make: `'${accountId}'::uuid` },
            listOf('Jawali'),
            { make: `'${firstIdAt(systemClock.now() - sameMessage_ms)}'::uuid` },
            listOf(wallet),
            listOf('150000'),
          ],
        },
        { sql: alertsByReference.sql, parameters: named },
        { sql: lockIntentsByReference.sql, parameters: named },
        { sql: lockBalances.sql, parameters: [listOf(wallet)] },
        { sql: walletsAwaiting.sql, parameters: [listOf(wallet), { make: now }] },
        {
          sql: insertAlerts.sql,
          parameters: [
            listOf(accountId),
            one(uuid('alert')),
            listOf(demo.device.id),
            one(reference),
            listOf('native'),
            listOf('t'),
            listOf('sms'),
            listOf('Jawali'),
            listOf(''),
            listOf(''),
            one(`'${before}' || ${reference} || '${after}'`),
            listOf('SIM1'),
            absent,
            one(now),
            one(now),
            listOf('1'),
            one(print),
            listOf(wallet),
            listOf(wallet),
            listOf(templateId),
            listOf('credit'),
            listOf('150000'),
            listOf('YER'),
            one(reference),
            one(reference),
            listOf('تاجر تجريبي'),
            absent,
            listOf('unknown'),
            absent,
            absent,
            listOf('matched'),
            listOf(''),
            absent,
            one(intent),
            listOf('f'),
            listOf('f'),
            absent,
            listOf(''),
            absent,
            absent,
          ],
        },
        {
          sql: resolveIntents.sql,
          parameters: [
            listOf(accountId),
            one(intent),
            one(now),
            listOf('VERIFIED'),
            absent,
            one(now),
            listOf('f'),
            one(uuid('alert')),
            absent,
            listOf('matched'),
            one(uuid('move')),
            listOf('verified'),
            listOf('alert'),
            listOf('{}'),
            one(uuid('event')),
            listOf(wallet),
            listOf(body),
          ],
        },
        { sql: rememberRequests.sql, parameters: [...request, listOf(answer), one(now)] },
        commit,
      ],
    ],
  }
}

export const findingFloor = (service: ServiceProcess, pool: AlertedPool): Floor => {
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
          parameters: [listOf(accountId), one(intent), one(reference), one(reference), one(now)],
        },
        {
          sql: resolveWithReferences.sql,
          parameters: [
            listOf(accountId),
            one(intent),
            one(now),
            listOf('VERIFIED'),
            absent,
            one(now),
            listOf('f'),
            one(`('${pool.alerts}' || lpad(:n::text, 12, '0'))::uuid`),
            listOf('waiting'),
            listOf('matched'),
            one(uuid('verified')),
            listOf('verified'),
            listOf('reference'),
            listOf('{}'),
            one(uuid('event')),
            listOf(demo.wallets.main),
            listOf(verifiedBody(pool.ids[0]!)),
            one(reference),
            one(reference),
            one(reference),
            one(uuid('reference')),
            listOf(`key ${demo.client_id}`),
          ],
        },
        commit,
      ],
    ],
  }
}
