/** The baselines of the single calls: the service's own statements, with rows of the same shape and size. */
import { systemClock } from '../../packages/server/src/core/clock.ts'
import type { AccountId } from '../../packages/server/src/core/ids.ts'
import { wholeAccount } from '../../packages/server/src/core/scope.ts'
import { insertIntents } from '../../packages/server/src/intents/create/create-intents-sql.ts'
import { findIntents } from '../../packages/server/src/intents/intent-sql.ts'
import { countPlanOf, noFilter } from '../../packages/server/src/intents/list/intent-list.ts'
import { attachReferences, lockForReferences } from '../../packages/server/src/intents/reference-sql.ts'
import { talliedUntilReader } from '../../packages/server/src/intents/totals/tally-intents.ts'
import { lockKeys } from '../../packages/server/src/matching/resolve/matching-sql.ts'
import {
  countFewQuery,
  firstPageQuery,
  pageQuery,
  type Query,
} from '../../packages/server/src/views/intents/intent-list-sql.ts'
import type { ServiceProcess } from '../harness/service-process.ts'
import { idPrefix } from '../rows/id-prefix.ts'
import { type Baseline, type BaselineStatement, listOf } from './run-baseline.ts'

const wallClock = 'now()'
const randomHex = (name: string, length: number): string => `lpad(to_hex(:${name}::bigint), ${length}, '0')`

/** One intent as the service would write it: the same columns, sizes and length of the answer. */
export const createBaseline = (service: ServiceProcess, answer: string, run: number): Baseline => {
  const { accountId, demo } = service.merchant
  const unique = `lpad(:k::text, 9, '0') || lpad(:client_id::text, 3, '0')`
  const prefix = idPrefix(run)
  const order = `'bench${run}-' || ${unique}`
  const code = `upper(${randomHex('code', 10)})`
  return {
    protocol: 'prepared',
    before: [
      '\\set k :k + 1',
      '\\set code random(0, 1099511627775)',
      '\\set high random(0, 4611686018427387903)',
      '\\set low random(0, 4611686018427387903)',
    ],
    scripts: [
      [
        {
          sql: insertIntents.sql,
          parameters: [
            listOf(accountId),
            { make: `array[('${prefix}' || ${unique})::uuid]` },
            listOf(demo.wallets.main),
            listOf('1'),
            listOf('1'),
            { make: `array[${code}]` },
            listOf('150000'),
            listOf('150000'),
            listOf('YER'),
            { make: `array[${order}]` },
            listOf('Second floor, ring twice'),
            listOf('[]'),
            listOf(`key ${demo.client_id}`),
            { make: `array[${wallClock}]` },
            { make: `array[${wallClock} + interval '1 hour']` },
            { make: `array[lower(${code}) || E'\\x1f' || ${order}]` },
            { make: `array[${randomHex('high', 16)} || ${randomHex('low', 16)}]` },
            listOf(`\\x${'5a'.repeat(32)}`),
            listOf(answer),
            { make: wallClock },
            { make: `${wallClock} - interval '1 day'` },
          ],
        },
      ],
    ],
  }
}

export const patchBaseline = (
  service: ServiceProcess,
  pool: { prefix: string; size: number },
  run: number,
): Baseline => {
  const { accountId, demo } = service.merchant
  const id = `('${pool.prefix}' || lpad(:n::text, 12, '0'))::uuid`
  const reference = `lpad(:reference::text, 15, '0')`
  const moves = idPrefix(run)
  return {
    protocol: 'prepared',
    before: [
      '\\set k :k + 1',
      `\\set n (:client_id + :k * :clients) % ${pool.size}`,
      '\\set reference random(0, 999999999999999)',
    ],
    scripts: [
      [
        { sql: 'begin', parameters: [] },
        { sql: lockKeys.sql, parameters: [{ make: `array[hashtextextended(${reference}, 0)]` }] },
        {
          sql: lockForReferences.sql,
          parameters: [
            listOf(accountId),
            { make: `array[${id}]` },
            { make: `array[${reference}]` },
            { make: `array[${reference}]` },
            { make: `array[${wallClock}]` },
          ],
        },
        {
          sql: attachReferences.sql,
          parameters: [
            listOf(accountId),
            { make: `array[${id}]` },
            { make: `array[${reference}]` },
            { make: `array[${reference}]` },
            { make: `array[${reference}]` },
            { make: `array[('${moves}' || lpad(:k::text, 9, '0') || lpad(:client_id::text, 3, '0'))::uuid]` },
            listOf(`key ${demo.client_id}`),
            { make: `array[${wallClock}]` },
          ],
        },
        { sql: 'commit', parameters: [] },
      ],
    ],
  }
}

export const retrieveBaseline = (service: ServiceProcess, pool: { prefix: string; size: number }): Baseline => ({
  protocol: 'prepared',
  before: [`\\set n random(0, ${pool.size - 1})`],
  scripts: [
    [
      {
        sql: findIntents.sql,
        parameters: [
          listOf(service.merchant.accountId),
          { make: `array[('${pool.prefix}' || lpad(:n::text, 12, '0'))::uuid]` },
        ],
      },
    ],
  ],
})

const statementOf = ({ text, values }: Query): BaselineStatement => ({
  sql: text,
  parameters: values.map((value) => ({ send: String(value) })),
})

const newestFirst = [{ field: 'created_at', down: true }] as const

export const listBaseline = async ({ db, merchant }: ServiceProcess): Promise<Baseline> => {
  const now = systemClock.now()
  const filter = noFilter(wholeAccount(merchant.accountId as AccountId))
  const plan = countPlanOf(undefined, undefined, await talliedUntilReader(db)(now), now)
  return { protocol: 'prepared', scripts: [[statementOf(firstPageQuery(filter, newestFirst, 20, plan, now))]] }
}

export const searchBaseline = ({ merchant }: ServiceProcess, terms: readonly string[]): Baseline => {
  const now = systemClock.now()
  const scripts = terms.map((term) => {
    const filter = { ...noFilter(wholeAccount(merchant.accountId as AccountId)), terms: [term] }
    return [countFewQuery(filter, now), pageQuery(filter, newestFirst, 20, 0, now)].map(statementOf)
  })
  return { protocol: 'extended', scripts }
}
