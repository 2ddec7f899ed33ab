/**
 * Calls the service as a merchant's program does, with a client id and a secret: it gets a token, gets another one when that has
 * ended, and waits when the service says so. For commands that a developer runs on any machine: they need no database.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { CommandError } from '../../command-error.ts'
import type { CommandLine } from '../command-line.ts'

export type ServiceOptions = { readonly url?: string; readonly clientId?: string; readonly clientSecret?: string }

/** The settings are those of the SDK. */
export const addServiceOptions = (command: Command): Command =>
  command
    .addOption(new Option('--url <url>', 'the service; left out, the one on this machine').env('SANAD_URL'))
    .addOption(new Option('--client-id <id>', 'the API key').env('SANAD_CLIENT_ID'))
    .addOption(new Option('--client-secret <secret>', 'its secret').env('SANAD_CLIENT_SECRET'))

/** The service cannot be reached, or cannot answer now: worth trying again. */
export class Unreachable extends Error {}

export type ServiceClient = {
  readonly origin: string
  ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown>
}

const within_ms = 30_000
const longestWait_s = 60

/** With everything that it needs, or a sentence that says what is missing. */
export const serviceClient = async (options: ServiceOptions, line: CommandLine): Promise<ServiceClient> => {
  const { clientId, clientSecret } = options
  if (!clientId || !clientSecret)
    throw new CommandError(
      'An API key is needed: give --client-id and --client-secret, or set SANAD_CLIENT_ID and SANAD_CLIENT_SECRET.',
    )
  const url = options.url ?? (await line.reachedAt())
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError(`${url} is no address of a service. Example: --url https://pay.example.com`)
  const origin = new URL(url).origin
  let token: string | undefined

  const send = async (path: string, init: RequestInit): Promise<{ status: number; retry_s: number; body: unknown }> => {
    try {
      const answer = await fetch(`${origin}${path}`, {
        ...init,
        signal: AbortSignal.timeout(within_ms),
        redirect: 'manual',
      })
      const text = await answer.text()
      if (answer.status >= 500) throw new Unreachable(`The service answered ${answer.status}.`)
      return { status: answer.status, retry_s: Number(answer.headers.get('retry-after') ?? 1), body: jsonIn(text) }
    } catch (fault) {
      if (fault instanceof Unreachable) throw fault
      const { cause, message } = fault as Error & { cause?: Error & { code?: string } }
      throw new Unreachable(`${origin} cannot be reached: ${cause?.code ?? cause?.message ?? message}`, {
        cause: fault,
      })
    }
  }

  const buyToken = async (): Promise<string> => {
    const headers = { 'service-client-id': clientId, 'service-client-secret': clientSecret }
    const { status, body, retry_s } = await send('/api/v1/merchant/token', { method: 'POST', headers })
    if (status === 429) {
      await delay(Math.min(retry_s, longestWait_s) * 1000)
      return buyToken()
    }
    const bought = (body as { access_token?: unknown } | undefined)?.access_token
    if (status !== 200 || typeof bought !== 'string')
      throw new CommandError(
        `The service at ${origin} does not accept this client id and secret (${status}). Check SANAD_CLIENT_ID and SANAD_CLIENT_SECRET, or create a key in the dashboard under API keys.`,
      )
    return bought
  }

  const ask: ServiceClient['ask'] = async (method, path, body) => {
    for (let tries = 1; ; tries++) {
      token ??= await buyToken()
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const answer = await send(`/api/v1/developer${path}`, init)
      if (answer.status === 401 && tries < 3) token = undefined
      else if (answer.status === 429 && tries < 5) await delay(Math.min(answer.retry_s, longestWait_s) * 1000)
      else if (answer.status === 404)
        throw new CommandError(`The service at ${origin} has no API for developers: it is of an earlier version.`)
      else if (answer.status >= 300) throw new CommandError(refusalText(answer.status, answer.body))
      else return answer.body
    }
  }
  return { origin, ask }
}

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const refusalText = (status: number, body: unknown): string => {
  const details = (body as { errors?: readonly { detail?: string }[] } | undefined)?.errors?.map(({ detail }) => detail)
  return `The service refused it (${status}): ${details?.join(' ') ?? 'no reason was given.'}`
}
