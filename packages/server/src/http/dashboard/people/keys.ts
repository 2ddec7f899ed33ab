/** `/keys/`: the API keys of the account. A secret is only in the answer that creates it. */

import {
  type ApiKey,
  createKey,
  listKeys,
  renameKey,
  revokeKey,
  rotateKey,
} from '@sanad/contract/dashboard/people/keys'
import {
  type AccountKey,
  addKey,
  keysOf,
  lockKey,
  renameAccountKey,
  revokeAccountKey,
  rotateAccountKey,
} from '../../../accounts/keys/account-keys.ts'
import type { KeyLookup } from '../../../accounts/keys/key-lookup.ts'
import type { KeyUse } from '../../../accounts/keys/key-use.ts'
import type { Instant } from '../../../core/clock.ts'
import type { ClientId } from '../../../core/ids.ts'
import type { Zone } from '../../../core/zone.ts'
import { notFound } from '../../answers.ts'
import { pageAnswer } from '../../routes/cursor.ts'
import { accepted } from '../refusals.ts'
import { change, type DashboardContext, type NamedCall, type Route, route } from '../route.ts'
import { timeOrNull } from '../time-text.ts'

export type KeyDeps = DashboardContext & { readonly zone: Zone; readonly keys: KeyLookup; readonly keyUse: KeyUse }

export const keyRoutes = (deps: KeyDeps): Route[] => [
  route(listKeys, async ({ query: { after, page_size: size }, member, now }) => {
    // Times of use are stored with a delay. They are stored now, so that the list shows them.
    await deps.keyUse.flush()
    const rows = await keysOf(deps.db, member.scope, after, size + 1)
    const cursorOf = ({ name, clientId }: AccountKey) => [name, clientId]
    return pageAnswer(rows, size, cursorOf, (key) => keyAnswer(key, deps.zone, now))
  }),
  route(createKey, async (call) => {
    const { member, now } = call
    const { name } = call.body
    const created = await change(deps, call, async (db, audit) => {
      const done = accepted(await addKey(db, member.scope, name, now))
      const notice = { kind: 'key_created', facts: { name } } as const
      audit({ action: 'key.create', kind: 'key', id: done.clientId, after: { name }, notice })
      return { client_secret: done.clientSecret, key: (await lockKey(db, member.scope, done.clientId))! }
    })
    return { key: keyAnswer(created.key, deps.zone, now), client_secret: created.client_secret }
  }),
  route(renameKey, keyIn(deps), async (call, id) => {
    const { member, now } = call
    const { name } = call.body
    const changed = await change(deps, call, async (db, audit) => {
      const done = accepted(await renameAccountKey(db, member.scope, id, name))
      if (done.before.name !== name)
        audit({ action: 'key.rename', kind: 'key', id, before: { name: done.before.name }, after: { name } })
      return done
    })
    return keyAnswer(changed.after, deps.zone, now)
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
    return { key: keyAnswer(changed.after, deps.zone, now), client_secret: changed.result.clientSecret }
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
    return keyAnswer(changed.after, deps.zone, now)
  }),
]

/** The key that the path names, if it is the account's. */
const keyIn =
  (deps: KeyDeps) =>
  async ({ path, member }: NamedCall): Promise<ClientId> => {
    const key = await lockKey(deps.db, member.scope, path.id)
    if (key === undefined) throw notFound()
    return key.clientId
  }

const keyAnswer = (key: AccountKey, zone: Zone, now: Instant): ApiKey => {
  const time = (at: Instant | null): string | null => timeOrNull(zone, at)
  const overlaps = key.revokedAt === null && key.overlapUntil !== null && now < key.overlapUntil
  return {
    client_id: key.clientId,
    name: key.name,
    created_at: zone.format(new Date(key.createdAt)),
    last_used_at: time(key.lastUsedAt),
    overlap_until: overlaps ? time(key.overlapUntil) : null,
    revoked_at: time(key.revokedAt),
  }
}
