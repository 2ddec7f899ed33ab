/**
 * Passwords: argon2id with the library's parameters (19 MiB, 2 passes; a hash names its own). Few are computed at once, so
 * that a crowd at the door cannot take the memory and the processors from those who are inside; the rest wait their turn.
 * Whoever has no password costs as long as whoever has one: how long it took tells nothing.
 */
import { hash, verify } from '@node-rs/argon2'

const atOnce = 2
const mostWaiting = 200

export const passwordLength = { min: 10, max: 200 } as const

let running = 0
const waiting: (() => void)[] = []

const inTurn = async <T>(work: () => Promise<T>): Promise<T | 'busy'> => {
  if (running >= atOnce) {
    if (waiting.length >= mostWaiting) return 'busy'
    await new Promise<void>((go) => waiting.push(go))
  }
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}

/** For commands, where nobody else is at the door. */
export const hashPassword = (password: string): Promise<string> => hash(password)

/** 'busy': too many are at the door; nothing was made. */
export const hashInTurn = (password: string): Promise<string | 'busy'> => inTurn(() => hash(password))

let nobodys: Promise<string> | undefined

/** 'busy': too many are at the door; nothing was checked. */
export const passwordFits = async (stored: string | null, given: string): Promise<boolean | 'busy'> => {
  nobodys ??= hash('the password of nobody')
  const against = stored ?? (await nobodys)
  const fits = await inTurn(() => verify(against, given))
  return fits === 'busy' ? fits : fits && stored !== null
}
