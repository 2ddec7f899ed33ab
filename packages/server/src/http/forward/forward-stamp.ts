/**
 * What one cell says to another of a call that it forwards: the address of the client, so that limits by address and keys that are bound
 * to addresses go on to work, and how old that is. It is signed with a key that is made of the master key, which both cells have: nobody
 * else can claim another address, whatever proxies are between the cells, and no setting is needed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { Instant } from '../../core/clock.ts'
import { derivedFrom, deriveKey, type Keys, keyRingOf } from '../../core/seal.ts'

export type ForwardStamps = {
  /** The value of the header for a call that is forwarded now. */
  make(address: string, now: Instant): string
  /** The address of the client. Undefined: the stamp is not of a cell with this master key, or is old. */
  addressIn(stamp: string, now: Instant): string | undefined
}

/** As for the clocks of phones. */
const mostAge_ms = 300_000

const signed = (key: Uint8Array, address: string, at_s: string): Buffer =>
  createHmac('sha256', key).update(`${address} ${at_s}`).digest()

export const forwardStamps = (keys: Keys): ForwardStamps => {
  const derived = derivedFrom(keyRingOf(keys), ({ all }) => all.map((key) => deriveKey(key, 'forwarded calls')))
  return {
    make(address, now) {
      const at_s = String(Math.floor(now / 1000))
      return `${address} ${at_s} ${signed(derived()[0]!, address, at_s).toString('base64url')}`
    },
    addressIn(stamp, now) {
      const [address = '', at_s = '', mac = '', ...more] = stamp.split(' ')
      if (more.length > 0 || isIP(address) === 0 || !/^\d{1,12}$/.test(at_s)) return undefined
      if (Math.abs(Number(at_s) * 1000 - now) > mostAge_ms) return undefined
      const sent = Buffer.from(mac, 'base64url')
      const isOurs = (key: Uint8Array): boolean => {
        const right = signed(key, address, at_s)
        return sent.length === right.length && timingSafeEqual(sent, right)
      }
      return derived().some(isOurs) ? address : undefined
    },
  }
}
