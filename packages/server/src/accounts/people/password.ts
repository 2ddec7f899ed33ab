/**
 * Passwords: argon2id with the library's parameters (19 MiB, 2 passes; a hash names its own). Few are computed at once, so
 * that a crowd at the door cannot take the memory and the processors from those who are inside; the rest wait their turn, those
 * we know before strangers (fair-queue.ts).
 * Whoever has no password costs as long as whoever has one: how long it took tells nothing.
 */
import { hash, verify } from '@node-rs/argon2'
import { type Turn, waitingLine } from '../sessions/fair-queue.ts'

const line = waitingLine({ atOnce: 2, mostWaiting: 200, mostOfPlace: 50 })

export const passwordLength = { min: 10, max: 200 } as const

const inTurn = async <T>(turn: Turn, work: () => Promise<T>): Promise<T | 'busy'> => {
  if ((await line.enter(turn)) === 'busy') return 'busy'
  try {
    return await work()
  } finally {
    line.leave()
  }
}

/** For commands, where nobody else is at the door. */
export const hashPassword = (password: string): Promise<string> => hash(password)

/** Of somebody who is signed in or holds a link. 'busy': too many are at the door; nothing was made. */
export const hashInTurn = (password: string): Promise<string | 'busy'> => inTurn('known', () => hash(password))

let nobodys: Promise<string> | undefined

/** 'busy': too many are at the door; nothing was checked. */
export const passwordFits = async (
  stored: string | null,
  given: string,
  turn: Turn = 'known',
): Promise<boolean | 'busy'> => {
  nobodys ??= hash('the password of nobody')
  const against = stored ?? (await nobodys)
  const fits = await inTurn(turn, () => verify(against, given))
  return fits === 'busy' ? fits : fits && stored !== null
}
