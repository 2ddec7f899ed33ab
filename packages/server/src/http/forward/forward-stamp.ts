/**
 * What one cell says to another of a call that it forwards: the address of the client, so that limits by address and keys that are bound
 * to addresses go on to work, how often the call was forwarded, and how old that is. It is signed with a key that is made of the master
 * key, which both cells have: nobody else can claim another address, whatever proxies are between the cells, and no setting is needed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { Instant } from '../../core/clock.ts'
import { derivedFrom, deriveKey, type Keys, keyRingOf } from '../../core/seal.ts'

export type Stamp = {
  /** The address of the client. */
  readonly address: string
  /** How often the call was forwarded. */
  readonly hops: number
}

export type ForwardStamps = {
  /** The value of the header for a call that is forwarded now. */
  make(stamp: Stamp, now: Instant): string
  /** Undefined: the stamp is not of a cell with this master key, or is old. */
  read(text: string, now: Instant): Stamp | undefined
}

/** As for the clocks of phones. */
const mostAge_ms = 300_000

const signed = (key: Uint8Array, said: string): Buffer => createHmac('sha256', key).update(said).digest()

export const forwardStamps = (keys: Keys): ForwardStamps => {
  const derived = derivedFrom(keyRingOf(keys), ({ all }) => all.map((key) => deriveKey(key, 'forwarded calls')))
  return {
    make({ address, hops }, now) {
      const said = `${address} ${hops} ${Math.floor(now / 1000)}`
      return `${said} ${signed(derived()[0]!, said).toString('base64url')}`
    },
    read(text, now) {
      const [address = '', hops = '', at_s = '', mac = '', ...more] = text.split(' ')
      if (more.length > 0 || isIP(address) === 0 || !/^\d{1,2}$/.test(hops) || !/^\d{1,12}$/.test(at_s))
        return undefined
      if (Math.abs(Number(at_s) * 1000 - now) > mostAge_ms) return undefined
      const sent = Buffer.from(mac, 'base64url')
      const isOurs = (key: Uint8Array): boolean => {
        const right = signed(key, `${address} ${hops} ${at_s}`)
        return sent.length === right.length && timingSafeEqual(sent, right)
      }
      return derived().some(isOurs) ? { address, hops: Number(hops) } : undefined
    },
  }
}
