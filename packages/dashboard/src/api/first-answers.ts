/**
 * The answers that came with the page: who is signed in, what the first screen asks, and where the live stream goes on from.
 * Each is taken once, and none after the first moments: what is asked later is asked of the server.
 */
type Brought = {
  readonly session?: unknown
  readonly live?: string
  readonly answers?: Readonly<Record<string, unknown>>
}

const lasts_ms = 5000

const read = (): Brought => {
  const place = document.getElementById('first-answers') as HTMLTemplateElement | null
  try {
    return JSON.parse(place?.content.textContent ?? '') as Brought
  } catch {
    // Nothing was brought: everything is asked.
    return {}
  }
}

const { session, live, answers = {} } = read()
const waiting = new Map<string, unknown>(Object.entries(answers))
if (session !== undefined) waiting.set('/api/v1/dashboard/session/', session)
const until = performance.now() + lasts_ms

/** Undefined: it must be asked. Null, of the session: nobody is signed in. */
export const peekFirst = (address: string): unknown => (performance.now() < until ? waiting.get(address) : undefined)

export const takeFirst = (address: string): unknown => {
  const answer = peekFirst(address)
  waiting.delete(address)
  return answer
}

let place = live
/** Of the account that the page was made for, and of no other. */
export const takePlace = (): string | undefined => {
  const taken = place
  place = undefined
  return taken
}

/** Whoever signs in, switches or changes something gets other answers. */
export const forgetFirst = (): void => waiting.clear()
