/**
 * One thing of each kind that a path of the dashboard's API can name, in somebody else's account: for the walk that tries
 * to reach them. The longest beginning of a path that is listed here says what stands in its places.
 */

import { createInvitation } from '../src/accounts/manage-invitations.ts'
import type { AccountId } from '../src/ground/ids.ts'
import { endpointSecrets } from '../src/webhooks/endpoint-secrets.ts'
import { systemResolver } from '../src/webhooks/guard-url.ts'
import { createEndpoint } from '../src/webhooks/manage-endpoints.ts'
import { somebody } from './people.ts'
import type { House } from './story.ts'

export type Places = Readonly<Record<string, string>>

const nobody = '00000000-0000-4000-8000-000000000000'

export const foreignThings = async (house: House, accountId: AccountId): Promise<Record<string, Places>> => {
  const rooms = {
    db: house.db,
    secrets: endpointSecrets(house.masterKey),
    guard: { development: true, allow: house.config.webhookAllow },
    resolve: systemResolver(),
  }
  const now = house.clock.now()
  const asked = {
    url: 'http://127.0.0.1:9/hook',
    walletId: null,
    kinds: ['payment.verified'],
    headers: {},
    enabled: true,
  }
  const made = await createEndpoint(rooms, accountId, asked as never, now)
  if ('refused' in made) throw new Error(`no endpoint: ${made.refused}`)
  const person = await somebody(house, accountId, 'owner')
  const asking = { accountId, email: 'invited@sanad.example', role: 'viewer', by: person.userId } as const
  const invited = await createInvitation(house.db, asking, now)
  if ('refused' in invited) throw new Error(`no invitation: ${invited.refused}`)
  return {
    '/sessions/{id}/': { id: person.session.id },
    '/members/{id}/': { id: person.userId },
    '/invitations/{id}/': { id: invited.invitation.id },
    '/webhooks/{id}/': { id: made.endpoint.id, delivery: nobody, replay: nobody },
  }
}
