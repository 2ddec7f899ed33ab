/**
 * Answers that the server put into the page: the session, the first queries of the screen, and the position from which the
 * live stream continues. Each is used once, and only in the first seconds; after that, queries are fetched.
 */
type Preloaded = {
  readonly session?: unknown
  readonly live?: string
  readonly answers?: Readonly<Record<string, unknown>>
}

const valid_ms = 5000

const read = (): Preloaded => {
  const template = document.getElementById('first-answers') as HTMLTemplateElement | null
  try {
    return JSON.parse(template?.content.textContent ?? '') as Preloaded
  } catch {
    // A page without answers: everything is fetched.
    return {}
  }
}

const { session, live, answers = {} } = read()
const byPath = new Map<string, unknown>(Object.entries(answers))
if (session !== undefined) byPath.set('/api/v1/dashboard/session/', session)
const validUntil = performance.now() + valid_ms

/** Undefined: the answer must be fetched. Null, for the session: nobody is signed in. */
export const peekPreloaded = (path: string): unknown => (performance.now() < validUntil ? byPath.get(path) : undefined)

export const takePreloaded = (path: string): unknown => {
  const answer = peekPreloaded(path)
  byPath.delete(path)
  return answer
}

let streamPosition = live
/** Valid only for the account that the page was made for. */
export const takeStreamPosition = (): string | undefined => {
  const position = streamPosition
  streamPosition = undefined
  return position
}

/** After a sign-in, a switch of accounts or a change the answers are out of date. */
export const clearPreloaded = (): void => byPath.clear()
