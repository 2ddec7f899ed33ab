/** The driver of the TypeScript SDK: see driver.ts. */
import { createInterface } from 'node:readline'
import { Sanad, SanadConnectionError, SanadError, verifyWebhook, WebhookError } from '@sanad/sdk'
import type { Command, Done } from '../driver.ts'

// The names come from the test: without types.
// biome-ignore lint/suspicious/noExplicitAny: as above
type Any = any

let sanad: Sanad
let waits: number[] = []

const resources = ['wallets', 'intents', 'checkout', 'checkouts', 'links'] as const

const storeAt = (origin: string) => ({
  get: async (id: string): Promise<Any> => (await fetch(`${origin}/${encodeURIComponent(id)}`)).json(),
  set: async (id: string, record: unknown): Promise<Any> =>
    (await fetch(`${origin}/${encodeURIComponent(id)}`, { method: 'POST', body: JSON.stringify(record) })).json(),
})

const everyOf = async (found: Any): Promise<unknown> => {
  if (typeof found?.[Symbol.asyncIterator] !== 'function') return found
  const all: unknown[] = []
  for await (const one of found) all.push(one)
  return all
}

const run = async (command: Command): Promise<unknown> => {
  if ('open' in command) {
    const { url, clientId, clientSecret, timeout = 30, maxRetries = 3 } = command.open
    const sleep = async (ms: number): Promise<void> => void waits.push(ms / 1000)
    sanad = new Sanad({ baseUrl: url, clientId, clientSecret, timeout: timeout * 1000, maxRetries, sleep })
    return null
  }
  if ('start' in command) return sanad.checkout.start({ ...command.start, store: storeAt(command.store) })
  if ('verify' in command) {
    const { body, as, header, secret, now, tolerance } = command.verify
    const bytes = new Uint8Array(Buffer.from(body, 'base64'))
    const toleranceS = tolerance === 'inf' ? Number.POSITIVE_INFINITY : tolerance === 'nan' ? Number.NaN : tolerance
    const options = { now: now * 1000, ...(toleranceS === undefined ? {} : { toleranceS }) }
    const text = new TextDecoder().decode(bytes)
    const given = as === 'text' ? text : as === 'parsed' ? JSON.parse(text) : bytes
    return (verifyWebhook as Any)(given, header, secret, options)
  }
  if ('methods' in command)
    return resources.flatMap((name) => Object.keys(sanad[name]).map((method) => `${name}.${method}`))
  const [resource, method] = command.call.split('.') as [string, string]
  const options = command.key === undefined ? [] : [{ idempotencyKey: command.key }]
  return everyOf(await (sanad as Any)[resource][method](...(command.args ?? []), ...options))
}

const faultOf = (fault: unknown): Partial<Done> => {
  const sentence = String(fault)
  if (fault instanceof SanadError)
    return { fault: `error ${fault.status} ${fault.code}`, retryAfter: fault.retryAfter, sentence }
  if (fault instanceof SanadConnectionError)
    return { fault: `connection ${fault.reason}${fault.status === null ? '' : ` ${fault.status}`}`, sentence }
  if (fault instanceof WebhookError) return { fault: `webhook ${fault.code}`, sentence }
  if (fault instanceof TypeError || fault instanceof RangeError) return { fault: 'argument', sentence }
  throw fault
}

for await (const line of createInterface({ input: process.stdin })) {
  waits = []
  const answer = await run(JSON.parse(line)).then((value) => ({ value }), faultOf)
  console.log(JSON.stringify({ ...answer, waits }))
}
