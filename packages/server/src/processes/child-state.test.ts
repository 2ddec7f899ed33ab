import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ChildEvent, type ChildState, firstState, pauseOf, steadyAfter_ms, step } from './child-state.ts'

const after = (...events: readonly ChildEvent[]): ChildState =>
  events.reduce<ChildState>((state, event) => step(state, event)[0], firstState)

const exited = (at: number): ChildEvent => ({ what: 'exited', at })
const ready = (at: number): ChildEvent => ({ what: 'ready', at })
const over: ChildEvent = { what: 'pause over' }

test('a process that ends is started again after a pause that doubles each time, to 30 seconds', () => {
  let state = firstState
  const pauses: number[] = []
  for (let n = 0; n < 12; n++) {
    const [pausing, action] = step(state, exited(n))
    assert.ok(action !== undefined && 'pause_ms' in action)
    pauses.push(action.pause_ms)
    const [starting, next] = step(pausing, over)
    assert.deepEqual([starting.is, next], ['starting', { start: true }])
    state = starting
  }
  assert.deepEqual(pauses, [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000, 30_000])
})

test('a process that was ready for a minute begins with the short pause again', () => {
  const failing = after(exited(0), over, exited(1), over, ready(1_000))
  assert.deepEqual(step(failing, exited(1_000 + steadyAfter_ms))[1], { pause_ms: pauseOf(0) })
  assert.deepEqual(step(failing, exited(1_000 + steadyAfter_ms - 1))[1], { pause_ms: pauseOf(2) })
})

test('a process that was dismissed is never started again', () => {
  const event = fc.oneof(
    fc.constant<ChildEvent>(over),
    fc.nat().map((at) => exited(at)),
    fc.nat().map((at) => ready(at)),
  )
  fc.assert(
    fc.property(fc.array(event), fc.array(event), (before, later) => {
      let state = step(after(...before), { what: 'dismissed' })[0]
      for (const one of later) {
        const [next, action] = step(state, one)
        assert.equal(action, undefined)
        state = next
      }
    }),
  )
})

test('a process is started once for each time it ended', () => {
  const event = fc.oneof(
    fc.constant<ChildEvent>(over),
    fc.nat().map((at) => exited(at)),
    fc.nat().map((at) => ready(at)),
  )
  fc.assert(
    fc.property(fc.array(event), (events) => {
      let state: ChildState = firstState
      let [pauses, starts] = [0, 0]
      for (const one of events) {
        const [next, action] = step(state, one)
        if (action !== undefined && 'pause_ms' in action) pauses++
        if (action !== undefined && 'start' in action) starts++
        assert.ok(starts <= pauses && pauses <= starts + 1)
        state = next
      }
    }),
  )
})
