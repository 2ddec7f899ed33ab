/**
 * One number for one thing: an endpoint, its tabs, the list of endpoints, the page of an intent, the operator's health
 * and the metrics count the same deliveries, whether they wait, fail, are exhausted, or belong to an endpoint that is
 * switched off.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endDisabledDeliveries } from '../../src/webhooks/sending/delivery-sql.ts'
import { createMembers } from '../support/users.ts'
import { senderStory } from './sender-story.ts'

const { service, clock, answers, newEndpoint, pay, startSender, until, sql, iso } = await senderStory()
const { owner, operator } = await createMembers(service)

type Delivery = {
  id: string
  state: string
  attempts: number
  intent: string | null
  next_attempt_at: string | null
}
type Endpoint = { id: string; health: { waiting: { count: number; failed: number } }; last_day: { failed: number } }

const read = async (path: string) => {
  const answer = await owner.ask('GET', path)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const tab = async (id: string, state: string): Promise<Delivery[]> =>
  (await read(`/webhooks/${id}/deliveries/?state=${state}&page_size=100`)).results

const sendDue = async (retry_waits_s?: readonly number[]): Promise<void> => {
  const sender = startSender(retry_waits_s === undefined ? {} : { retry_waits_s })
  await until('all that is due was sent', async () => {
    const due = `select from deliveries d join webhook_endpoints w on w.id = d.endpoint_id
                  where w.enabled and (d.due_at <= $1 or d.lease_id is not null)`
    return (await sql(due, [iso(clock.now())])).length === 0
  })
  await sender.stop()
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** Compares every count that a screen shows, and returns how many deliveries of each endpoint are in each state. */
const compareCounts = async (intents: readonly string[]): Promise<Record<string, Record<string, number>>> => {
  const listed: Endpoint[] = (await read('/webhooks/')).results
  const states: Record<string, Record<string, number>> = {}
  const everything: (Delivery & { endpoint: string })[] = []
  for (const endpoint of listed) {
    const shown: Endpoint = await read(`/webhooks/${endpoint.id}/`)
    assert.deepEqual(shown, endpoint)
    const [all, waiting, delivered, failed] = await Promise.all(
      ['all', 'waiting', 'delivered', 'failed'].map((state) => tab(endpoint.id, state)),
    )
    const isFinished = ({ state }: Delivery) => ['delivered', 'exhausted', 'disabled'].includes(state)
    const hasFailed = ({ state }: Delivery) => ['retrying', 'exhausted', 'disabled'].includes(state)
    assert.deepEqual(
      waiting,
      all!.filter((delivery) => !isFinished(delivery)),
    )
    assert.deepEqual(
      delivered,
      all!.filter(({ state }) => state === 'delivered'),
    )
    assert.deepEqual(failed, all!.filter(hasFailed))
    const { count, failed: failedSoFar } = shown.health.waiting
    assert.deepEqual([count, failedSoFar], [waiting!.length, waiting!.filter(hasFailed).length])
    everything.push(...all!.map((delivery) => ({ ...delivery, endpoint: endpoint.id })))
    const counts: Record<string, number> = {}
    states[endpoint.id] = counts
    for (const { state } of all!) counts[state] = (counts[state] ?? 0) + 1
  }

  const health = (await operator.ask('GET', '/operator/health/')).body
  assert.equal(health.waiting_deliveries, sum(listed.map((one) => one.health.waiting.count)))
  assert.equal(health.failed_deliveries, sum(listed.map((one) => one.health.waiting.failed)))

  for (const intent of intents) {
    const { told } = await read(`/intents/${intent}/`)
    const line = (one: { state: string; attempts: number; next_attempt_at: string | null }, id: string, at: string) =>
      [id, at, one.state, one.attempts, one.next_attempt_at].join(' ')
    assert.deepEqual(
      told
        .map((one: Delivery & { delivery: string; endpoint: string }) => line(one, one.delivery, one.endpoint))
        .sort(),
      everything
        .filter((one) => one.intent === intent)
        .map((one) => line(one, one.id, one.endpoint))
        .sort(),
    )
  }
  return states
}

test('every screen counts the same deliveries', async () => {
  const answerWith = (path: string, status: number) =>
    answers.set(path, (response) => void response.writeHead(status).end())
  answerWith('/exhausted', 500)
  answerWith('/fails', 500)
  answerWith('/gone', 410)
  const exhausted = await newEndpoint('/exhausted')
  const intents = [(await pay()).id]
  await sendDue([0])
  assert.deepEqual(await compareCounts(intents), { [exhausted.id]: { exhausted: 1 } })

  const [well, fails, gone, off] = [
    await newEndpoint('/well'),
    await newEndpoint('/fails'),
    await newEndpoint('/gone'),
    await newEndpoint('/off'),
  ]
  clock.advance(1_000)
  intents.push((await pay()).id, (await pay()).id)
  await sendDue()
  // No sender runs now: further deliveries wait, also those of an endpoint that is switched off afterwards.
  clock.advance(1_000)
  intents.push((await pay()).id)
  await owner.ask('PATCH', `/webhooks/${off.id}/`, { body: { enabled: false } })
  const waiting = await compareCounts(intents)
  assert.deepEqual(waiting[well.id], { delivered: 2, waiting: 1 })
  assert.deepEqual(waiting[fails.id], { retrying: 2, waiting: 1 })
  assert.deepEqual(waiting[exhausted.id], { exhausted: 1, retrying: 2, waiting: 1 })

  await endDisabledDeliveries(service.db, clock.now(), 500)
  const ended = await compareCounts(intents)
  assert.deepEqual(ended[off.id], { delivered: 2, disabled: 1 })
  assert.equal(ended[gone.id]!.waiting, undefined)
  const figures = await service.figures()
  assert.match(figures, /^sanad_webhook_waiting 3$/m)

  // Sent at last, or given up: nothing waits anywhere.
  for (const path of ['/fails', '/exhausted']) answers.delete(path)
  clock.advance(60_000)
  await sendDue()
  const finished = await compareCounts(intents)
  assert.deepEqual(finished[fails.id], { delivered: 3 })
  assert.deepEqual(finished[exhausted.id], { exhausted: 1, delivered: 3 })
  assert.equal((await operator.ask('GET', '/operator/health/')).body.waiting_deliveries, 0)
})
