/** Hints to the open dashboards and pages of every node. */
import { liveChannel, liveHub } from '../accounts/live/live-hub.ts'
import { throttleHints } from '../accounts/live/throttle-hints.ts'
import type { ObjectKind } from '../accounts/people/visible-kinds.ts'
import type { AccountId } from '../core/ids.ts'
import { openNotifier } from '../postgres/notify/notifier.ts'
import type { Base } from './open-base.ts'

export type Live = Awaited<ReturnType<typeof openLive>>

export const openLive = async ({ clock, databaseUrl, onWarning }: Base) => {
  const notifier = await openNotifier({
    url: databaseUrl,
    onFault: onWarning('no notifications from other nodes: dashboards load again'),
  })
  /** Set by what follows the hints of all nodes, beside the open dashboards. */
  let follow: (accountId: AccountId | null, kind: ObjectKind) => void = () => {}
  const hub = liveHub({
    clock,
    notify: (payload) => notifier.notify(liveChannel, payload),
    onHint: (accountId, kind) => follow(accountId, kind),
  })
  await notifier.subscribe(liveChannel, hub.receive, hub.forgetAll)
  return {
    notifier,
    hub,
    sendHint: hub.sendHint,
    sendThrottledHint: throttleHints(hub.sendHint),
    onHint: (listener: typeof follow): void => {
      follow = listener
    },
  }
}
