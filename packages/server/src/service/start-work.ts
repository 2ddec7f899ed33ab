/** Starts the webhook sender and the background loops. */
import { ownersMailer } from '../accounts/notices/email-owners.ts'
import type { Loops, Pauses } from '../work/background-loop.ts'
import { startLoops } from '../work/background-loops.ts'
import type { Base } from './open-base.ts'
import type { Parts } from './open-parts.ts'

export const startWork = (
  { config, log, db, quietDb, clock, zone, metrics, clockGuard, tracer }: Base,
  { alerts, live, mail, matching, push, webhooks }: Parts,
  pauses?: Pauses,
): Loops => {
  webhooks.start()
  const loops = startLoops({
    db,
    quietDb,
    clock,
    zone,
    readReport: alerts.readReport,
    window_ms: config.intentWindow_ms,
    sendHint: live.sendHint,
    sendThrottledHint: live.sendThrottledHint,
    // Without a public URL no mail is set up (config.ts).
    owners: mail.on
      ? { emailOwners: ownersMailer(db, mail.sendNow), sendNow: mail.sendNow, origin: config.publicUrl ?? '' }
      : undefined,
    onResolved: matching.onResolved,
    push,
    webhooks: config.webhooks,
    retention: config.retention,
    wake: webhooks.wake,
    onFault: (name, fault) => log.error({ err: fault, loop: name }, 'a background loop failed'),
    onRun: metrics.loopRan,
    mayWork: clockGuard.mayWork,
    ...(pauses === undefined ? {} : { pauses }),
    tracer,
  })
  live.onChange(loops.changed)
  return loops
}
