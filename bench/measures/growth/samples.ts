/** Ids of what an account has, from its whole past, for the paths of calls. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openTokenSession } from '../../../packages/server/src/accounts/sessions/sign-in.ts'
import { openTokens } from '../../../packages/server/src/accounts/sessions/token.ts'
import { systemClock } from '../../../packages/server/src/core/clock.ts'
import { hour_ms } from '../../../packages/server/src/core/duration.ts'
import type { AccountId, UserId } from '../../../packages/server/src/core/ids.ts'
import { firstIdAt } from '../../../packages/server/src/core/ids.ts'
import type { MasterKey } from '../../../packages/server/src/core/seal.ts'
import type { ServiceProcess } from '../../harness/service-process.ts'

const size = 500

export type Samples = {
  readonly intents: readonly {
    readonly id: string
    readonly order: string
    readonly reference: string
    readonly code: string
  }[]
  /** In the queue. */
  readonly alerts: readonly string[]
  readonly checkouts: readonly string[]
  readonly deliveries: readonly string[]
  readonly endpoint: string
  readonly template: string
  readonly provider: string
  /** From when on the account has about `newest` intents, and so many audit entries. */
  readonly newestIntents: string
  readonly newestAudit: string
  /** A token of an owner of the account who also hosts the service. */
  readonly userToken: string
}

/** How many rows an export has that is measured: the newest ones. */
export const newest = { intents: 2_000, audit: 50 } as const

export const masterKeyOf = ({ dataDir }: ServiceProcess): MasterKey =>
  new Uint8Array(Buffer.from(readFileSync(join(dataDir, 'master.key'), 'utf8').trim(), 'base64'))

const tokenOfOwner = async (service: ServiceProcess): Promise<string> => {
  const { db, merchant } = service
  const [row] = await db.run({
    text: `update users set operator = true
            where id = (select user_id from members where account_id = $1 and role = 'owner' limit 1) returning id`,
    values: [merchant.accountId],
  })
  const user = { userId: row![0] as UserId, accountId: merchant.accountId as AccountId }
  const now = systemClock.now()
  const life_s = (6 * hour_ms) / 1000
  const session = await openTokenSession(db, { ...user, validFrom: 0 }, { address: '', agent: '' }, life_s, now)
  if ('refused' in session) throw new Error(`no session: ${session.refused}`)
  const bearer = { typ: 'user', sub: user.userId, acc: user.accountId, validFrom: 0, sessionId: session.id } as const
  return openTokens(masterKeyOf(service)).issue(bearer, life_s, now)
}

export const takeSamples = async (service: ServiceProcess): Promise<Samples> => {
  const { db, merchant } = service
  const account = merchant.accountId
  const column = async (text: string, ...values: unknown[]): Promise<string[]> =>
    (await db.run({ text, values: [account, ...values] })).map(([value]) => value!)
  const one = async (text: string, ...values: unknown[]): Promise<string> => (await column(text, ...values))[0]!
  // A sample by random points of time: the ids begin with it.
  const [first, last] = [0, 1].map((n) => (n === 0 ? 'id' : 'id desc'))
  const bounds = await Promise.all(
    [first, last].map((order) =>
      one(`select extract(epoch from created_at) * 1000 from intents where account_id = $1 order by ${order} limit 1`),
    ),
  )
  const [from, until] = bounds.map(Number) as [number, number]
  const points = Array.from({ length: size }, (_, n) => firstIdAt(from + ((until - from) * n) / size))
  const intents = await db.run({
    text: `select i.id, i.external_order_id, i.reference, i.code
             from unnest($2::uuid[]) as p (id)
            cross join lateral (select * from intents i where i.account_id = $1 and i.id >= p.id and i.reference <> ''
                                 order by i.id limit 1) as i`,
    values: [account, points],
  })
  const sampled = (table: string, where = 'true') =>
    column(
      `select distinct x.id from unnest($2::uuid[]) as p (id)
        cross join lateral (select id from ${table} x where x.account_id = $1 and x.id >= p.id and ${where} order by x.id limit 1) as x`,
      points,
    )
  const [template, provider] = (
    await db.run({
      text: `select t.id, t.provider_id from alert_templates t join wallets w on w.provider_id = t.provider_id
              where w.id = $1 and t.status = 'active' order by t.id limit 1`,
      values: [merchant.demo.wallets.main],
    })
  )[0]!
  return {
    intents: intents.map(([id, order, reference, code]) => ({
      id: id!,
      order: order!,
      reference: reference!,
      code: code!,
    })),
    alerts: await sampled('alerts', `state = 'waiting'`),
    checkouts: await sampled('checkouts'),
    deliveries: await column('select delivery_id from delivery_ends where account_id = $1 order by at desc limit 200'),
    endpoint: await one('select id from webhook_endpoints where account_id = $1 order by created_at limit 1'),
    template: template!,
    provider: provider!,
    newestIntents: await one(
      `select to_char(min(created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
         from (select created_at from intents where account_id = $1 order by id desc limit ${newest.intents}) as i`,
    ),
    newestAudit: await one(
      `select to_char(min(at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
         from (select at from audit_log where account_id = $1 order by id desc limit ${newest.audit}) as a`,
    ),
    userToken: await tokenOfOwner(service),
  }
}
