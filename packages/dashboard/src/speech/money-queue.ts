/**
 * The order in which money is said: each once, in the order of arrival, never two at once. At most `mostWaiting` wait; if more
 * come, the oldest are left out, because their buyers have left the counter and the screen shows them. Nothing is said that has
 * waited for two minutes, for example for the touch that lets the browser play sound.
 */
import type { Language } from '../words/catalogue.ts'
import type { SpokenMoney } from './money-sentence.ts'

export const mostWaiting = 20
export const longestWait_ms = 120_000

export type MoneyQueue = {
  readonly add: (payments: readonly SpokenMoney[], language: Language) => void
  /** Ends the current sentence and forgets those that wait. */
  readonly stop: () => void
}

type Parts = {
  /** Ends when sound can be played, or with the signal. */
  readonly ready: (signal: AbortSignal) => Promise<void>
  readonly say: (money: SpokenMoney, language: Language, signal: AbortSignal) => Promise<void>
  readonly now: () => number
}

export const openMoneyQueue = ({ ready, say, now }: Parts): MoneyQueue => {
  let waiting: { readonly money: SpokenMoney; readonly language: Language; readonly since: number }[] = []
  let stopping = new AbortController()
  let isSaying = false

  const sayAll = async (): Promise<void> => {
    if (isSaying) return
    isSaying = true
    while (waiting.length > 0) {
      const { signal } = stopping
      await ready(signal)
      if (signal.aborted) continue
      const next = waiting.shift()
      if (next === undefined || now() - next.since > longestWait_ms) continue
      // What cannot be said is on the screen. The next sentence is tried again.
      await say(next.money, next.language, signal).catch(() => {})
    }
    isSaying = false
  }

  return {
    add: (payments, language) => {
      const since = now()
      waiting = [...waiting, ...payments.map((money) => ({ money, language, since }))].slice(-mostWaiting)
      void sayAll()
    },
    stop: () => {
      waiting = []
      stopping.abort()
      stopping = new AbortController()
    },
  }
}
