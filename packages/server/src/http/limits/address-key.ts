/**
 * Whom an address on the network stands for when calls are counted. Whoever has one address of IPv6 has a whole /64 of
 * them to choose from: these count as one. Pure.
 */
import { isIPv6 } from 'node:net'

const groupsOf = (half: string): string[] => (half === '' ? [] : half.split(':'))

export const addressKey = (address: string): string => {
  const plain = address.replace(/%.*$/, '')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(plain)) return plain.slice(0, 64)
  const [left = '', right] = plain.toLowerCase().split('::')
  const [before, after] = [groupsOf(left), groupsOf(right ?? '')]
  const zeros = right === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
