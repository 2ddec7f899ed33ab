/** Queues the reports of visible notifications of the wallets' apps. One that was reported before is not queued again. */
import { rulesOf } from './agent-config.ts'
import { type Notification, reportsOf } from './phone/notification.ts'
import type { AgentStore } from './store/agent-store.ts'

export const sweepNotifications = async (
  store: AgentStore,
  list: () => Promise<readonly Notification[]>,
  options: { readonly zone: string; readonly now: number; readonly most?: number },
): Promise<void> => {
  const { packages } = rulesOf(JSON.parse(store.state('config') ?? 'null'))
  if (packages.size === 0) return
  const reports = (await list()).flatMap((one) => {
    const sender = packages.get(one.package)
    return sender === undefined ? [] : reportsOf(one, sender, options.zone, options.now)
  })
  if (reports.length === 0) return
  const missed = store.addShown(reports, options.now, options.most)
  if (missed > 0) store.setState({ missed_notifications: String((store.number('missed_notifications') ?? 0) + missed) })
}
