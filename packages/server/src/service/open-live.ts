/** Hints to the open dashboards and pages of every node. */
import { type FollowHints, liveChannel, liveHub } from '../accounts/live/live-hub.ts'
import { throttleHints } from '../accounts/live/throttle-hints.ts'
import { outsideCalls } from '../core/tracing/call-context.ts'
import { openNotifier } from '../postgres/notify/notifier.ts'
import type { Base } from './open-base.ts'

export type Live = Awaited<ReturnType<typeof openLive>>

export const openLive = async ({ clock, databaseUrl, onWarning }: Base) => {
  const notifier = await openNotifier({
    url: databaseUrl,
    onFault: onWarning('no notifications from other nodes: dashboards load again'),
  })
  /** What follows the hints of all nodes, beside the open dashboards. It is called before them. */
  const followers: FollowHints[] = []
  const onMissed: (() => void)[] = []
  const hub = liveHub({
    clock,
    notify: (payload) => notifier.notify(liveChannel, payload),
    onHint: (accountId, change) => {
      for (const follow of followers) follow(accountId, change)
    },
  })
  await notifier.subscribe(liveChannel, hub.receive, () => {
    for (const missed of onMissed) missed()
    hub.forgetAll()
  })
  return {
    notifier,
    hub,
    sendHint: outsideCalls(hub.sendHint),
    sendThrottledHint: outsideCalls(throttleHints(hub.sendHint)),
    /** `missed`: hints of other nodes may have been lost. */
    onHint(follow: FollowHints, missed: () => void = () => {}): void {
      followers.push(follow)
      onMissed.push(missed)
    },
  }
}
