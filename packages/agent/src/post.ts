/**
 * The agent's calls: a POST that is retried, as a phone does, while there is no network or the service
 * is not available. Each attempt is built anew, because the signature contains its time. Final answers, refusals too,
 * are returned to the caller.
 */
import { setTimeout as delay } from 'node:timers/promises'

export type PostRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type PostAnswer = {
  readonly status: number
  readonly text: string
  /** After how long the service asks for the next attempt; undefined: it does not say. */
  readonly retryAfter_ms?: number | undefined
}

export type Patience = {
  /** The most attempts, the first included. */
  readonly tries: number
  readonly timeout_ms: number
  /** The delay before the next attempt, where the service does not say. */
  readonly backoff_ms: (attempt: number) => number
  readonly wait: (ms: number) => Promise<unknown>
}

/** Half a second, then twice as long each time. */
export const patient: Patience = {
  tries: 5,
  timeout_ms: 30_000,
  backoff_ms: (attempt) => 500 * 2 ** (attempt - 1),
  wait: (ms) => delay(ms),
}

/** An error that ends the run: a sentence for the user. */
export class PhoneFault extends Error {}

export class Unreachable extends PhoneFault {}

/** The service has answered, and not with 200. */
export class Refused extends PhoneFault {
  readonly status: number
  /** The code of the first error; empty: the answer is not in the service's format, so another server may have sent it. */
  readonly code: string
  readonly retryAfter_ms: number | undefined

  constructor(message: string, { status, retryAfter_ms }: PostAnswer, code: string) {
    super(message)
    this.status = status
    this.code = code
    this.retryAfter_ms = retryAfter_ms
  }
}

export const post = async (buildRequest: () => PostRequest, patience: Patience = patient): Promise<PostAnswer> => {
  for (let attempt = 1; ; attempt++) {
    const request = buildRequest()
    const last = attempt >= patience.tries
    try {
      const answer = await fetch(request.url, {
        method: 'POST',
        headers: request.headers,
        body: request.body,
        redirect: 'manual',
        signal: AbortSignal.timeout(patience.timeout_ms),
      })
      const text = await answer.text()
      const retryAfter_ms = retryAfterOf_ms(answer.headers.get('retry-after'))
      if (last || (answer.status !== 429 && answer.status < 500)) return { status: answer.status, text, retryAfter_ms }
      await patience.wait(retryAfter_ms ?? patience.backoff_ms(attempt))
    } catch (cause) {
      if (last) throw new Unreachable(`Nothing answers at ${new URL(request.url).origin}.`, { cause })
      await patience.wait(patience.backoff_ms(attempt))
    }
  }
}

const retryAfterOf_ms = (retryAfter: string | null): number | undefined =>
  retryAfter !== null && /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined

/** The service's refusal in one sentence. */
export const refusalIn = (answer: PostAnswer): Refused => {
  const { status, text } = answer
  let detail = text.slice(0, 200)
  let code = ''
  try {
    const [error] = (JSON.parse(text) as { errors: { code: string; detail: string; attr: string | null }[] }).errors
    if (error !== undefined) {
      detail = error.attr === null ? error.detail : `${error.attr}: ${error.detail}`
      code = String(error.code)
    }
  } catch {
    // Not our error format: another server answered.
  }
  return new Refused(`The service answered ${status}: ${detail}`, answer, code)
}
