/** Notifications on members' devices: the key pair, what is collected for them, and what the sender needs. */

import { pushCollector } from '../push/collect-pushes.ts'
import { openPushKeys } from '../push/push-keys.ts'
import { subscriptionSealer } from '../push/subscription.ts'
import type { Base } from './open-base.ts'
import type { Live } from './open-live.ts'
import type { Webhooks } from './open-webhooks.ts'

export type Push = Awaited<ReturnType<typeof openPush>>

/** Push services want an address of whoever sends, and some refuse one that is none. */
const unknownSender = 'mailto:push@sanad.invalid'

const subjectOf = ({ publicUrl, mail }: Base['config']): string => {
  const [address] = mail === undefined ? [] : (/[^\s<>"]+@[^\s<>"]+/.exec(mail.from) ?? [])
  if (publicUrl?.startsWith('https:')) return publicUrl
  return address === undefined ? unknownSender : `mailto:${address}`
}

/** Kinds of hints that may be news for a device. */
const news: ReadonlySet<string> = new Set(['alert', 'intent', 'webhook', 'phone'])

export const openPush = async (
  { config, db, clock, zone, masterKey, onWarning }: Base,
  live: Live,
  webhooks: Webhooks,
) => {
  const pushKeys = await openPushKeys(db, masterKey, clock.now())
  const subscriptions = subscriptionSealer(masterKey)
  const collector = pushCollector(db)
  live.onHint((accountId, { kind }) => {
    if (accountId !== null && news.has(kind)) collector.touch(accountId)
  })
  return {
    pushKeys,
    subscriptions,
    collectPushes: collector.collectPushes,
    sending: {
      db,
      clock,
      zone,
      keys: pushKeys,
      subscriptions,
      call: webhooks.call,
      userAgent: webhooks.userAgent,
      subject: subjectOf(config),
      onFault: onWarning('a notification could not be sent'),
    },
  }
}
