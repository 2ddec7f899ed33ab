/** The entries that requests make in the timeline of an intent: who asked, who decided, and what became of it. Pure. */
import type { RequestMove } from '@sanad/contract/request-kinds'
import type { LimitRequest } from '../../accounts/requests/limit-request.ts'
import { formatMinor } from '../../core/money.ts'
import type { Mark } from './intent-timeline.ts'

export const requestMarks = (requests: readonly LimitRequest[]): Mark[] =>
  requests.flatMap((request) => {
    const { id, act, state, askedAt, askedName, currency } = request
    const amounts = { amount: formatMinor(request.amount), short: formatMinor(request.short), currency }
    const asked: Mark = { at: askedAt, kind: 'request_asked', by: askedName, facts: { request: id, act, ...amounts } }
    if (state === 'open') return [asked]
    const facts = {
      request: id,
      act,
      ...(state === 'refused' && request.reason !== '' ? { reason: request.reason } : {}),
    }
    // It has expired, and the background job has not stored that yet.
    const at = request.decidedAt ?? request.expiresAt
    const by = request.decidedName === '' ? 'clock' : request.decidedName
    return [asked, { at, kind: `request_${state}` satisfies RequestMove, by, facts }]
  })
