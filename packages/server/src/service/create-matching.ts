/** Recording alerts and attaching references, with what follows the commit: webhooks are sent, open dashboards updated. */

import type { AccountId } from '../core/ids.ts'
import { inSpan } from '../core/tracing/call-context.ts'
import { alertRecorder } from '../matching/report/record-alerts.ts'
import { referenceAttacher } from '../matching/resolve/attach-references.ts'
import { claimHints } from '../matching/resolve/keep-claim.ts'
import type { AlertOutcome } from '../matching/resolve/resolve-alerts.ts'
import type { Alerts } from './create-alerts.ts'
import type { Views } from './create-views.ts'
import type { Base } from './open-base.ts'
import type { Live } from './open-live.ts'
import type { Webhooks } from './open-webhooks.ts'

export const createMatching = (
  { db, shared, zone, record, metrics, onFault }: Base,
  { find }: Views,
  { readReport }: Alerts,
  { sendHint }: Live,
  { wake, wakeForOne }: Webhooks,
) => {
  const onResolved = (accountId: AccountId, outcomes: readonly AlertOutcome[]): void => {
    for (const { id, known, intentId } of outcomes) {
      if (known) continue
      sendHint(accountId, { kind: 'alert', id })
      if (intentId !== null) sendHint(accountId, { kind: 'intent', id: intentId })
    }
  }
  const recorder = alertRecorder({
    db,
    shared,
    zone,
    readReport,
    onResolved: (accountId, outcomes) => {
      onResolved(accountId, outcomes)
      const events = outcomes.reduce((sum, outcome) => sum + outcome.events, 0)
      if (events > 0) wake({ accountId, events })
    },
    onReported: (outcomes) => {
      for (const { known, state } of outcomes) metrics.alertDecided(known ? 'repeated' : state)
    },
    onFault: onFault('a message could not be processed, and was kept for review'),
  })
  const attacher = referenceAttacher({ db, shared, zone, find })
  const attach: typeof attacher = async (request, now) => {
    const intent = await inSpan('attach reference', () => attacher(request, now))
    if ('status' in intent) {
      if (intent.matched !== null) wakeForOne(request.scope.accountId)
      sendHint(request.scope.accountId, { kind: 'intent', id: intent.id })
      if (intent.matched !== null) sendHint(request.scope.accountId, { kind: 'alert', id: intent.matched.id })
    } else for (const hint of claimHints(intent.facts)) sendHint(request.scope.accountId, hint)
    return intent
  }
  return { onResolved, recorder: { ...recorder, ...(record && { record }) }, attach }
}
