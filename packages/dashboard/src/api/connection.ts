/**
 * Whether the service can be reached. Every call reports how it ended; a page that is left alone asks by itself after a
 * minute. While the service cannot be reached it is asked again after 1, 2, 4 ... at most 30 seconds, and at once when the
 * browser comes online or the page becomes visible; a hidden page does not ask. When it answers again, the functions that were
 * given to `onReconnect` are called, to fetch what is missing. The browser's own `navigator.onLine` is only a hint: it is true
 * on a network without internet.
 */
import { useSyncExternalStore } from 'react'
import { currentTime } from '../parts/format/clock.ts'

export type Connection =
  | { readonly kind: 'up' }
  /** `tries`: how often it was asked in vain. `lastAnswerAt`: when it last answered, by this browser's clock. */
  | { readonly kind: 'down'; readonly tries: number; readonly lastAnswerAt: number }

export type ConnectionEvent =
  | { readonly kind: 'answered' }
  | { readonly kind: 'unreachable'; readonly lastAnswerAt: number }
  /** A question in vain while it was known to be down. */
  | { readonly kind: 'asked' }

const up: Connection = { kind: 'up' }

export const step = (state: Connection, event: ConnectionEvent): Connection => {
  if (event.kind === 'answered') return up
  if (event.kind === 'asked') return state.kind === 'down' ? { ...state, tries: state.tries + 1 } : state
  return state.kind === 'down' ? state : { kind: 'down', tries: 0, lastAnswerAt: event.lastAnswerAt }
}

const longestPause_ms = 30_000

export const pauseBefore = (tries: number): number => Math.min(longestPause_ms, 1_000 * 2 ** Math.min(tries, 10))

/** Answers of a proxy whose server is away, and of a server that is starting, stopping or without its database. */
export const isUnavailable = (status: number): boolean => status === 0 || (status >= 502 && status <= 504)

/** Whether the service answers; set by call.ts, which makes all requests. */
let question: () => Promise<boolean> = async () => false
export const setQuestion = (ask: () => Promise<boolean>): void => {
  question = ask
}
/** After so long without any answer an open page asks by itself. */
const quietFor_ms = 60_000

let state: Connection = up
let lastAnswerAt = currentTime()
let lastAnswer = performance.now()
let timer: ReturnType<typeof setTimeout> | undefined
let asking: Promise<boolean> | undefined
const watching = new Set<() => void>()
const reconnecting = new Set<() => void>()

const move = (event: ConnectionEvent): void => {
  const before = state
  state = step(before, event)
  if (state === before) return
  for (const notify of watching) notify()
  if (before.kind === 'down' && state.kind === 'up') for (const act of reconnecting) act()
}

export const reportAnswered = (): void => {
  lastAnswerAt = currentTime()
  lastAnswer = performance.now()
  clearTimeout(timer)
  timer = undefined
  move({ kind: 'answered' })
}

export const reportUnreachable = (): void => {
  move({ kind: 'unreachable', lastAnswerAt })
  plan()
}

/** Asks the service. One request at a time: callers that ask meanwhile get the same answer. */
export const askService = (): Promise<boolean> => {
  asking ??= question().then((answers) => {
    asking = undefined
    if (answers) reportAnswered()
    else if (state.kind === 'down') {
      move({ kind: 'asked' })
      plan()
    } else reportUnreachable()
    return answers
  })
  return asking
}

const plan = (): void => {
  if (state.kind !== 'down' || document.visibilityState === 'hidden') return
  clearTimeout(timer)
  // With a random part, so that all pages of a shop do not ask at the same time.
  const pause = pauseBefore(state.tries) * (1 + Math.random() / 5)
  timer = setTimeout(() => void askService(), pause)
}

const isDown = (): boolean => state.kind === 'down'

/** The network changed, or the page is looked at again. */
const wake = (): void => {
  if (document.visibilityState === 'hidden') return
  if (isDown() || performance.now() - lastAnswer > quietFor_ms) void askService()
}

export const watchConnection = (): (() => void) => {
  const over = new AbortController()
  const listening = { signal: over.signal }
  window.addEventListener('online', () => void askService(), listening)
  window.addEventListener('offline', reportUnreachable, listening)
  window.addEventListener('focus', wake, listening)
  document.addEventListener('visibilitychange', wake, listening)
  const quiet = setInterval(wake, quietFor_ms / 2)
  if (!navigator.onLine) reportUnreachable()
  return () => {
    over.abort()
    clearInterval(quiet)
    clearTimeout(timer)
  }
}

/** Calls `act` each time the service answers again. */
export const onReconnect = (act: () => void): (() => void) => {
  reconnecting.add(act)
  return () => void reconnecting.delete(act)
}

const subscribe = (notify: () => void): (() => void) => {
  watching.add(notify)
  return () => void watching.delete(notify)
}

export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => state)

export const isConnected = (): boolean => !isDown()
