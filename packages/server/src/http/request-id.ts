/**
 * The id of a request, in its answer and in every line of the log about it: the caller's `X-Request-Id`, if it is short and plain, else
 * one of our own. A value that looks like a secret is not taken: it would be logged.
 */
import { withoutSecrets } from '../calls/api-call.ts'

const plain = /^[A-Za-z0-9][A-Za-z0-9._:/=+-]{0,63}$/

let requestCount = 0
const processPrefix = Math.random().toString(36).slice(2, 8)
const nextRequestId = (): string => {
  requestCount = (requestCount + 1) % Number.MAX_SAFE_INTEGER
  return `${processPrefix}-${requestCount.toString(36)}`
}

export const requestIdFor = (sent: string | readonly string[] | undefined): string =>
  typeof sent === 'string' && plain.test(sent) && withoutSecrets(sent) === sent ? sent : nextRequestId()
