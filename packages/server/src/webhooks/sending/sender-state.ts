/**
 * The sender as a state machine: `step(state, event)` returns the next state and the effects to run. Pure: it reads no clock,
 * no database and no network. `sender.ts` runs the effects and reports their results as events.
 *
 *   STOPPED    nothing is under way
 *   IDLE       no query is under way: waits for a wake-up, the end of a call, or its timer
 *   PLANNING   waits for the time and the load, which decide how much may begin
 *   LOOKING    the query for endpoints with due deliveries is under way
 *   CLAIMING   a claim is under way
 *   STOPPING   begins nothing more: waits for the query, the calls and the records under way
 *
 *   STOPPED -start-> PLANNING -planned-> LOOKING -found-> CLAIMING -claimed-> PLANNING -> ... -> IDLE -wake-> PLANNING
 *   any running mode -stop-> STOPPING -> STOPPED
 *
 * Calls are independent of the mode. Each claimed delivery becomes one call, which takes a call slot (`calls`) until it is
 * answered or recorded. A successful call frees its slot with the answer and is then only `recording`. A failed call, or a call
 * to an endpoint that recovers, keeps its slot until it is recorded: only then is it known what may follow.
 */
import type { AccountId, EndpointId } from '../../core/ids.ts'
import type { WebhookSettings } from '../settings.ts'
import type { Claimed, FoundEndpoint, NewEvents, SenderEffect, SenderEvent } from './sender-events.ts'
import { type ReadyEndpoint, type Share, shareCalls } from './share-calls.ts'
import { afterBegun, type Load, mayBegin, noLoad, type Pace, paceAfter } from './yield-calls.ts'

/** A claimed delivery that is not recorded yet. `recovering`: its endpoint may have fewer calls than usual. */
export type Call = {
  readonly id: number
  readonly endpointId: EndpointId
  readonly accountId: AccountId
  readonly isRetry: boolean
  readonly recovering: boolean
  readonly leads: boolean
}

export type Mode =
  | { readonly name: 'STOPPED' | 'IDLE' | 'PLANNING' }
  /** `budget`: how many deliveries may begin. `committed`: the events that were committed before this look. */
  | { readonly name: 'LOOKING'; readonly budget: number; readonly committed: readonly NewEvents[] }
  | { readonly name: 'CLAIMING'; readonly shares: readonly Share[] }
  | { readonly name: 'STOPPING'; readonly queryUnderWay: boolean }

/** Lists, not maps: they are copied at every change, and a list of a few hundred is copied in a microsecond. */
export type SenderState = {
  readonly mode: Mode
  /** An event that needs another plan came while a query was under way. */
  readonly planAgain: boolean
  /** A delivery may be due that `ready` does not contain. */
  readonly lookAgain: boolean
  /** Endpoints that had a due delivery when last read, in the order of their turns. */
  readonly ready: readonly ReadyEndpoint[]
  /** When the last look found nothing due; minus infinity if it found something. */
  readonly foundNothingAt_ms: number
  /** Calls that take a slot. */
  readonly calls: readonly Call[]
  /** Calls that succeeded and are not recorded yet. */
  readonly recording: readonly Call[]
  readonly nextCall: number
  readonly timerSet: boolean
  /** How many deliveries may begin while requests run (yield-calls.ts). */
  readonly pace: Pace
  /** How many deliveries need not yield to requests, because requests of this process caused them. */
  readonly exempt: number
  /** The events of these requests that no look has found yet. Until then `exempt` counts each event for one endpoint. */
  readonly committed: readonly NewEvents[]
}

export const stoppedSender: SenderState = {
  mode: { name: 'STOPPED' },
  planAgain: false,
  lookAgain: false,
  ready: [],
  foundNothingAt_ms: Number.NEGATIVE_INFINITY,
  calls: [],
  recording: [],
  nextCall: 1,
  timerSet: false,
  pace: noLoad,
  exempt: 0,
  committed: [],
}

export type SenderRules = Pick<
  WebhookSettings,
  | 'calls'
  | 'calls_per_endpoint'
  | 'claim_per_endpoint'
  | 'claim_most'
  | 'account_share'
  | 'first_share'
  | 'busy_requests'
  | 'busy_share'
  | 'busy_per_s'
>

/** How many endpoints one look reads. */
export const lookPage = 1_000
/** While so many successful calls are not recorded, nothing more is claimed. */
export const mostRecording = 1_024
/** A bound that is not reached: fewer events are committed before the next look. */
const mostExempt = 1_024
/** After yielding to requests, the sender plans again after this time. Deliveries that start together cost requests less. */
const yield_ms = 80
/** While requests run concurrently and a look found nothing due, there is at most one look in this time. */
const lookEvery_ms = 10
/** With most calls under way, the sender waits this long after a call ends, so that one claim serves several free slots. */
const claimAgain_ms = 8

/** A look begins here. */
export const firstEndpoint = '00000000-0000-0000-0000-000000000000'

type Step<Delivery extends Claimed, Lease> = {
  readonly state: SenderState
  readonly effects: readonly SenderEffect<Delivery, Lease>[]
}
type PlainStep = Step<never, never>

const stay = (state: SenderState): PlainStep => ({ state, effects: [] })

export const step = <Delivery extends Claimed, Lease>(
  state: SenderState,
  event: SenderEvent<Delivery, Lease>,
  rules: SenderRules,
): Step<Delivery, Lease> => {
  switch (event.kind) {
    case 'start':
      return start(state)
    case 'stop':
      return stop(state)
    case 'wake':
      return isRunning(state) ? plan(withCommitted({ ...state, lookAgain: true }, event.committed)) : stay(state)
    case 'timer':
      return plan({ ...state, timerSet: false })
    case 'planned':
      return afterPlanned(state, event.now_ms, event.load, rules)
    case 'found':
      return afterFound(state, event.endpoints, event.now_ms, rules)
    case 'claimed':
      return afterClaimed(state, event.deliveries, event.lease, rules)
    case 'failed':
      return afterQuery(state)
    case 'answered':
      return afterAnswered(state, event.call, rules)
    case 'ended':
      return afterEnded(state, event.call, rules)
  }
}

const isRunning = ({ mode }: SenderState): boolean => mode.name !== 'STOPPED' && mode.name !== 'STOPPING'

const start = (state: SenderState): PlainStep => {
  if (state.mode.name !== 'STOPPED') return stay(state)
  const planned = plan({ ...stoppedSender, nextCall: state.nextCall, mode: { name: 'IDLE' }, lookAgain: true })
  return { state: planned.state, effects: [{ kind: 'start-polling' }, ...planned.effects] }
}

const stop = (state: SenderState): PlainStep => {
  if (!isRunning(state)) return stay(state)
  const queryUnderWay = state.mode.name === 'LOOKING' || state.mode.name === 'CLAIMING'
  const ended = stopWhenDone({ ...state, mode: { name: 'STOPPING', queryUnderWay }, timerSet: false })
  return { state: ended.state, effects: [{ kind: 'stop-timers' }, ...ended.effects] }
}

/** While stopping: STOPPED as soon as nothing is under way. */
const stopWhenDone = (state: SenderState): PlainStep => {
  const { mode, calls, recording } = state
  if (mode.name !== 'STOPPING' || mode.queryUnderWay || calls.length + recording.length > 0) return stay(state)
  return { state: { ...state, mode: { name: 'STOPPED' } }, effects: [{ kind: 'stopped' }] }
}

/** Begins a plan; while a query is under way, the plan follows it. */
const plan = (state: SenderState): PlainStep => {
  if (!isRunning(state)) return stay(state)
  if (state.mode.name !== 'IDLE') return stay({ ...state, planAgain: true })
  return state.lookAgain || state.ready.length > 0 ? planNow(state) : stay(state)
}

const planNow = (state: SenderState): PlainStep => ({
  state: { ...state, mode: { name: 'PLANNING' } },
  effects: [{ kind: 'plan' }],
})

const setTimer = (state: SenderState, wait_ms: number): PlainStep =>
  state.timerSet ? stay(state) : { state: { ...state, timerSet: true }, effects: [{ kind: 'set-timer', wait_ms }] }

/** Becomes idle, or plans again if an event asked for it meanwhile. */
const goIdle = (state: SenderState): PlainStep => {
  const idle: SenderState = { ...state, mode: { name: 'IDLE' }, planAgain: false }
  return state.planAgain ? plan(idle) : stay(idle)
}

const goIdleFor = (state: SenderState, wait_ms: number): PlainStep => {
  const timed = setTimer(state, wait_ms)
  const idled = goIdle(timed.state)
  return { state: idled.state, effects: [...timed.effects, ...idled.effects] }
}

/** A query failed, or ended while stopping. A failed query is repeated at the next wake-up, which polling sends. */
const afterQuery = (state: SenderState): PlainStep => {
  if (state.mode.name === 'STOPPING')
    return stopWhenDone({ ...state, mode: { name: 'STOPPING', queryUnderWay: false } })
  return state.mode.name === 'LOOKING' || state.mode.name === 'CLAIMING' ? goIdle(state) : stay(state)
}

const addExempt = (exempt: number, deliveries: number): number => Math.min(exempt + deliveries, mostExempt)

const withCommitted = (state: SenderState, committed: NewEvents | undefined): SenderState => {
  if (committed === undefined) return state
  const exempt = addExempt(state.exempt, committed.events)
  return state.committed.length < mostExempt
    ? { ...state, exempt, committed: [...state.committed, committed] }
    : { ...state, exempt }
}

/** New events go to every endpoint of their account that has a due delivery. For one endpoint they are counted already. */
const exemptForAll = (exempt: number, committed: readonly NewEvents[], ready: readonly ReadyEndpoint[]): number => {
  if (committed.length === 0) return exempt
  const events = new Map<AccountId, number>()
  for (const one of committed) events.set(one.accountId, (events.get(one.accountId) ?? 0) + one.events)
  const countedAccounts = new Set<AccountId>()
  let sum = exempt
  for (const { accountId } of ready) {
    if (countedAccounts.has(accountId)) sum = addExempt(sum, events.get(accountId) ?? 0)
    countedAccounts.add(accountId)
  }
  return sum
}

const afterPlanned = (before: SenderState, now_ms: number, load: Load | undefined, rules: SenderRules): PlainStep => {
  if (before.mode.name !== 'PLANNING') return stay(before)
  const state = load === undefined ? before : { ...before, pace: paceAfter(before.pace, load, rules) }
  const budget = mayBegin(state.pace) + state.exempt
  if (budget < 1) return goIdleFor(state, yield_ms)
  const wait_ms = budget === Number.POSITIVE_INFINITY ? 0 : state.foundNothingAt_ms + lookEvery_ms - now_ms
  if (!state.lookAgain || wait_ms > 0) return claim(state, budget, wait_ms, rules)
  return {
    state: {
      ...state,
      mode: { name: 'LOOKING', budget, committed: state.committed },
      lookAgain: false,
      committed: [],
    },
    effects: [{ kind: 'look', after: firstEndpoint, limit: lookPage }],
  }
}

/** The endpoints with a due delivery, in the order of their turns; new ones last. */
const readyAfter = (ready: readonly ReadyEndpoint[], endpoints: readonly FoundEndpoint[]): readonly ReadyEndpoint[] => {
  const foundById = new Map<EndpointId, FoundEndpoint>(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  const after: ReadyEndpoint[] = []
  for (const endpoint of ready) {
    const found = foundById.get(endpoint.id)
    foundById.delete(endpoint.id)
    if (found === undefined) after.push(endpoint)
    else if (found.due) after.push({ ...endpoint, callLimit: found.call_limit })
  }
  for (const { id, account_id: accountId, call_limit: callLimit, due } of foundById.values())
    if (due) after.push({ id, accountId, callLimit })
  return after
}

const afterFound = (
  before: SenderState,
  endpoints: readonly FoundEndpoint[],
  now_ms: number,
  rules: SenderRules,
): PlainStep => {
  const { mode } = before
  if (mode.name !== 'LOOKING') return afterQuery(before)
  const state = { ...before, ready: readyAfter(before.ready, endpoints) }
  if (endpoints.length >= lookPage) {
    const after = endpoints.reduce((last: string, { id }) => (id > last ? id : last), firstEndpoint)
    return { state, effects: [{ kind: 'look', after, limit: lookPage }] }
  }
  const nothingDue = state.ready.length === 0
  const exempt = exemptForAll(state.exempt, mode.committed, state.ready)
  return claim(
    {
      ...state,
      foundNothingAt_ms: nothingDue ? now_ms : Number.NEGATIVE_INFINITY,
      // Nothing is due, unless events were committed during the look.
      exempt: nothingDue && !state.lookAgain ? 0 : exempt,
    },
    mode.budget,
    0,
    rules,
  )
}

/** Which endpoints get how many of the calls that may begin now. */
const sharesNow = (
  { ready, calls, recording }: SenderState,
  budget: number,
  rules: SenderRules,
): { readonly shares: readonly Share[]; readonly firstOnly: boolean } => {
  const byEndpoint = new Map<EndpointId, number>()
  const byAccount = new Map<AccountId, number>()
  let retries = 0
  for (const { endpointId, accountId, isRetry } of calls) {
    byEndpoint.set(endpointId, (byEndpoint.get(endpointId) ?? 0) + 1)
    byAccount.set(accountId, (byAccount.get(accountId) ?? 0) + 1)
    if (isRetry) retries++
  }
  // A claim may return retries alone. So it takes no more than the free retries, or it takes first attempts only.
  const freeRetries = Math.max(1, Math.floor(rules.calls * (1 - rules.first_share))) - retries
  const firstOnly = freeRetries <= 0
  const free = Math.min(rules.calls - calls.length, mostRecording - recording.length, budget)
  const most = firstOnly ? free : Math.min(free, freeRetries)
  return { shares: shareCalls(ready, most, { byEndpoint, byAccount }, rules), firstOnly }
}

/** Claims deliveries for as many calls as may begin. `lookAfter_ms`: how long a pending look must wait. */
const claim = (state: SenderState, budget: number, lookAfter_ms: number, rules: SenderRules): PlainStep => {
  const { shares, firstOnly } = sharesNow(state, budget, rules)
  if (shares.length > 0)
    return { state: { ...state, mode: { name: 'CLAIMING', shares } }, effects: [{ kind: 'claim', shares, firstOnly }] }
  if (!state.lookAgain) return goIdle(state)
  return lookAfter_ms > 0 ? goIdleFor(state, lookAfter_ms) : planNow(state)
}

const afterClaimed = <Delivery extends Claimed, Lease>(
  state: SenderState,
  deliveries: readonly Delivery[],
  lease: Lease,
  rules: SenderRules,
): Step<Delivery, Lease> => {
  const shares = state.mode.name === 'CLAIMING' ? state.mode.shares : []
  const sharing = new Set(shares.map(({ id }) => id))
  const turns = new Map(state.ready.filter(({ id }) => sharing.has(id)).map((one) => [one.id, one]))
  const claimedByEndpoint = new Map<EndpointId, number>()
  const begun: Call[] = []
  const sends: SenderEffect<Delivery, Lease>[] = []
  for (const delivery of deliveries) {
    const { endpoint_id: endpointId, account_id: accountId, attempt, leads } = delivery
    const id = state.nextCall + begun.length
    const recovering = (turns.get(endpointId)?.callLimit ?? 0) < rules.calls_per_endpoint
    begun.push({ id, endpointId, accountId, isRetry: attempt > 1, recovering, leads })
    sends.push({ kind: 'send', call: id, delivery, lease })
    claimedByEndpoint.set(endpointId, (claimedByEndpoint.get(endpointId) ?? 0) + 1)
  }
  // An endpoint that filled its share may have more due deliveries: its next turn comes after the others.
  const nextTurns = shares.flatMap(({ id, most }) => (claimedByEndpoint.get(id) === most ? (turns.get(id) ?? []) : []))
  const notYielding = Math.min(state.exempt, deliveries.length)
  const next: SenderState = {
    ...state,
    calls: [...state.calls, ...begun],
    nextCall: state.nextCall + begun.length,
    ready: [...state.ready.filter(({ id }) => !sharing.has(id)), ...nextTurns],
    exempt: state.exempt - notYielding,
    pace: afterBegun(state.pace, deliveries.length - notYielding),
  }
  // Claimed deliveries are sent also while stopping: the claim counted the attempt already.
  const after = next.mode.name === 'CLAIMING' ? planNow(next) : afterQuery(next)
  return { state: after.state, effects: [...sends, ...after.effects] }
}

/** A slot is free. While most calls are under way, a claim for one slot would cost more than the call. */
const afterFreed = (state: SenderState, rules: SenderRules): PlainStep => {
  const { length } = state.calls
  if (rules.calls - length >= rules.calls / 4) return plan(state)
  return state.ready.length > 0 ? setTimer(state, claimAgain_ms) : stay(state)
}

const without = (calls: readonly Call[], call: Call): readonly Call[] => calls.filter((one) => one !== call)
const withId = (calls: readonly Call[], id: number): Call | undefined => calls.find((one) => one.id === id)

const afterAnswered = (state: SenderState, id: number, rules: SenderRules): PlainStep => {
  const call = withId(state.calls, id)
  if (call === undefined || call.recovering) return stay(state)
  const next = { ...state, calls: without(state.calls, call), recording: [...state.recording, call] }
  return isRunning(next) ? afterFreed(next, rules) : stay(next)
}

const afterEnded = (state: SenderState, id: number, rules: SenderRules): PlainStep => {
  const called = withId(state.calls, id)
  const call = called ?? withId(state.recording, id)
  if (call === undefined) return stay(state)
  const next: SenderState = {
    ...state,
    ...(called ? { calls: without(state.calls, call) } : { recording: without(state.recording, call) }),
    // An answer may allow more calls to an endpoint that recovers; a delivery that follows this one may be due now.
    lookAgain: state.lookAgain || call.recovering || call.leads,
  }
  if (!isRunning(next)) return stopWhenDone(next)
  return called === undefined && next.lookAgain ? plan(next) : afterFreed(next, rules)
}
