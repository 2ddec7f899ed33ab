/**
 * Whether the service can be reached. Every call reports how it ended; an idle page checks the service after a minute.
 * While the service cannot be reached it is checked again after 1, 2, 4 ... at most 30 seconds, and at once when the browser
 * comes online or the page becomes visible; while the page is hidden no check is planned. When the service answers again, the
 * functions that were passed to `onReconnect` are called, to fetch what is missing. The browser's own `navigator.onLine` is
 * only a hint: it is true on a network without internet.
 */
import { useSyncExternalStore } from 'react'
import { currentTime } from '../parts/format/clock.ts'

export type Connection =
  | { readonly kind: 'up' }
  /** `tries`: how many checks have failed. `lastAnswerAt`: when the service last answered, by this browser's clock. */
  | { readonly kind: 'down'; readonly tries: number; readonly lastAnswerAt: number }

export type ConnectionEvent =
  | { readonly kind: 'answered' }
  | { readonly kind: 'unreachable'; readonly lastAnswerAt: number }
  /** A check failed while the service was known to be down. */
  | { readonly kind: 'check_failed' }

const up: Connection = { kind: 'up' }

export const step = (state: Connection, event: ConnectionEvent): Connection => {
  if (event.kind === 'answered') return up
  if (event.kind === 'check_failed') return state.kind === 'down' ? { ...state, tries: state.tries + 1 } : state
  return state.kind === 'down' ? state : { kind: 'down', tries: 0, lastAnswerAt: event.lastAnswerAt }
}

const longestPause_ms = 30_000

export const pauseBefore = (tries: number): number => Math.min(longestPause_ms, 1_000 * 2 ** Math.min(tries, 10))

/**
 * No answer (0), the answer of a proxy that cannot reach the server, or of a server that is starting, stopping or without its
 * database.
 */
export const isUnavailable = (status: number): boolean => status === 0 || (status >= 502 && status <= 504)

/** Returns whether the service answers; set by call.ts, which makes all requests. */
let serviceAnswers: () => Promise<boolean> = async () => false
export const setServiceCheck = (check: () => Promise<boolean>): void => {
  serviceAnswers = check
}
/** After this time without any answer an open page checks the service. */
const idleFor_ms = 60_000

let state: Connection = up
let lastAnswerAt = currentTime()
/** The same instant by the clock of the page, which cannot be set back. */
let lastAnswer_ms = performance.now()
let timer: ReturnType<typeof setTimeout> | undefined
let runningCheck: Promise<boolean> | undefined
const watchers = new Set<() => void>()
const reconnectHandlers = new Set<() => void>()

const move = (event: ConnectionEvent): void => {
  const previous = state
  state = step(previous, event)
  if (state === previous) return
  for (const notify of watchers) notify()
  if (previous.kind === 'down' && state.kind === 'up') for (const act of reconnectHandlers) act()
}

export const reportAnswered = (): void => {
  lastAnswerAt = currentTime()
  lastAnswer_ms = performance.now()
  clearTimeout(timer)
  timer = undefined
  move({ kind: 'answered' })
}

export const reportUnreachable = (): void => {
  move({ kind: 'unreachable', lastAnswerAt })
  plan()
}

/** Checks whether the service answers. One check at a time: callers that come meanwhile get the same result. */
export const checkService = (): Promise<boolean> => {
  runningCheck ??= serviceAnswers().then((answers) => {
    runningCheck = undefined
    if (answers) reportAnswered()
    else if (state.kind === 'down') {
      move({ kind: 'check_failed' })
      plan()
    } else reportUnreachable()
    return answers
  })
  return runningCheck
}

const plan = (): void => {
  if (state.kind !== 'down' || document.visibilityState === 'hidden') return
  clearTimeout(timer)
  // With a random part, so that the pages of a shop do not all check at the same time.
  const pause = pauseBefore(state.tries) * (1 + Math.random() / 5)
  timer = setTimeout(() => void checkService(), pause)
}

const isDown = (): boolean => state.kind === 'down'

/** Checks an idle or unreachable service when the page becomes visible, and at intervals. */
const checkIfIdle = (): void => {
  if (document.visibilityState === 'hidden') return
  if (isDown() || performance.now() - lastAnswer_ms > idleFor_ms) void checkService()
}

export const watchConnection = (): (() => void) => {
  const ended = new AbortController()
  const listening = { signal: ended.signal }
  window.addEventListener('online', () => void checkService(), listening)
  window.addEventListener('offline', reportUnreachable, listening)
  window.addEventListener('focus', checkIfIdle, listening)
  document.addEventListener('visibilitychange', checkIfIdle, listening)
  const idleTimer = setInterval(checkIfIdle, idleFor_ms / 2)
  if (!navigator.onLine) reportUnreachable()
  return () => {
    ended.abort()
    clearInterval(idleTimer)
    clearTimeout(timer)
  }
}

/** Calls `act` each time the service answers again. */
export const onReconnect = (act: () => void): (() => void) => {
  reconnectHandlers.add(act)
  return () => void reconnectHandlers.delete(act)
}

const subscribe = (notify: () => void): (() => void) => {
  watchers.add(notify)
  return () => void watchers.delete(notify)
}

export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => state)

export const isConnected = (): boolean => !isDown()
