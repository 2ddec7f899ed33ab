/**
 * Ranges of network addresses: read from text, and whether they contain an address. Node's block lists decide that. Pure.
 */
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'

/** A range of addresses: all whose first `bits` bits equal those of `base`. Plain data, which a worker thread can receive. */
export type Cidr = { readonly text: string; readonly family: 4 | 6; readonly base: string; readonly bits: number }

export const isAddress = (text: string): boolean => isIPv4(text) || (isIPv6(text) && !text.includes('%'))

export const parseAddress = (text: string): SocketAddress =>
  new SocketAddress({ address: text, family: isIPv4(text) ? 'ipv4' : 'ipv6' })

const addRange = (list: BlockList, text: string): void => {
  const [base = '', bits] = text.split('/')
  list.addSubnet(base, Number(bits), isIPv4(base) ? 'ipv4' : 'ipv6')
}

export const listOfRanges = (...ranges: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const range of ranges) addRange(list, range)
  return list
}

/** Returns a check whether one of the ranges contains an address. An IPv4 range contains its addresses in IPv6 form too. */
export const rangesContain = (cidrs: readonly Cidr[]): ((text: string) => boolean) => {
  const ofFamily = (family: 4 | 6): BlockList =>
    listOfRanges(...cidrs.filter((cidr) => cidr.family === family).map((cidr) => `${cidr.base}/${cidr.bits}`))
  const [v4, v6] = [ofFamily(4), ofFamily(6)]
  return (text) => {
    if (!isAddress(text)) return false
    const address = parseAddress(text)
    return v4.check(address) || (address.family === 'ipv6' && v6.check(address))
  }
}

/** IPv6 as the URL parser writes it: groups of hexadecimal digits, the longest run of zeros as `::`. */
const canonicalV6 = (text: string): string => new URL(`http://[${text}]`).hostname.slice(1, -1)

/** The first address of the range with `bits` bits that contains this address. */
const firstOf = (text: string, bits: number): string => {
  const [radix, group_bits, separator] = isIPv4(text) ? [10, 8, '.'] : [16, 16, ':']
  const [head = '', tail] = isIPv4(text) ? [text] : canonicalV6(text).split('::')
  const groupsIn = (part: string): number[] =>
    part === '' ? [] : part.split(separator).map((group) => Number.parseInt(group, radix))
  const [before, after] = [groupsIn(head), groupsIn(tail ?? '')]
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const first = [...before, ...Array<number>(zeros).fill(0), ...after].map((group, n) => {
    const dropped = Math.min(Math.max((n + 1) * group_bits - bits, 0), group_bits)
    return ((group >> dropped) << dropped).toString(radix)
  })
  return isIPv4(text) ? first.join('.') : canonicalV6(first.join(':'))
}

/** The IPv4 address in a mapped one (`::ffff:cb00:7100`). */
const mappedIPv4 = (canonical: string): string | undefined => {
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical) ?? []
  if (high === undefined || low === undefined) return undefined
  return [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.')
}

/** The fault of the text, as a sentence, if it is no range. A range of mapped addresses is the IPv4 range: callers have IPv4 addresses. */
export const readCidr = (text: string): Cidr | string => {
  const [, base = '', length] = /^([^/]*)(?:\/(.*))?$/.exec(text) ?? []
  if (!isAddress(base)) return `"${text}" does not begin with an IP address`
  const family = isIPv4(base) ? 4 : 6
  const most = family === 4 ? 32 : 128
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return `"${text}" does not end in a number of bits`
  const bits = length === undefined ? most : Number(length)
  if (bits > most) return `"${text}" has more than ${most} bits`
  const first = firstOf(base, bits)
  if (first !== firstOf(base, most)) {
    const range = `${first}/${bits}`
    return `"${text}" is an address inside the range ${range}: write ${range}, or ${base}/${most} for that one address`
  }
  const mapped = family === 6 && bits >= 96 ? mappedIPv4(canonicalV6(base)) : undefined
  if (mapped !== undefined) return { text: `${mapped}/${bits - 96}`, family: 4, base: mapped, bits: bits - 96 }
  return { text: `${base}/${bits}`, family, base, bits }
}

/** A list such as `127.0.0.0/8,::1/128`. An address without a length is that one address. */
export const readCidrs = (
  text: string,
): { readonly ok: true; readonly list: readonly Cidr[] } | { readonly ok: false; readonly error: string } => {
  const list: Cidr[] = []
  for (const part of text.split(',').map((one) => one.trim())) {
    if (part === '') continue
    const cidr = readCidr(part)
    if (typeof cidr === 'string') return { ok: false, error: cidr }
    list.push(cidr)
  }
  return { ok: true, list }
}

/** Whether a host is this machine itself, as a setting or a URL names it. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127\./.test(host)
