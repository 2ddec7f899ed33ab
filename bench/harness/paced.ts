/** Starts the program that sends requests at a rate (measures/paced-client.ts). */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { output } from './processes.ts'

export type PlannedRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  /** In headers and body `{n}` is replaced by a text that no other request has. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export type Stream = {
  readonly name: string
  /** Null: as many as the connections carry, one after the other. */
  readonly perSecond: number | null
  readonly connections: number
  /** Requests of callers who know nothing of each other: the pauses between them are random, from this seed. Left out: even. */
  readonly seed?: number
  /** Sent in turn, again from the first one after the last. */
  readonly requests: readonly PlannedRequest[]
}

export type Plan = {
  readonly origin: string
  readonly warmUp_s: number
  readonly seconds: number
  readonly streams: readonly Stream[]
}

export type StreamResult = {
  readonly name: string
  readonly answered: number
  /** With a status below 400. */
  readonly accepted: number
  readonly accepted_p50_ms: number
  readonly accepted_p99_ms: number
  readonly refused_p99_ms: number
  readonly statuses: Readonly<Record<string, number>>
  readonly unsent: number
  /** Answers 503 that do not say when to ask again. */
  readonly withoutRetryAfter: number
}

const program = join(import.meta.dirname, '../measures/paced-client.ts')
let plans = 0

export const runPaced = async (folder: string, plan: Plan): Promise<readonly StreamResult[]> => {
  const file = join(folder, `plan-${++plans}.json`)
  writeFileSync(file, JSON.stringify(plan))
  return JSON.parse(await output(process.execPath, [program, file])) as StreamResult[]
}
