/**
 * Requests at a rate that does not wait for the answers, as many callers make them together. A request's time begins when it was due,
 * not when it could be sent. Argument: a file with the plan (harness/paced.ts). Prints the results as JSON. A program of its own: the
 * bench's other work does not disturb its clock.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { Plan, Stream, StreamResult } from '../harness/paced.ts'
import { randomOf } from '../harness/random.ts'
import { percentile } from '../harness/rounds.ts'

const plan = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Plan
/** More requests than this wait for an answer only if the service answers none: they are not sent. */
const mostOpen = 10_000
const unique = `p${process.pid.toString(36)}`
let made = 0

const began = performance.now() + 100
const measuredFrom = began + plan.warmUp_s * 1000
const ends = measuredFrom + plan.seconds * 1000

/** The pauses between requests, in parts of the mean one. Random: exponential, as of many independent callers. */
const pausesOf = ({ seed }: Stream): (() => number) => {
  if (seed === undefined) return () => 1
  const random = randomOf(seed)
  return () => -Math.log(1 - random())
}

const run = async (stream: Stream): Promise<StreamResult> => {
  const { name, perSecond, connections, requests } = stream
  const dispatcher = new Agent({ connections, pipelining: 1, allowH2: false, headersTimeout: 30_000 })
  const accepted: number[] = []
  const refused: number[] = []
  const statuses: Record<string, number> = {}
  let [open, unsent, next, withoutRetryAfter] = [0, 0, 0, 0]
  const send = async (due: number): Promise<void> => {
    const { method, path, headers, body } = requests[next++ % requests.length]!
    const number = `${unique}-${++made}`
    const fill = (text: string): string => text.replaceAll('{n}', number)
    open++
    let status: number | 'broken' = 'broken'
    let hasRetryAfter = false
    try {
      const answer = await request(`${plan.origin}${path}`, {
        method,
        dispatcher,
        headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, fill(value)])),
        ...(body === undefined ? {} : { body: fill(body) }),
      })
      await answer.body.dump()
      status = answer.statusCode
      hasRetryAfter = answer.headers['retry-after'] !== undefined
    } catch {
      // Counted as broken.
    }
    open--
    if (due < measuredFrom || due > ends) return
    statuses[status] = (statuses[status] ?? 0) + 1
    if (typeof status === 'number' && status < 400) accepted.push(performance.now() - due)
    else refused.push(performance.now() - due)
    if (status === 503 && !hasRetryAfter) withoutRetryAfter++
  }
  const sending: Promise<void>[] = []
  if (perSecond === null) {
    // As many as the connections carry.
    const carry = async (): Promise<void> => {
      for (let now = performance.now(); now < ends; now = performance.now()) await send(now)
    }
    await Promise.all(Array.from({ length: connections }, carry))
  } else {
    const pause = pausesOf(stream)
    for (let due = began; due < ends; due += (1000 / perSecond) * pause()) {
      const wait_ms = due - performance.now()
      if (wait_ms > 1) await delay(wait_ms)
      if (open < mostOpen) sending.push(send(due))
      else unsent++
    }
    await Promise.all(sending)
  }
  await dispatcher.close()
  return {
    name,
    answered: accepted.length + refused.length,
    accepted: accepted.length,
    accepted_p50_ms: percentile(accepted, 0.5),
    accepted_p99_ms: percentile(accepted, 0.99),
    refused_p99_ms: refused.length === 0 ? 0 : percentile(refused, 0.99),
    statuses,
    unsent,
    withoutRetryAfter,
  }
}

process.stdout.write(JSON.stringify(await Promise.all(plan.streams.map(run))))
