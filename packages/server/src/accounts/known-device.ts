/**
 * Browsers that somebody has signed in from before. Such a browser keeps a name of its own, signed and bound to the address
 * it signed in with; guessing is then counted by that name and not by the network's, so that nobody can keep a person out of
 * their usual browser by guessing from the same network. It opens nothing: a stolen one buys as many guesses as a new
 * network address does. A browser that several people share remembers some of them.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { deriveKey, type MasterKey, sameFingerprint } from '../ground/seal.ts'

const mostPeople = 5
const entry = /^([\w-]{22})\.([\w-]{43})$/

export type KnownDevices = {
  /** What this browser is called for `email`; undefined: they never signed in from it. */
  nameIn(cookie: string | undefined, email: string): string | undefined
  /** What the browser keeps once `email` has signed in from it. */
  remember(cookie: string | undefined, email: string): string
}

export const knownDevices = (master: MasterKey): KnownDevices => {
  const key = deriveKey(master, 'known devices')
  const signed = (name: string, email: string): Buffer => createHmac('sha256', key).update(`${name} ${email}`).digest()
  const entriesIn = (cookie: string | undefined): string[] =>
    cookie === undefined || cookie.length > 400 ? [] : cookie.split('~').filter((one) => entry.test(one))

  const nameIn: KnownDevices['nameIn'] = (cookie, email) => {
    for (const one of entriesIn(cookie)) {
      const [, name = '', mac = ''] = entry.exec(one)!
      if (sameFingerprint(Buffer.from(mac, 'base64url'), signed(name, email))) return name
    }
    return undefined
  }
  return {
    nameIn,
    remember(cookie, email) {
      const others = entriesIn(cookie)
      if (nameIn(cookie, email) !== undefined) return others.join('~')
      const name = randomBytes(16).toString('base64url')
      const mine = `${name}.${signed(name, email).toString('base64url')}`
      return [mine, ...others].slice(0, mostPeople).join('~')
    },
  }
}
