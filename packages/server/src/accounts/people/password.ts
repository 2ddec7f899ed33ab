/**
 * Hashes and checks passwords: argon2id with the library's parameters (19 MiB, 2 passes; each hash contains its parameters).
 * Only a few run at once, so that many sign-ins cannot use up memory and processors. The others wait, known browsers before
 * unknown ones (fair-queue.ts). A check takes as long for a user without a password, so that the time reveals nothing.
 */
import { hash, verify } from '@node-rs/argon2'
import { fairQueue, type Turn } from './fair-queue.ts'

const queue = fairQueue({ atOnce: 2, mostWaiting: 200, mostOfAddress: 50 })

export const passwordLength = { min: 10, max: 200 } as const

const inTurn = async <T>(turn: Turn, work: () => Promise<T>): Promise<T | 'busy'> => {
  if ((await queue.enter(turn)) === 'busy') return 'busy'
  try {
    return await work()
  } finally {
    queue.leave()
  }
}

/** Hashes at once, for commands, which do not wait in the queue. */
export const hashPassword = (password: string): Promise<string> => hash(password)

/** Hashes in the queue, for a user who is signed in or has a link. 'busy': the queue is full; nothing was hashed. */
export const hashInTurn = (password: string): Promise<string | 'busy'> => inTurn('known', () => hash(password))

let dummyHash: Promise<string> | undefined

/** 'busy': the queue is full; nothing was checked. */
export const passwordFits = async (
  stored: string | null,
  password: string,
  turn: Turn = 'known',
): Promise<boolean | 'busy'> => {
  dummyHash ??= hash('the password of nobody')
  const hashed = stored ?? (await dummyHash)
  const fits = await inTurn(turn, () => verify(hashed, password))
  return fits === 'busy' ? fits : fits && stored !== null
}
