/**
 * The key by which a network address is counted. A caller with one IPv6 address can use its whole /64: all addresses of a
 * /64 have one key. Pure.
 */
import { isIPv6 } from 'node:net'

const groupsOf = (half: string): string[] => (half === '' ? [] : half.split(':'))

/** The IPv4 address in the last two groups of a mapped IPv6 address (`::ffff:cb00:7107`). */
const asIPv4 = (high: string, low: string): string => {
  const [left, right] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [left >> 8, left & 255, right >> 8, right & 255].join('.')
}

export const addressKey = (address: string): string => {
  const plain = address.replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain.slice(0, 64)
  // Four decimal numbers at the end are written as two groups.
  const hex = plain.toLowerCase().replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...numbers: string[]) => {
    const [a, b, c, d] = numbers.map(Number)
    return `${(a! * 256 + b!).toString(16)}:${(c! * 256 + d!).toString(16)}`
  })
  const [left = '', right] = hex.split('::')
  const [before, after] = [groupsOf(left), groupsOf(right ?? '')]
  const zeros = 8 - before.length - after.length
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after].map((group) => group.replace(/^0+(?=.)/, ''))
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return asIPv4(groups[6]!, groups[7]!)
  return `${groups.slice(0, 4).join(':')}::/64`
}
