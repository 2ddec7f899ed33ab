/**
 * Browsers from which a user has signed in before. Such a browser keeps a cookie with a random name, signed and bound to the
 * user's email address. Failed sign-ins are then counted by that name and not by the network address, so that guessing from
 * the same network cannot lock users out of their usual browser. The cookie gives no access: a stolen one allows as many
 * guesses as a new network address. A browser that several users share remembers the last five.
 *
 * A browser in which a new password was set by a link is known as well. It has proved only the mailbox, so it counts as
 * unknown where a second factor is required.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { derivedFrom, hashKeyFor, type Keys, keyRingOf, sameFingerprint } from '../../core/seal.ts'

const mostUsers = 5
const entry = /^([\w-]{22})\.([\w-]{43})$/

const ways = ['signed_in', 'by_link'] as const
type Way = (typeof ways)[number]

export type KnownBrowser = { readonly name: string; readonly how: Way }

export type KnownBrowsers = {
  /** The name of this browser for `email`, and how it became known; undefined: this user is not known here. */
  find(cookie: string | undefined, email: string): KnownBrowser | undefined
  /** The new cookie, after `email` signed in here or set a password by a link. */
  remember(cookie: string | undefined, email: string, how: Way): string
}

export const knownBrowsers = (keys: Keys): KnownBrowsers => {
  const key = derivedFrom(keyRingOf(keys), (ring) => hashKeyFor(ring, 'known devices'))
  const signatureOf = (name: string, email: string, how: Way): Buffer =>
    createHmac('sha256', key())
      .update(`${name} ${email}${how === 'by_link' ? ' by a link' : ''}`)
      .digest()
  const entriesIn = (cookie: string | undefined): string[] =>
    cookie === undefined || cookie.length > 400 ? [] : cookie.split('~').filter((text) => entry.test(text))
  const browserIn = (text: string, email: string): KnownBrowser | undefined => {
    const [, name = '', mac = ''] = entry.exec(text)!
    const how = ways.find((way) => sameFingerprint(Buffer.from(mac, 'base64url'), signatureOf(name, email, way)))
    return how && { name, how }
  }

  const find: KnownBrowsers['find'] = (cookie, email) => {
    const found = entriesIn(cookie).flatMap((text) => browserIn(text, email) ?? [])
    return found.find(({ how }) => how === 'signed_in') ?? found[0]
  }
  return {
    find,
    remember(cookie, email, how) {
      const entries = entriesIn(cookie)
      const known = find(cookie, email)
      if (known !== undefined && (known.how === how || known.how === 'signed_in')) return entries.join('~')
      const name = randomBytes(16).toString('base64url')
      const mine = `${name}.${signatureOf(name, email, how).toString('base64url')}`
      const others = entries.filter((text) => browserIn(text, email) === undefined)
      return [mine, ...others].slice(0, mostUsers).join('~')
    },
  }
}
