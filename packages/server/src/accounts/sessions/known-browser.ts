/**
 * Browsers that somebody has signed in from before. Such a browser keeps a name of its own, signed and bound to the address
 * it signed in with; guessing is then counted by that name and not by the network's, so that nobody can keep a person out of
 * their usual browser by guessing from the same network. It opens nothing: a stolen one buys as many guesses as a new
 * network address does. A browser that several people share remembers some of them.
 *
 * Who set a new password by a link is known too, or a guesser on their network would keep them out all the same; but such a
 * browser has proved the mailbox alone, and counts as a stranger's wherever a second factor is asked for.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { derivedFrom, hashKeyFor, type Keys, keyRingOf, sameFingerprint } from '../../core/seal.ts'

const mostPeople = 5
const entry = /^([\w-]{22})\.([\w-]{43})$/

const ways = ['signed_in', 'by_link'] as const
type Way = (typeof ways)[number]

export type KnownDevice = { readonly name: string; readonly how: Way }

export type KnownDevices = {
  /** What this browser is called for `email`; undefined: they never came by it. */
  nameIn(cookie: string | undefined, email: string): KnownDevice | undefined
  /** What the browser keeps once `email` has come by it. */
  remember(cookie: string | undefined, email: string, how: Way): string
}

export const knownDevices = (keys: Keys): KnownDevices => {
  const key = derivedFrom(keyRingOf(keys), (ring) => hashKeyFor(ring, 'known devices'))
  const signed = (name: string, email: string, how: Way): Buffer =>
    createHmac('sha256', key())
      .update(`${name} ${email}${how === 'by_link' ? ' by a link' : ''}`)
      .digest()
  const entriesIn = (cookie: string | undefined): string[] =>
    cookie === undefined || cookie.length > 400 ? [] : cookie.split('~').filter((one) => entry.test(one))
  const deviceIn = (one: string, email: string): KnownDevice | undefined => {
    const [, name = '', mac = ''] = entry.exec(one)!
    const how = ways.find((way) => sameFingerprint(Buffer.from(mac, 'base64url'), signed(name, email, way)))
    return how && { name, how }
  }

  const nameIn: KnownDevices['nameIn'] = (cookie, email) => {
    const found = entriesIn(cookie).flatMap((one) => deviceIn(one, email) ?? [])
    return found.find(({ how }) => how === 'signed_in') ?? found[0]
  }
  return {
    nameIn,
    remember(cookie, email, how) {
      const entries = entriesIn(cookie)
      const known = nameIn(cookie, email)
      if (known !== undefined && (known.how === how || known.how === 'signed_in')) return entries.join('~')
      const name = randomBytes(16).toString('base64url')
      const mine = `${name}.${signed(name, email, how).toString('base64url')}`
      const others = entries.filter((one) => deviceIn(one, email) === undefined)
      return [mine, ...others].slice(0, mostPeople).join('~')
    },
  }
}
