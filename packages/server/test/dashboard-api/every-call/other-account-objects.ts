/**
 * Creates one object of each kind in another account, for tests that try to reach these objects. Returns their ids by the prefix
 * of their path; the longest prefix that fits a path decides.
 */

import { randomBytes } from 'node:crypto'
import { createKey } from '../../../src/accounts/keys/key-secrets.ts'
import { usualLimits } from '../../../src/accounts/limits/role-limits.ts'
import { saveRoleLimits } from '../../../src/accounts/limits/role-limits-sql.ts'
import { createInvitation } from '../../../src/accounts/members/invitations.ts'
import { insertNotices } from '../../../src/accounts/notices/owner-notices-sql.ts'
import { insertPasskey } from '../../../src/accounts/sessions/passkey-sql.ts'
import { createDraft } from '../../../src/alerts/publishing/account-templates.ts'
import {
  type AccountId,
  type AlertId,
  type EventId,
  type NoticeId,
  type PasskeyId,
  randomId,
  timeOrderedId,
} from '../../../src/core/ids.ts'
import { wholeAccount } from '../../../src/core/scope.ts'
import { createPhone } from '../../../src/wallets/phones/phone-access.ts'
import { phoneSecrets } from '../../../src/wallets/phones/phone-secrets.ts'
import { createProvider } from '../../../src/wallets/providers/account-providers.ts'
import { endpointSecrets } from '../../../src/webhooks/endpoints/endpoint-secrets.ts'
import { createEndpoint } from '../../../src/webhooks/endpoints/manage-endpoints.ts'
import { insertEvents } from '../../../src/webhooks/event-sql.ts'
import { newBrowser } from '../../push/push-service.ts'
import { planted, plantIntents } from '../../support/plant-intents.ts'
import type { TestService } from '../../support/story.ts'
import { createMember } from '../../support/users.ts'

export type PathIds = Readonly<Record<string, string>>

export const otherAccountObjects = async (
  service: TestService,
  accountId: AccountId,
): Promise<Record<string, PathIds>> => {
  const deps = { secrets: endpointSecrets(service.masterKey), settings: service.config.webhooks }
  const now = service.clock.now()
  const settings = {
    url: 'http://127.0.0.1:9/hook',
    walletId: null,
    kinds: ['payment.verified'],
    headers: {},
    enabled: true,
  }
  const webhook = await service.db.transaction((tx) =>
    createEndpoint(tx, deps, wholeAccount(accountId), settings as never, now),
  )
  if ('refused' in webhook) throw new Error(`no endpoint: ${webhook.refused}`)
  const content = {
    name: 'Their draft',
    senderNames: ['Theirs'],
    direction: 'credit',
    currency: 'YER',
    sentence: 'received {amount:money} YER.',
    samples: [],
    counterSamples: [],
  } as const
  const provider = await service.db.transaction((tx) =>
    createProvider(tx, wholeAccount(accountId), {
      name: 'theirs',
      displayName: 'Theirs',
      displayNameArabic: '',
      country: '',
      themeColor: '#000000',
      logoUrl: '',
      status: 'ACTIVE',
      packages: [],
      paySteps: { ar: [], en: [] },
      numberLengths: [],
      numberPrefixes: [],
    }),
  )
  if ('refused' in provider) throw new Error(`no provider: ${provider.refused}`)
  const template = await service.db.transaction((tx) =>
    createDraft(tx, wholeAccount(accountId), provider.id, content, now),
  )
  if ('refused' in template) throw new Error(`no template: ${template.refused}`)
  const phone = await createPhone(service.db, phoneSecrets(service.masterKey), accountId, 'A phone of theirs', now)
  const key = await createKey(service.db, accountId, 'A key of theirs', now)
  const intent = planted({ accountId, walletId: service.demo.other.wallet, createdAt: now })
  await plantIntents(service.db, [intent])
  const alert = timeOrderedId<AlertId>(now)
  await service.sql(
    `insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                         normaliser_version, fingerprint, state, reason)
     select account_id, $2, id, 'theirs', 'native', true, 'sms', 'Jawali', 'theirs', $3, 1, '', 'unread', 'not_understood'
       from devices where account_id = $1 limit 1`,
    [accountId, alert, new Date(now).toISOString()],
  )
  const member = await createMember(service, accountId, 'owner')
  const invitation = {
    scope: wholeAccount(accountId),
    email: 'invited@sanad.example',
    role: 'viewer',
    wallets: null,
    by: { userId: member.userId, proved: true },
    mailed: false,
  } as const
  const invited = await service.db.transaction((tx) => createInvitation(tx, invitation, now))
  if ('refused' in invited) throw new Error(`no invitation: ${invited.refused}`)
  const event = { accountId, id: timeOrderedId<EventId>(now), walletId: service.demo.other.wallet, intentId: null }
  const stored = { ...event, alertId: alert, kind: 'payment.verified', body: '{}', createdAt: now } as const
  await insertEvents(service.db, [stored])
  const [delivery] = await service.sql('select id from deliveries where event_id = $1', [event.id])
  const replay = await member.ask('POST', `/webhooks/${webhook.endpoint.id}/replays/`, {
    body: { from: new Date(now - 60_000).toISOString() },
  })
  if (replay.status !== 201) throw new Error(`no replay: ${replay.text}`)
  const checkout = await member.ask('POST', '/checkouts/', { body: { amount: '1500' } })
  if (checkout.status !== 201) throw new Error(`no checkout: ${checkout.text}`)
  const link = await member.ask('POST', '/payment-links/', { body: { amount: '1500' } })
  if (link.status !== 201) throw new Error(`no payment link: ${link.text}`)
  const notice = timeOrderedId<NoticeId>(now)
  const noticeFields = { kind: 'phone_paired', objectKind: 'phone', objectId: phone.id, by: '', facts: {} } as const
  await insertNotices(service.db, [{ accountId, id: notice, ...noticeFields }], now)
  const manager = await createMember(service, accountId, 'manager')
  const approval = await manager.ask('POST', `/wallets/${service.demo.other.wallet}/ask/`, {
    body: { sender_name: '777000111' },
  })
  if (approval.status !== 201) throw new Error(`no approval: ${approval.text}`)
  const asker = await createMember(service, accountId, 'cashier')
  // The usual limits: a cashier asks for a cancellation.
  await saveRoleLimits(service.db, wholeAccount(accountId), 'cashier', usualLimits.cashier)
  const request = await asker.ask('POST', `/checkouts/${checkout.body.id}/cancel/ask/`)
  if (request.status !== 201) throw new Error(`no request: ${request.text}`)
  const device = await member.ask('POST', '/notifications/devices/', {
    body: { endpoint: 'http://127.0.0.1:9/push', keys: newBrowser().keys },
  })
  if (device.status !== 201) throw new Error(`no device: ${device.text}`)
  const passkey = randomId<PasskeyId>()
  const credential = {
    credentialId: randomBytes(32),
    publicKey: randomBytes(32),
    counter: 0,
    transports: [],
    synced: false,
  }
  await insertPasskey(service.db, { id: passkey, userId: manager.userId, name: 'Theirs', now, ...credential })
  const shift = await member.ask('POST', '/shifts/')
  if (shift.status !== 201) throw new Error(`no shift: ${shift.text}`)
  const cashier = await member.ask('POST', '/cashiers/', { body: { name: 'Theirs', pin: '482915' } })
  if (cashier.status !== 201) throw new Error(`no cashier: ${cashier.text}`)
  // The browser of another owner becomes the counter: its session ends.
  const counter = await (await createMember(service, accountId, 'owner')).ask('POST', '/counters/', {
    body: { name: 'Their till' },
  })
  if (counter.status !== 201) throw new Error(`no counter: ${counter.text}`)
  return {
    '/cashiers/{id}/': { id: cashier.body.id },
    '/counters/{id}/': { id: counter.body.id },
    '/me/passkeys/{id}/': { id: passkey },
    '/shifts/{id}/': { id: shift.body.id },
    '/notifications/devices/{id}/': { id: device.body.id },
    '/approvals/{id}/': { id: approval.body.id },
    '/requests/{id}/': { id: request.body.id },
    '/notices/{id}/': { id: notice },
    '/wallets/{id}/': { id: service.demo.other.wallet },
    '/phones/{id}/': { id: phone.id },
    '/providers/{id}/': { id: provider.id },
    '/templates/{id}/': { id: template.id },
    '/keys/{id}/': { id: key.clientId },
    '/intents/{id}/': { id: intent.id },
    '/checkouts/{id}/': { id: checkout.body.id },
    '/payment-links/{id}/': { id: link.body.id },
    '/unmatched/{id}/': { id: alert },
    '/alerts/{id}/': { id: alert },
    '/sessions/{id}/': { id: member.session.id },
    '/members/{id}/': { id: member.userId },
    '/invitations/{id}/': { id: invited.invitation.id },
    '/webhooks/{id}/': { id: webhook.endpoint.id, delivery: delivery![0]!, replay: replay.body.id },
  }
}
