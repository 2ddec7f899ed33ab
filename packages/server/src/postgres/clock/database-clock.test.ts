/** The clock of a node, with a machine and a database whose clocks the test moves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openDatabaseClock } from './database-clock.ts'

const start = Date.parse('2026-01-02T03:04:05.678Z')

const openPair = async (machineAhead_ms = 0) => {
  const world = {
    /** Real time that has passed. */
    passed_ms: 1_000,
    machineAhead_ms,
    databaseAhead_ms: 0,
    /** For how long the ticks stood still. */
    suspended_ms: 0,
    roundTrip_ms: 2,
    away: false,
    asked: 0,
    changes: [] as string[],
    measured: 0,
  }
  const clock = await openDatabaseClock({
    ask: async () => {
      world.asked++
      if (world.away) throw new Error('the database is away')
      world.passed_ms += world.roundTrip_ms / 2
      const answer = start + world.passed_ms + world.databaseAhead_ms
      world.passed_ms += world.roundTrip_ms / 2
      return answer
    },
    machine: {
      wall: () => start + world.passed_ms + world.machineAhead_ms,
      ticks: () => world.passed_ms - world.suspended_ms,
    },
    // The tests measure by asking to work.
    every_ms: 86_400_000,
    onChange: ({ agreement }, sentence) => void world.changes.push(`${agreement}: ${sentence}`),
    onMeasured: () => void world.measured++,
  })
  /** The last samples are old: the next work asks. */
  const pass = (time_ms = 3_001): void => {
    world.passed_ms += time_ms
  }
  return { world, clock, pass, now: () => start + world.passed_ms + world.databaseAhead_ms }
}

test('a node has the time of the database, whatever its own clock says', async () => {
  for (const ahead_ms of [0, 1_500, -8_000, 7_200_000]) {
    const { clock, now, pass } = await openPair(ahead_ms)
    assert.equal(clock.now(), now())
    pass(10 * 60_000)
    assert.equal(clock.now(), now())
    assert.equal(clock.state().offset_ms, ahead_ms)
    await clock.stop()
  }
})

test('a node that starts with a wrong clock does not work, and says why once', async () => {
  const { clock, world } = await openPair(7_200_000)
  assert.equal(clock.mayWork(), false)
  assert.equal(clock.mayWork(), false)
  assert.match(clock.refusal()!, /^The clock of this machine is 2 h ahead of the database's: here it is 2026-01-02 05:/)
  assert.equal(world.changes.length, 1)
  assert.match(world.changes[0]!, /^refused: The clock/)
  await clock.stop()
})

test('a clock that is a little wrong is reported, and the node works', async () => {
  const { clock, world } = await openPair(-5_000)
  assert.equal(clock.mayWork(), true)
  assert.equal(clock.refusal(), undefined)
  assert.equal(clock.state().agreement, 'differs')
  assert.match(world.changes.join(), /^differs: .* 5\.0 s behind/)
  await clock.stop()
})

test('a jump of the time of day is seen at once, and the database is asked before anything works', async () => {
  const { clock, world, now } = await openPair()
  assert.equal(clock.mayWork(), true)
  const asked = world.asked
  world.machineAhead_ms = 7_200_000
  // Even without an answer: the ticks did not jump.
  assert.equal(clock.state().agreement, 'refused')
  assert.equal(clock.now(), now())
  const may = clock.mayWork()
  assert.notEqual(typeof may, 'boolean')
  assert.equal(await may, false)
  assert.equal(world.asked, asked + 1)
  // Known now: nobody asks again for each request.
  assert.equal(clock.mayWork(), false)
  assert.equal(world.asked, asked + 1)
  assert.equal(world.changes.length, 1)

  world.machineAhead_ms = 100
  assert.equal(await clock.mayWork(), true)
  assert.equal(clock.refusal(), undefined)
  assert.equal(world.changes.length, 2)
  assert.match(world.changes[1]!, /^agrees/)
  await clock.stop()
})

test('many who ask at once share one question', async () => {
  const { clock, world, pass } = await openPair()
  const asked = world.asked
  pass()
  assert.deepEqual(await Promise.all([clock.mayWork(), clock.mayWork(), clock.mayWork()]), [true, true, true])
  assert.equal(world.asked, asked + 1)
  await clock.stop()
})

test('a machine that was suspended works again after one answer, with the right time', async () => {
  const { clock, world, now } = await openPair()
  world.passed_ms += 8 * 3_600_000
  world.suspended_ms = 8 * 3_600_000
  assert.equal(clock.state().agreement, 'refused')
  assert.equal(await clock.mayWork(), true)
  assert.equal(clock.now(), now())
  // Nothing was wrong after the answer: nothing is logged.
  assert.deepEqual(world.changes, [])
  await clock.stop()
})

test('a database whose clock jumped (a failover) stops the node until both agree', async () => {
  const { clock, world, pass, now } = await openPair()
  world.databaseAhead_ms = -600_000
  pass()
  assert.equal(await clock.mayWork(), false)
  assert.match(clock.refusal()!, /10 min ahead of the database's: here it is .*, there /)
  world.databaseAhead_ms = 0
  pass()
  assert.equal(await clock.mayWork(), true)
  assert.equal(clock.now(), now())
  assert.equal(world.changes.length, 2)
  await clock.stop()
})

test('while the database does not answer, the last known difference stands', async () => {
  const right = await openPair()
  right.world.away = true
  right.pass(3_600_000)
  assert.equal(await right.clock.mayWork(), true)
  assert.equal(right.clock.now(), right.now())
  await right.clock.stop()

  const wrong = await openPair(60_000)
  wrong.world.away = true
  wrong.pass(3_600_000)
  assert.equal(await wrong.clock.mayWork(), false)
  await wrong.clock.stop()
})

test('ticks that jump are noticed by the age of the last answer', async () => {
  for (const jump_ms of [7_200_000, -500]) {
    const { clock, world, now } = await openPair()
    // Both clocks of the machine jump together; the database does not.
    world.passed_ms += jump_ms
    world.databaseAhead_ms -= jump_ms
    assert.equal(await clock.mayWork(), Math.abs(jump_ms) < 10_000)
    assert.equal(clock.now(), now())
    await clock.stop()
  }
})

test('a correction of some milliseconds never turns the time back', async () => {
  const { clock, world, pass } = await openPair()
  pass()
  const before = clock.now()
  // The database's clock is set back by 40 ms; the round trips are short, so the new answers contradict the old ones.
  world.databaseAhead_ms = -3_041
  await clock.mayWork()
  assert.ok(clock.now() < before, 'more than a second is a jump, and followed')
  const stood = clock.now()
  world.databaseAhead_ms -= 40
  world.passed_ms += 3_001
  const moved = clock.now()
  await clock.mayWork()
  assert.ok(clock.now() >= moved && moved > stood)
  await clock.stop()
})

test('the database is asked again and again, without anybody asking to work', async () => {
  let asked = 0
  const clock = await openDatabaseClock({
    ask: async () => {
      asked++
      return performance.timeOrigin + performance.now()
    },
    every_ms: 1,
    onChange: () => {},
  })
  while (asked < 8) await nextTurn()
  assert.ok(Math.abs(clock.state().offset_ms) < 2_000)
  await clock.stop()
  const stopped = asked
  await new Promise((done) => setTimeout(done, 20))
  assert.equal(asked, stopped)
})

test('a database that does not answer at the start fails the start', async () => {
  await assert.rejects(
    openDatabaseClock({ ask: () => Promise.reject(new Error('the database is away')), onChange: () => {} }),
    /away/,
  )
})
