/**
 * The only way out of the agent: one POST, tried again as a phone does while there is no network or the service cannot
 * take it now. Each try is made anew, because a signature carries the time of its try. What the service answers for good,
 * a refusal too, is given back; what to make of it is left to the caller.
 */
import { setTimeout as delay } from 'node:timers/promises'

export type PostRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type PostAnswer = { readonly status: number; readonly text: string }

export type Patience = {
  /** How often at most, the first time included. */
  readonly tries: number
  readonly timeout_ms: number
  /** How long to wait before the next try, where the service does not say. */
  readonly backoff_ms: (tried: number) => number
  readonly wait: (ms: number) => Promise<unknown>
}

/** Half a second, then twice as long each time. */
export const patient: Patience = {
  tries: 5,
  timeout_ms: 30_000,
  backoff_ms: (tried) => 500 * 2 ** (tried - 1),
  wait: (ms) => delay(ms),
}

/** The phone cannot go on: a sentence for whoever holds it. */
export class PhoneFault extends Error {}

export class Unreachable extends PhoneFault {}

export const post = async (make: () => PostRequest, patience: Patience = patient): Promise<PostAnswer> => {
  for (let tried = 1; ; tried++) {
    const request = make()
    const last = tried >= patience.tries
    try {
      const answer = await fetch(request.url, {
        method: 'POST',
        headers: request.headers,
        body: request.body,
        redirect: 'manual',
        signal: AbortSignal.timeout(patience.timeout_ms),
      })
      const text = await answer.text()
      if (last || (answer.status !== 429 && answer.status < 500)) return { status: answer.status, text }
      await patience.wait(askedFor_ms(answer.headers.get('retry-after')) ?? patience.backoff_ms(tried))
    } catch (cause) {
      if (last) throw new Unreachable(`Nothing answers at ${new URL(request.url).origin}.`, { cause })
      await patience.wait(patience.backoff_ms(tried))
    }
  }
}

const askedFor_ms = (retryAfter: string | null): number | undefined =>
  retryAfter !== null && /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined

/** What the service said when it refused, in one sentence. */
export const refusalIn = ({ status, text }: PostAnswer): PhoneFault => {
  let detail = text.slice(0, 200)
  try {
    const [error] = (JSON.parse(text) as { errors: { detail: string; attr: string | null }[] }).errors
    if (error !== undefined) detail = error.attr === null ? error.detail : `${error.attr}: ${error.detail}`
  } catch {
    // Not in our envelope: something else answers there.
  }
  return new PhoneFault(`The service answered ${status}: ${detail}`)
}
