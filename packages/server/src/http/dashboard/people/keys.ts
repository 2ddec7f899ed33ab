/** `/keys/`: the API keys of the account. A secret is only in the answer that creates it. */

import {
  type ApiKey,
  createKey,
  listKeys,
  renameKey,
  revokeKey,
  rotateKey,
} from '@sanad/contract/dashboard/people/keys'
import type { FastifyRequest } from 'fastify'
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
import { readKeyName, readKeyRotation } from '../../body/dashboard/key-body.ts'
import { pageAnswer, readPageQuery } from '../keyset.ts'
import { accepted } from '../refusals.ts'
import { bodyOf, type Call, change, type DashboardContext, type Route, route } from '../route.ts'
import { timeOrNull } from '../time-text.ts'

export type KeyDeps = DashboardContext & { readonly zone: Zone; readonly keys: KeyLookup; readonly keyUse: KeyUse }

export const keyRoutes = (deps: KeyDeps): Route[] => [
  route(listKeys, async ({ request, member, now }) => {
    const { after, size } = readPageQuery(request, 'text', 'text')
    // Times of use are stored with a delay. They are stored now, so that the list shows them.
    await deps.keyUse.flush()
    const rows = await keysOf(deps.db, member.accountId, after, size + 1)
    const cursorOf = ({ name, clientId }: AccountKey) => [name, clientId]
    return pageAnswer(rows, size, cursorOf, (key) => keyAnswer(key, deps.zone, now))
  }),
  route(createKey, async (call) => {
    const { member, now } = call
    const { name } = bodyOf(call, readKeyName)
    const created = await change(deps, call, async (db, audit) => {
      const done = accepted(await addKey(db, member.accountId, name, now))
      const notice = { kind: 'key_created', facts: { name } } as const
      audit({ action: 'key.create', kind: 'key', id: done.clientId, after: { name }, notice })
      return { client_secret: done.clientSecret, key: (await lockKey(db, member.accountId, done.clientId))! }
    })
    return { key: keyAnswer(created.key, deps.zone, now), client_secret: created.client_secret }
  }),
  route(renameKey, async (call) => {
    const { member, now } = call
    const id = await keyIn(deps, call)
    const { name } = bodyOf(call, readKeyName)
    const changed = await change(deps, call, async (db, audit) => {
      const done = accepted(await renameAccountKey(db, member.accountId, id, name))
      if (done.before.name !== name)
        audit({ action: 'key.rename', kind: 'key', id, before: { name: done.before.name }, after: { name } })
      return done
    })
    return keyAnswer(changed.after, deps.zone, now)
  }),
  route(rotateKey, async (call) => {
    const { member, now } = call
    const id = await keyIn(deps, call)
    const { overlap_s } = bodyOf(call, readKeyRotation)
    const changed = await change(deps, call, async (db, audit) => {
      const done = accepted(await rotateAccountKey(db, member.accountId, id, overlap_s, now))
      const notice = { kind: 'key_rotated', facts: { name: done.after.name } } as const
      audit({ action: 'key.rotate', kind: 'key', id, after: { overlap_s }, notice })
      return done
    })
    deps.keys.forget(id)
    return { key: keyAnswer(changed.after, deps.zone, now), client_secret: changed.result.clientSecret }
  }),
  route(revokeKey, async (call) => {
    const { member, now } = call
    const id = await keyIn(deps, call)
    const changed = await change(deps, call, async (db, audit) => {
      const done = accepted(await revokeAccountKey(db, member.accountId, id, now))
      if (done.before.revokedAt === null)
        audit({ action: 'key.revoke', kind: 'key', id, before: { name: done.before.name } })
      return done
    })
    deps.keys.forget(id)
    return keyAnswer(changed.after, deps.zone, now)
  }),
]

const clientIdIn = (request: FastifyRequest): ClientId => {
  const id = (request.params as { id: string }).id.toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(id)) throw notFound()
  return id as ClientId
}

/** The key that the path names, if it is the account's. An unknown one is answered with 404 before the body is read. */
const keyIn = async (deps: KeyDeps, { request, member }: Call): Promise<ClientId> => {
  const key = await lockKey(deps.db, member.accountId, clientIdIn(request))
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
