/** The sender's state machine, without HTTP and without a database: its promises hold in any order of events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AccountId, EndpointId } from '../../core/ids.ts'
import { webhookDefaults } from '../settings.ts'
import type { Claimed, FoundEndpoint, SenderEffect, SenderEvent } from './sender-events.ts'
import { lookPage, mostRecording, type SenderState, step as stepBy, stoppedSender } from './sender-state.ts'
import { mostCredit } from './yield-calls.ts'

type Delivery = Claimed & { readonly id: number }
type Event = SenderEvent<Delivery, string>
type Effect = SenderEffect<Delivery, string>
type Send = Extract<Effect, { kind: 'send' }>
type Claim = Extract<Effect, { kind: 'claim' }>

const rules = { ...webhookDefaults }
const step = (state: SenderState, event: Event, changed = rules) => stepBy<Delivery, string>(state, event, changed)

/** Runs events one after the other. Returns the last state, and the effects of the last event. */
const after = (state: SenderState, ...events: Event[]) => {
  let effects: readonly Effect[] = []
  for (const event of events) ({ state, effects } = step(state, event))
  return { state, effects, kinds: effects.map((one) => one.kind) }
}

const endpoint = (name: string, callLimit: number = rules.calls_per_endpoint): FoundEndpoint => ({
  id: name as EndpointId,
  account_id: `account of ${name}` as AccountId,
  call_limit: callLimit,
  due: true,
})
let lastId = 0
const delivery = (name: string, more: Partial<Claimed> = {}): Delivery => ({
  id: ++lastId,
  endpoint_id: name as EndpointId,
  account_id: `account of ${name}` as AccountId,
  attempt: 1,
  leads: false,
  ...more,
})
const planned = (now_ms = 0): Event => ({ kind: 'planned', now_ms, load: undefined })
const found = (...endpoints: FoundEndpoint[]): Event => ({ kind: 'found', endpoints, now_ms: 0 })
const claimed = (...deliveries: Delivery[]): Event => ({ kind: 'claimed', deliveries, lease: 'lease' })
const started = after(stoppedSender, { kind: 'start' }).state
const idle = after(started, planned(), found()).state
const busy: Event = { kind: 'planned', now_ms: 100, load: { underWay: 30, answered: 0, took_ms: 0 } }

test('after the start the sender plans, looks, claims, sends, plans again and becomes idle', () => {
  const start = after(stoppedSender, { kind: 'start' })
  assert.deepEqual([start.state.mode.name, start.kinds], ['PLANNING', ['start-polling', 'plan']])
  const look = after(start.state, planned())
  assert.deepEqual([look.state.mode.name, look.kinds], ['LOOKING', ['look']])
  const claim = after(look.state, found(endpoint('a')))
  assert.deepEqual([claim.state.mode.name, claim.kinds], ['CLAIMING', ['claim']])
  const send = after(claim.state, claimed(delivery('a')))
  assert.deepEqual([send.state.mode.name, send.kinds], ['PLANNING', ['send', 'plan']])
  const waiting = after(send.state, planned())
  assert.deepEqual([waiting.state.mode.name, waiting.kinds, waiting.state.calls.length], ['IDLE', [], 1])
  const recording = after(waiting.state, { kind: 'answered', call: 1 })
  assert.deepEqual([recording.state.calls.length, recording.state.recording.length], [0, 1])
  const ended = after(recording.state, { kind: 'ended', call: 1 })
  assert.deepEqual([ended.state.mode.name, ended.state.recording.length], ['IDLE', 0])
})

test('a full page of endpoints is followed by the next page, from the greatest id on', () => {
  const page = Array.from({ length: lookPage }, (_, n) => endpoint(`e${String(n).padStart(4, '0')}`)).reverse()
  const next = after(started, planned(), found(...page))
  assert.deepEqual(next.effects, [{ kind: 'look', after: 'e0999', limit: lookPage }])
  assert.deepEqual(after(next.state, found()).kinds, ['claim'])
})

test('after a wake-up during a query the sender looks again when the query has ended, also if it failed', () => {
  const looking = after(started, planned(), { kind: 'wake' }).state
  assert.deepEqual(after(looking, found()).kinds, ['plan'])
  assert.deepEqual(after(looking, { kind: 'failed' }).kinds, ['plan'])
  assert.deepEqual(after(started, planned(), { kind: 'failed' }).kinds, [])
})

test('an endpoint that filled its share gets its next turn after the others; one that did not is no longer ready', () => {
  const few = { ...rules, claim_most: 8 }
  let state = step(step(started, planned(), few).state, found(endpoint('a'), endpoint('b'), endpoint('c')), few).state
  state = step(state, claimed(...Array.from({ length: 4 }, () => delivery('a')), delivery('b')), few).state
  assert.deepEqual(
    state.ready.map((one) => one.id),
    ['c', 'a'],
  )
})

test('a call to an endpoint that recovers keeps its slot until it is recorded; then the sender looks again', () => {
  const out = after(started, planned(), found(endpoint('a', 1)), claimed(delivery('a')), planned())
  const answered = after(out.state, { kind: 'answered', call: 1 })
  assert.equal(answered.state.calls.length, 1)
  const ended = after(answered.state, { kind: 'ended', call: 1 }, planned())
  assert.deepEqual(ended.kinds, ['look'])
})

test('when a delivery that another may follow is recorded, the sender looks again', () => {
  const out = after(started, planned(), found(endpoint('a')), claimed(delivery('a', { leads: true })), planned()).state
  assert.deepEqual(after(out, { kind: 'answered', call: 1 }, { kind: 'ended', call: 1 }, planned()).kinds, ['look'])
})

test('while requests run, deliveries beyond the credit wait; events that this process has just committed do not', () => {
  const looking = after(idle, { kind: 'wake' }, busy)
  assert.deepEqual(looking.kinds, ['look'])
  const names = Array.from({ length: 20 }, (_, n) => `e${n}`)
  const claim = after(looking.state, found(...names.map((name) => endpoint(name)))).effects[0] as Claim
  const claimedCalls = claim.shares.reduce((sum, { most }) => sum + most, 0)
  assert.equal(claimedCalls, mostCredit)
  const all = claim.shares.flatMap(({ id, most }) => Array.from({ length: most }, () => delivery(id)))
  const out = after(looking.state, found(...names.map((name) => endpoint(name))), claimed(...all), busy)
  assert.deepEqual(out.effects, [{ kind: 'set-timer', wait_ms: 80 }])
  const accountId = 'account of e9' as AccountId
  const woken = after(out.state, { kind: 'wake', committed: { accountId, events: 3 } }, busy)
  assert.deepEqual(woken.kinds, ['look'])
  const more = after(woken.state, found(endpoint('e9'))).effects[0] as Claim
  assert.equal(
    more.shares.reduce((sum, { most }) => sum + most, 0),
    3,
  )
})

test('new events are counted once for every endpoint of their account with a due delivery', () => {
  const foundEndpoint = (name: string, account: string): FoundEndpoint => ({
    ...endpoint(name),
    account_id: account as AccountId,
  })
  const woken = after(idle, { kind: 'wake', committed: { accountId: 'x' as AccountId, events: 5 } }, planned(20))
  const { state } = after(
    woken.state,
    found(foundEndpoint('a', 'x'), foundEndpoint('b', 'x'), foundEndpoint('c', 'x'), foundEndpoint('d', 'y')),
  )
  assert.equal(state.exempt, 15)
})

test('while requests run, the sender looks again 10 ms after a look that found nothing, not earlier', () => {
  const woken = after(
    after(idle, { kind: 'wake' }, busy, { kind: 'found', endpoints: [], now_ms: 100 }).state,
    { kind: 'wake', committed: { accountId: 'x' as AccountId, events: 1 } },
    { kind: 'planned', now_ms: 104, load: undefined },
  )
  assert.deepEqual(woken.effects, [{ kind: 'set-timer', wait_ms: 6 }])
  const later = after(woken.state, { kind: 'timer' }, { kind: 'planned', now_ms: 110, load: undefined })
  assert.deepEqual(later.kinds, ['look'])
})

test('with most calls under way, one timer and one claim serve several ended calls', () => {
  const few = { ...rules, calls: 16, first_share: 0, account_share: 1 }
  const run = (state: SenderState, ...events: Event[]) => {
    let effects: readonly Effect[] = []
    for (const event of events) ({ state, effects } = step(state, event, few))
    return { state, effects }
  }
  const names = ['a', 'b', 'c', 'd', 'e']
  const claim = run(started, planned(), found(...names.map((name) => endpoint(name))))
  const { shares } = claim.effects[0] as Claim
  const full = run(
    claim.state,
    claimed(...shares.flatMap(({ id, most }) => Array.from({ length: most }, () => delivery(id)))),
    planned(),
  )
  assert.deepEqual([full.state.calls.length, full.state.mode.name], [16, 'IDLE'])
  const one = run(full.state, { kind: 'answered', call: 1 })
  assert.deepEqual(one.effects, [{ kind: 'set-timer', wait_ms: 8 }])
  assert.deepEqual(run(one.state, { kind: 'answered', call: 2 }).effects, [])
  const four = run(one.state, ...[2, 3, 4].map((call) => ({ kind: 'answered', call }) as const))
  assert.deepEqual(four.effects, [{ kind: 'plan' }])
})

test('with the allowed number of retries under way, only first attempts are claimed', () => {
  const few = { ...rules, calls: 8, first_share: 0.5, account_share: 1 }
  const claim = step(step(started, planned(), few).state, found(endpoint('a')), few)
  const retries = claimed(...Array.from({ length: 4 }, () => delivery('a', { attempt: 2 })))
  const more = step(step(claim.state, retries, few).state, planned(), few).effects[0] as Claim
  assert.deepEqual([more.firstOnly, more.shares], [true, [{ id: 'a', most: 4, underWay: 4 }]])
})

test('a stopping sender makes no new claim, sends what a claim under way returns, and ends with the last record', () => {
  const claiming = after(started, planned(), found(endpoint('a'))).state
  const stopping = after(claiming, { kind: 'stop' })
  assert.deepEqual([stopping.state.mode.name, stopping.kinds], ['STOPPING', ['stop-timers']])
  const sent = after(stopping.state, claimed(delivery('a'), delivery('a')))
  assert.deepEqual(sent.kinds, ['send', 'send'])
  const waiting = after(sent.state, { kind: 'wake' }, { kind: 'timer' }, { kind: 'answered', call: 1 })
  assert.deepEqual([waiting.state.mode.name, waiting.kinds], ['STOPPING', []])
  assert.deepEqual(after(waiting.state, { kind: 'ended', call: 1 }).kinds, [])
  const last = after(waiting.state, { kind: 'ended', call: 1 }, { kind: 'ended', call: 2 })
  assert.deepEqual([last.state.mode.name, last.kinds], ['STOPPED', ['stopped']])
  assert.deepEqual(after(last.state, { kind: 'start' }).kinds, ['start-polling', 'plan'])
})

test('an idle sender stops at once; a stop before the start, and a second start, change nothing', () => {
  assert.deepEqual(after(idle, { kind: 'stop' }).kinds, ['stop-timers', 'stopped'])
  assert.deepEqual(after(stoppedSender, { kind: 'stop' }), { state: stoppedSender, effects: [], kinds: [] })
  assert.deepEqual(after(idle, { kind: 'start' }).kinds, [])
})

test('a stopped sender has nothing to do; a stopping one has no timer', () => {
  assert.deepEqual(stoppedSender, {
    ...{ mode: { name: 'STOPPED' }, planAgain: false, lookAgain: false, timerSet: false },
    ...{ ready: [], calls: [], recording: [], committed: [], exempt: 0, nextCall: 1 },
    foundNothingAt_ms: Number.NEGATIVE_INFINITY,
    pace: { credit: Number.POSITIVE_INFINITY, quiet_ms: Number.POSITIVE_INFINITY },
  })
  assert.equal(after({ ...idle, timerSet: true }, { kind: 'stop' }).state.timerSet, false)
})

test('endpoints that may not be called now do not make the sender plan again and again', () => {
  assert.deepEqual(after(started, planned(), found(endpoint('a', 0))).kinds, [])
})

test('bounds: 1,024 successful calls that are not recorded, 1,024 deliveries that need not yield', () => {
  assert.equal(mostRecording, 1_024)
  const committed = (events: number): Event => ({
    kind: 'wake',
    committed: { accountId: 'x' as AccountId, events },
  })
  assert.equal(after(idle, committed(5_000)).state.exempt, 1_024)
  const many = after(idle, ...Array.from({ length: 1_100 }, () => committed(1))).state
  assert.deepEqual([many.exempt, many.committed.length], [1_024, 1_024])
})

test('new events do not count for the endpoints of other accounts', () => {
  const of = (name: string, account: string) => ({ ...endpoint(name), account_id: account as AccountId })
  const woken = after(idle, { kind: 'wake', committed: { accountId: 'x' as AccountId, events: 5 } }, planned(20))
  assert.equal(after(woken.state, found(of('a', 'x'), of('b', 'y'), of('c', 'y'))).state.exempt, 5)
})

const withoutCredit: SenderState = { ...idle, pace: { credit: 0, quiet_ms: 0 } }
const oneEvent: Event = { kind: 'wake', committed: { accountId: 'account of a' as AccountId, events: 1 } }

test('without credit, a single new event is sent at once', () => {
  const looking = after(withoutCredit, oneEvent, planned(100))
  assert.deepEqual(looking.kinds, ['look'])
  const claim = after(looking.state, found(endpoint('a'))).effects[0] as Claim
  assert.deepEqual(claim.shares, [{ id: 'a', most: 1, underWay: 0 }])
})

test('the sender waits the last millisecond before it looks again, too', () => {
  const waiting = after({ ...withoutCredit, foundNothingAt_ms: 100 }, oneEvent, planned(109))
  assert.deepEqual(waiting.effects, [{ kind: 'set-timer', wait_ms: 1 }])
})

test('a look that finds nothing ends the exemption, unless events were committed during the look', () => {
  const looking = after(withoutCredit, oneEvent, planned(100)).state
  assert.equal(after(looking, found()).state.exempt, 0)
  assert.equal(after(looking, oneEvent, found()).state.exempt, 2)
})

test('exempt deliveries use no credit, others do', () => {
  const state: SenderState = { ...idle, pace: { credit: 32, quiet_ms: 0 }, exempt: 3 }
  const begin = (deliveries: number) => {
    const all = Array.from({ length: deliveries }, () => delivery('a'))
    const next = after(state, { kind: 'wake' }, planned(100), found(endpoint('a')), claimed(...all)).state
    return [next.exempt, next.pace.credit]
  }
  assert.deepEqual(begin(2), [1, 32])
  assert.deepEqual(begin(4), [0, 31])
})

/** The shares of the first claim by these rules and this state. */
const claimOf = (changed: typeof rules, state: SenderState, ...endpoints: FoundEndpoint[]) =>
  step(
    step({ ...state, mode: { name: 'PLANNING' }, lookAgain: true }, planned(), changed).state,
    found(...endpoints),
    changed,
  ).effects[0] as Claim

const call = (id: number, name: string) => ({
  id,
  endpointId: name as EndpointId,
  accountId: `account of ${name}` as AccountId,
  isRetry: false,
  recovering: false,
  leads: false,
})

test('calls under way count for their account: another endpoint of it must wait', () => {
  const calls = Array.from({ length: 4 }, (_, n) => call(n + 1, 'a'))
  const second = { ...endpoint('b'), account_id: 'account of a' as AccountId }
  const few = { ...rules, calls: 16, account_share: 0.25 }
  assert.equal(claimOf(few, { ...idle, calls }, second), undefined)
  assert.deepEqual(claimOf(few, { ...idle, calls: calls.slice(1) }, second).shares, [{ id: 'b', most: 1, underWay: 0 }])
})

test('one retry may be claimed, even if all calls are kept for first attempts', () => {
  const claim = claimOf({ ...rules, first_share: 1 }, idle, endpoint('a'))
  assert.deepEqual([claim.firstOnly, claim.shares], [false, [{ id: 'a', most: 1, underWay: 0 }]])
})

test('while many successful calls are not recorded, only so many are claimed as may be recorded', () => {
  const recording = Array.from({ length: mostRecording - 2 }, (_, n) => call(n + 1, 'other'))
  assert.deepEqual(claimOf(rules, { ...idle, recording }, endpoint('a')).shares, [{ id: 'a', most: 2, underWay: 0 }])
})

test('a call that a stopping sender begins keeps its slot until it is recorded', () => {
  const one = { ...rules, calls_per_endpoint: 1 }
  const claiming = step(step(started, planned(), one).state, found(endpoint('a', 1)), one).state
  const sent = step(step(claiming, { kind: 'stop' }, one).state, claimed(delivery('a')), one).state
  assert.equal(step(sent, { kind: 'answered', call: 1 }, one).state.calls.length, 1)
})

const twenty = { ...rules, calls: 20, account_share: 1 }
const readyA = { id: 'a' as EndpointId, accountId: 'account of a' as AccountId, callLimit: 8 }
const underWay = (calls: number): SenderState => ({
  ...idle,
  calls: Array.from({ length: calls }, (_, n) => call(n + 1, `e${n}`)),
})

test('after a call ends the sender claims at once if a quarter of the calls is free, otherwise 8 ms later', () => {
  const freed = (calls: number, ready: SenderState['ready']) =>
    step({ ...underWay(calls), ready }, { kind: 'answered', call: 1 }, twenty).effects
  assert.deepEqual(freed(17, [readyA]), [{ kind: 'set-timer', wait_ms: 8 }])
  assert.deepEqual(freed(16, [readyA]), [{ kind: 'plan' }])
  assert.deepEqual(freed(17, []), [])
})

test('with most calls under way, the delivery that follows a recorded one is looked for at once; after a failure it waits', () => {
  const leading = { ...call(99, 'z'), leads: true }
  const recorded = step({ ...underWay(19), recording: [leading] }, { kind: 'ended', call: 99 }, twenty)
  assert.deepEqual(recorded.effects, [{ kind: 'plan' }])
  const full = underWay(18)
  const failed = { ...full, calls: [...full.calls, leading], ready: [readyA] }
  assert.deepEqual(step(failed, { kind: 'ended', call: 99 }, twenty).effects, [{ kind: 'set-timer', wait_ms: 8 }])
  const plain = { ...underWay(19), recording: [call(99, 'z')] }
  assert.deepEqual(step(plain, { kind: 'ended', call: 99 }, twenty).effects, [])
})

/** Limits so small that a few deliveries reach them. */
const small = {
  ...rules,
  calls: 12,
  calls_per_endpoint: 5,
  claim_per_endpoint: 3,
  claim_most: 8,
  account_share: 0.9,
  first_share: 0.5,
}
const retriesAtMost = 6
const perAccountAtMost = 10
const endpointNames = ['a', 'b', 'c', 'd']
const accountOf = (name: string) => (name === 'd' ? 'second' : 'first') as AccountId

/**
 * A database and receivers in memory. Each effect waits until the test answers it, in any order; the promises are checked after
 * every event.
 */
const simulate = () => {
  let state = stoppedSender
  let now_ms = 0
  let timerSet = false
  let polls = false
  /** A query failed, and no wake-up came since it began: then the sender waits for the poll. */
  let failed = false
  let wokenSinceQuery = false
  let query: Extract<Effect, { kind: 'look' | 'claim' }> | undefined
  let load: { underWay: number; answered: number; took_ms: number } | undefined
  const due: Delivery[] = []
  /** The deliveries that were sent and have not ended, by the number of their call. */
  const sent = new Map<number, Delivery>()
  const ended = new Set<number>()
  const callLimits = new Map(endpointNames.map((name) => [name, small.calls_per_endpoint]))

  const check = (effects: readonly Effect[], wasStopping: boolean): void => {
    const { calls, recording, mode } = state
    assert.ok(calls.length <= small.calls, 'no more calls than allowed')
    assert.ok(recording.length <= mostRecording + small.calls)
    assert.equal(calls.length + recording.length, sent.size, 'each claimed delivery is a call or recording')
    const count = (isOne: (call: (typeof calls)[number]) => boolean) => calls.filter(isOne).length
    assert.ok(count((call) => call.isRetry) <= retriesAtMost, 'part of the calls is reserved for first attempts')
    for (const name of endpointNames)
      assert.ok(count((call) => call.endpointId === name) <= small.calls_per_endpoint, 'calls to one endpoint')
    for (const account of ['first', 'second'])
      assert.ok(count((call) => call.accountId === account) <= perAccountAtMost, 'calls of one account')
    const kinds = effects.map((effect) => effect.kind)
    if (wasStopping) assert.ok(!kinds.some((kind) => /look|claim|plan|timer$|polling/.test(kind)), 'begins nothing')
    if (kinds.includes('stopped')) {
      assert.equal(sent.size, 0, 'stopped only when everything has ended')
      assert.equal(query, undefined, 'stopped only when the query has ended')
    }
    if (mode.name === 'LOOKING' || mode.name === 'CLAIMING') assert.ok(query, 'a query is awaited only if one runs')
    assert.equal(polls, mode.name !== 'STOPPED' && mode.name !== 'STOPPING')
    // The sender is idle with a due delivery only if an event will come that makes it plan again. Only retries need the poll:
    // a claim of first attempts does not show whether an endpoint has more due deliveries.
    if (mode.name === 'IDLE' && sent.size === 0 && !timerSet && !failed) {
      assert.deepEqual([state.lookAgain, state.ready], [false, []], 'never waits for ever with work due')
      assert.ok(!due.some((one) => one.attempt === 1), 'never waits for ever with work due')
    }
  }

  const dispatch = (event: Event): void => {
    const wasStopping = state.mode.name === 'STOPPING'
    if (event.kind === 'wake' || event.kind === 'start') [failed, wokenSinceQuery] = [false, true]
    if (event.kind === 'failed') failed = !wokenSinceQuery
    const next = step(state, event, small)
    state = next.state
    let plans = false
    for (const effect of next.effects) {
      if (effect.kind === 'start-polling') polls = true
      if (effect.kind === 'stop-timers') [polls, timerSet] = [false, false]
      if (effect.kind === 'set-timer') {
        assert.ok(!timerSet, 'one timer at most')
        timerSet = true
      }
      if (effect.kind === 'look' || effect.kind === 'claim') {
        assert.equal(query, undefined, 'one query at a time')
        query = effect
        wokenSinceQuery = false
      }
      if (effect.kind === 'send') {
        const { call, delivery } = effect as Send
        assert.ok(!sent.has(call) && !ended.has(call), 'each call has its own number')
        sent.set(call, delivery)
      }
      if (effect.kind === 'plan') plans = true
    }
    check(next.effects, wasStopping)
    if (plans) dispatch({ kind: 'planned', now_ms, load })
  }

  const resultOf = (answered: NonNullable<typeof query>): Event => {
    if (answered.kind === 'look') {
      const endpoints = endpointNames.map((name) => ({
        id: name as EndpointId,
        account_id: accountOf(name),
        call_limit: callLimits.get(name)!,
        due: due.some((one) => one.endpoint_id === name),
      }))
      return { kind: 'found', now_ms, endpoints }
    }
    const claimedNow = answered.shares.flatMap(({ id, most }) =>
      due.filter((one) => one.endpoint_id === id && (one.attempt === 1 || !answered.firstOnly)).slice(0, most),
    )
    for (const one of claimedNow) due.splice(due.indexOf(one), 1)
    return { kind: 'claimed', deliveries: claimedNow, lease: 'lease' }
  }
  const answerQuery = (fails: boolean): void => {
    const answered = query
    query = undefined
    if (answered !== undefined) dispatch(fails ? { kind: 'failed' } : resultOf(answered))
  }

  const nth = (n: number): number | undefined => [...sent.keys()][n % Math.max(1, sent.size)]
  const end = (call: number): void => {
    const { endpoint_id, account_id, leads } = sent.get(call)!
    // The delivery that follows is due from now on, without a wake-up.
    if (leads) due.push(delivery(endpoint_id, { account_id }))
    sent.delete(call)
    ended.add(call)
    dispatch({ kind: 'ended', call })
  }
  return {
    due,
    state: () => state,
    underWay: () => sent.size,
    dispatch,
    answerQuery,
    hasQuery: () => query !== undefined,
    hasTimer: () => timerSet,
    add(n: number, isRetry: boolean, leads: boolean) {
      const name = endpointNames[n % endpointNames.length]!
      due.push(delivery(name, { account_id: accountOf(name), attempt: isRetry ? 2 : 1, leads }))
    },
    answer(n: number) {
      const call = nth(n)
      if (call !== undefined) dispatch({ kind: 'answered', call })
    },
    end(n: number) {
      const call = nth(n)
      if (call !== undefined) end(call)
    },
    timer() {
      if (!timerSet) return
      timerSet = false
      dispatch({ kind: 'timer' })
    },
    setCallLimit: (n: number, most: number) => void callLimits.set(endpointNames[n % endpointNames.length]!, most),
    setLoad(underWay: number) {
      load = { underWay, answered: 0, took_ms: 1 }
    },
    pass: (ms: number) => {
      now_ms += ms
    },
  }
}
type World = ReturnType<typeof simulate>

const action: fc.Arbitrary<(world: World) => void> = fc.oneof(
  fc
    .record({
      n: fc.nat(3),
      isRetry: fc.boolean(),
      leads: fc.boolean(),
      times: fc.integer({ min: 1, max: 12 }),
      ownRequest: fc.boolean(),
    })
    .map(({ n, isRetry, leads, times, ownRequest }) => (world: World) => {
      for (let i = 0; i < times; i++) world.add(n, isRetry, leads)
      const committed = ownRequest ? { accountId: accountOf(endpointNames[n]!), events: times } : undefined
      world.dispatch({ kind: 'wake', committed })
    }),
  fc.constant((world: World) => world.dispatch({ kind: 'wake' })),
  fc.constant((world: World) => world.answerQuery(false)),
  fc.constant((world: World) => world.answerQuery(false)),
  fc.constant((world: World) => world.answerQuery(true)),
  fc.constant((world: World) => world.timer()),
  fc.nat(30).map((n) => (world: World) => world.answer(n)),
  fc.nat(30).map((n) => (world: World) => world.end(n)),
  fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 5 })).map(
    ([n, most]) =>
      (world: World) =>
        world.setCallLimit(n, most),
  ),
  fc.nat(40).map((underWay) => (world: World) => world.setLoad(underWay)),
  fc.nat(100).map((ms) => (world: World) => world.pass(ms)),
  // A call that the machine does not know.
  fc.constant((world: World) => world.dispatch({ kind: 'ended', call: 1_000_000 })),
)

const runs = { numRuns: 500 }

test('in any order of events, no limit is exceeded, and no due delivery waits for ever', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 120 }), (actions) => {
      const world = simulate()
      world.dispatch({ kind: 'start' })
      for (const apply of actions) apply(world)
      // From here on every effect is answered: then every due delivery is sent.
      for (let turn = 0; world.due.length + world.underWay() > 0 || world.hasQuery(); turn++) {
        assert.ok(turn < 5_000, 'never ends')
        world.pass(20)
        if (world.hasQuery()) world.answerQuery(false)
        else if (world.underWay() > 0) world.end(turn)
        else if (world.hasTimer()) world.timer()
        else world.dispatch({ kind: 'wake' }) // the poll
      }
    }),
    runs,
  )
})

test('stopped at any moment, the sender claims nothing more, sends all that was claimed, and ends', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 80 }), fc.array(action, { maxLength: 30 }), (before, meanwhile) => {
      const world = simulate()
      world.dispatch({ kind: 'start' })
      for (const apply of before) apply(world)
      world.dispatch({ kind: 'stop' })
      for (const apply of meanwhile) apply(world)
      world.answerQuery(false)
      while (world.underWay() > 0) world.end(0)
      assert.equal(world.state().mode.name, 'STOPPED')
      assert.ok(!world.hasQuery() && !world.hasTimer())
      world.dispatch({ kind: 'start' })
      assert.equal(world.state().mode.name, 'LOOKING')
    }),
    runs,
  )
})
