/** Hints to the open dashboards and pages of every node. */
import { type FollowHints, liveChannel, liveHub } from '../accounts/live/live-hub.ts'
import { throttleHints } from '../accounts/live/throttle-hints.ts'
import { outsideCalls } from '../core/tracing/call-context.ts'
import { openNotifier } from '../postgres/notify/notifier.ts'
import { nodeWaker, workChannel } from '../postgres/notify/wake-nodes.ts'
import type { Base } from './open-base.ts'

/** How often a node tells the background loops of other nodes that it has committed something, at most. */
const work_ms = 500

export type Live = Awaited<ReturnType<typeof openLive>>

export const openLive = async ({ clock, databaseUrl, changes, onWarning }: Base) => {
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
  /** Background loops of this node, while it has any. */
  let wakeLoops = (): void => {}
  const otherLoops = await nodeWaker({
    notifier,
    channel: workChannel,
    atMostEvery_ms: work_ms,
    onWoken: () => wakeLoops(),
  })
  changes.follow(() => wakeLoops())
  changes.follow(outsideCalls(otherLoops.wake))
  // Nodes of versions that do not tell of every change send these hints.
  followers.push(() => wakeLoops())
  onMissed.push(() => wakeLoops())
  return {
    notifier,
    hub,
    otherLoops,
    /** `wake` is called when anything was committed, here or on another node, as far as it is known. */
    onChange(wake: () => void): void {
      wakeLoops = wake
    },
    sendHint: outsideCalls(hub.sendHint),
    sendThrottledHint: outsideCalls(throttleHints(hub.sendHint)),
    /** `missed`: hints of other nodes may have been lost. */
    onHint(follow: FollowHints, missed: () => void = () => {}): void {
      followers.push(follow)
      onMissed.push(missed)
    },
  }
}
