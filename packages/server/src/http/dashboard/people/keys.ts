/** `/keys/`: the API keys of the account. A secret is only in the answer that creates it. */
import { isDeepStrictEqual } from 'node:util'

import {
  type ApiKey,
  changeKey,
  createKey,
  listKeys,
  revokeKey,
  rotateKey,
} from '@sanad/contract/dashboard/people/keys'
import {
  type AccountKey,
  addKey,
  changeAccountKey,
  keysOf,
  lockKey,
  revokeAccountKey,
  rotateAccountKey,
} from '../../../accounts/keys/account-keys.ts'
import { isLooser, limitValues, noLimits } from '../../../accounts/keys/key-limits.ts'
import type { KeyLookup } from '../../../accounts/keys/key-lookup.ts'
import type { KeyUse } from '../../../accounts/keys/key-use.ts'
import type { Instant } from '../../../core/clock.ts'
import type { ClientId, WalletId } from '../../../core/ids.ts'
import { refuse } from '../../../core/refusal.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import { listWallets } from '../../../views/wallets/wallet-sql.ts'
import { notFound } from '../../answers.ts'
import { pageAnswer } from '../../routes/cursor.ts'
import { accepted, answerTo } from '../refusals.ts'
import { change, type DashboardContext, type NamedCall, type Route, route } from '../route.ts'
import { timeOrNull } from '../time-text.ts'

export type KeyDeps = DashboardContext & { readonly zone: Zone; readonly keys: KeyLookup; readonly keyUse: KeyUse }

export const keyRoutes = (deps: KeyDeps): Route[] => [
  route(listKeys, async ({ query: { after, page_size: size }, member, now, zone }) => {
    // Times of use are stored with a delay. They are stored now, so that the list shows them.
    await deps.keyUse.flush()
    const rows = await keysOf(deps.db, member.scope, after, size + 1)
    const cursorOf = ({ name, clientId }: AccountKey) => [name, clientId]
    const days = await zone()
    return pageAnswer(rows, size, cursorOf, (key) => keyAnswer(key, deps.zone, days, now))
  }),
  route(createKey, async (call) => {
    const { member, now } = call
    const { name, test: isTest, read_only: readOnly, wallets, addresses } = call.body
    if (isTest && wallets !== null) throw answerTo(refuse('key_is_test'))
    const limits = { isTest, readOnly, wallets: await limitedTo(deps, member.scope, isTest, wallets), addresses }
    const created = await change(deps, call, async (db, audit) => {
      const done = accepted(await addKey(db, member.scope, name, limits, now))
      const notice = { kind: 'key_created', facts: { name } } as const
      const after = { name, ...(isDeepStrictEqual(limits, noLimits) ? {} : limitValues(limits)) }
      audit({ action: 'key.create', kind: 'key', id: done.clientId, after, notice })
      return { client_secret: done.clientSecret, key: (await lockKey(db, member.scope, done.clientId))! }
    })
    return { key: keyAnswer(created.key, deps.zone, await call.zone(), now), client_secret: created.client_secret }
  }),
  route(changeKey, keyIn(deps), async (call, id) => {
    const { member, now } = call
    const { name, read_only: readOnly, wallets, addresses } = call.body
    const limited = wallets === undefined ? undefined : await limitedTo(deps, member.scope, false, wallets)
    const changes = { name, readOnly, wallets: limited, addresses, proved: await call.proved() }
    const changed = await change(deps, call, async (db, audit) => {
      const done = accepted(await changeAccountKey(db, member.scope, id, changes))
      const [before, after] = [done.before, done.after]
      if (before.name !== after.name)
        audit({ action: 'key.rename', kind: 'key', id, before: { name: before.name }, after: { name: after.name } })
      if (!isDeepStrictEqual(before.limits, after.limits))
        audit({
          action: 'key.limit',
          kind: 'key',
          id,
          before: { name: before.name, ...limitValues(before.limits) },
          after: { name: after.name, ...limitValues(after.limits) },
          ...(isLooser(before.limits, after.limits)
            ? { notice: { kind: 'key_loosened', facts: { name: after.name } } as const }
            : {}),
        })
      return done
    })
    deps.keys.forget(id)
    return keyAnswer(changed.after, deps.zone, await call.zone(), now)
  }),
  // The overlap has no default: the owner must decide how long a secret that may have leaked keeps working.
  route(rotateKey, keyIn(deps), async (call, id) => {
    const { member, now } = call
    const { overlap_s } = call.body
    const changed = await change(deps, call, async (db, audit) => {
      const done = accepted(await rotateAccountKey(db, member.scope, id, overlap_s, now))
      const notice = { kind: 'key_rotated', facts: { name: done.after.name } } as const
      audit({ action: 'key.rotate', kind: 'key', id, after: { overlap_s }, notice })
      return done
    })
    deps.keys.forget(id)
    return {
      key: keyAnswer(changed.after, deps.zone, await call.zone(), now),
      client_secret: changed.result.clientSecret,
    }
  }),
  route(revokeKey, keyIn(deps), async (call, id) => {
    const { member, now } = call
    const changed = await change(deps, call, async (db, audit) => {
      const done = accepted(await revokeAccountKey(db, member.scope, id, now))
      if (done.before.revokedAt === null)
        audit({ action: 'key.revoke', kind: 'key', id, before: { name: done.before.name } })
      return done
    })
    deps.keys.forget(id)
    return keyAnswer(changed.after, deps.zone, await call.zone(), now)
  }),
]

/** The wallets of a key: those that were asked for, if they are real wallets of the account; of a test key the test wallet. */
const limitedTo = async (
  { db }: KeyDeps,
  scope: Scope,
  isTest: boolean,
  asked: readonly string[] | null,
): Promise<readonly WalletId[] | null> => {
  if (asked === null && !isTest) return null
  const own = (await listWallets(db, scope)).filter(({ is_test }) => is_test === isTest).map(({ id }) => id)
  const found = asked === null ? own : own.filter((id) => asked.includes(id))
  if (found.length === 0 || (asked !== null && found.length !== asked.length))
    throw answerTo(refuse('key_wallet_unknown'))
  return found
}

/** The key that the path names, if it is the account's. */
const keyIn =
  (deps: KeyDeps) =>
  async ({ path, member }: NamedCall): Promise<ClientId> => {
    const key = await lockKey(deps.db, member.scope, path.id)
    if (key === undefined) throw notFound()
    return key.clientId
  }

/** `days`: the time zone by which the calls of today are counted. */
const keyAnswer = (key: AccountKey, zone: Zone, days: Zone, now: Instant): ApiKey => {
  const { limits, calls } = key
  const time = (at: Instant | null): string | null => timeOrNull(zone, at)
  const overlaps = key.revokedAt === null && key.overlapUntil !== null && now < key.overlapUntil
  return {
    client_id: key.clientId,
    name: key.name,
    created_at: zone.format(new Date(key.createdAt)),
    last_used_at: time(key.lastUsedAt),
    overlap_until: overlaps ? time(key.overlapUntil) : null,
    revoked_at: time(key.revokedAt),
    test: limits.isTest,
    read_only: limits.readOnly,
    wallets: limits.isTest ? null : limits.wallets && [...limits.wallets],
    addresses: limits.addresses && [...limits.addresses],
    last_address: key.lastAddress || null,
    calls_today: calls !== null && calls.day === days.format(new Date(now)).slice(0, 10) ? calls.count : 0,
  }
}
