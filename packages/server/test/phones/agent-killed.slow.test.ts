/**
 * The agent is killed (SIGKILL) at random points, many times, while messages arrive and the network fails and returns. At
 * the end every message of the inbox is stored once, in order.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom } from '@sanad/agent/scenario'
import { runs } from '../support/runs.ts'
import { bodies, openAgentStory } from './agent-story.ts'

const story = await openAgentStory()
const { network, newPhone, rowsOf } = story

test('an agent that is killed at random points loses no message, stores none twice, and keeps the order', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const random = seededRandom(seed)
  const below = (n: number) => Math.floor(random() * n)
  const phone = await newPhone()
  await phone.setup()
  const sent = phone.pay(1)
  await phone.run('once')
  for (let kill = 0; kill < runs(150, 12); kill++) {
    sent.push(...phone.pay(below(40)))
    network.state = (['up', 'up', 'up', 'loses answers', 'down'] as const)[below(5)]!
    const agent = phone.start(...(below(2) === 0 ? ['once'] : ['run', '--every', '1']))
    // A round takes about half a second, of which half is the start of Node.
    await delay(60 + below(700))
    if (below(3) === 0) sent.push(...phone.pay(below(5)))
    await delay(below(150))
    agent.child.kill('SIGKILL')
    await agent.ended
  }
  network.state = 'up'
  assert.match((await phone.run('once')).out, /Unsent messages: 0/)
  const rows = await rowsOf(phone)
  assert.deepEqual(
    rows.map((row) => row.raw_text),
    bodies(sent),
    `seed ${seed}`,
  )
  assert.equal(new Set(rows.map((row) => row.client_id)).size, sent.length)
})
