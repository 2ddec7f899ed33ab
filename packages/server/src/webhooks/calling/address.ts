/**
 * Which IP addresses are not on the public internet, by the special-purpose registries of IANA. Pure: the caller has resolved
 * the name. This file also reads the operator's list of special ranges that are allowed. Node's block lists decide whether a
 * range contains an address.
 *
 * A registered range is special as a whole, including the few addresses in it that the registry calls globally reachable
 * (192.0.0.9, the AS112 servers): these belong to gateways or name servers, never to a merchant.
 */
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'

export type Judgement = { readonly special: true; readonly why: string } | { readonly special: false }

/** A range of addresses: all whose first `bits` bits equal those of `base`. Plain data, which a worker thread can receive. */
export type Cidr = { readonly text: string; readonly family: 4 | 6; readonly base: string; readonly bits: number }

const isAddress = (text: string): boolean => isIPv4(text) || (isIPv6(text) && !text.includes('%'))

const parseAddress = (text: string): SocketAddress =>
  new SocketAddress({ address: text, family: isIPv4(text) ? 'ipv4' : 'ipv6' })

const addRange = (list: BlockList, text: string): void => {
  const [base = '', bits] = text.split('/')
  list.addSubnet(base, Number(bits), isIPv4(base) ? 'ipv4' : 'ipv6')
}

const listOf = (...ranges: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const range of ranges) addRange(list, range)
  return list
}

/** The NAT64 form of an IPv4 range: a NAT64 address reaches the IPv4 address in its last four bytes. */
const nat64Range = (range: string): string => {
  const [base, bits] = range.split('/')
  return `64:ff9b::${base}/${96 + Number(bits)}`
}

/** A narrow range comes before a wide range that contains it: the first range that contains an address gives the reason. */
const SPECIAL: readonly (readonly [range: string, why: string])[] = [
  ['0.0.0.0/8', 'this network itself'],
  ['10.0.0.0/8', 'a private network'],
  ['100.64.0.0/10', 'the inside of a carrier'],
  ['127.0.0.0/8', 'the machine itself'],
  // Routed like a public address, but on Azure the platform's own service answers there.
  ['168.63.129.16/32', 'the platform of a cloud'],
  ['169.254.0.0/16', 'link-local, where clouds keep their metadata'],
  ['172.16.0.0/12', 'a private network'],
  ['192.0.0.0/24', 'protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'an AS112 name server'],
  ['192.52.193.0/24', 'a multicast relay'],
  ['192.88.99.0/24', 'a 6to4 relay'],
  ['192.168.0.0/16', 'a private network'],
  ['192.175.48.0/24', 'an AS112 name server'],
  ['198.18.0.0/15', 'benchmarks'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],
  ['::/128', 'no address'],
  ['::1/128', 'the machine itself'],
  ['64:ff9b:1::/48', 'a translator of the local network'],
  ['::/8', 'reserved'],
  ['100::/64', 'discarded'],
  ['100:0:0:1::/64', 'a dummy'],
  ['2001::/23', 'protocol assignments'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'an AS112 name server'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'segment routing'],
  ['fc00::/7', 'a private network'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'a private network'],
  ['ff00::/8', 'multicast'],
]

type SpecialRange = { readonly list: BlockList; readonly why: string }

/** An IPv4 range also contains its addresses in IPv6 form. A block list includes the mapped form; the NAT64 form is added. */
const specialV4: readonly SpecialRange[] = SPECIAL.filter(([range]) => !range.includes(':')).map(([range, why]) => ({
  list: listOf(range, nat64Range(range)),
  why,
}))
const specialV6: readonly SpecialRange[] = SPECIAL.filter(([range]) => range.includes(':')).map(([range, why]) => ({
  list: listOf(range),
  why,
}))

const GLOBAL_UNICAST = listOf('2000::/3')
/** Addresses of IPv6 that reach an IPv4 address: mapped, and through NAT64. */
const IPV4_IN_IPV6 = listOf('::ffff:0:0/96', '64:ff9b::/96')

/** Whether an address is special, and why. A text that is not an address counts as special. */
export const judgeAddress = (text: string): Judgement => {
  if (isIPv6(text) && text.includes('%')) return { special: true, why: 'bound to one network interface' }
  if (!isAddress(text)) return { special: true, why: 'not an IP address' }
  const address = parseAddress(text)
  // Two tables, because a block list treats an IPv4 address as its mapped form, which is a part of ::/8.
  const reachesV4 = address.family === 'ipv4' || IPV4_IN_IPV6.check(address)
  const range = (reachesV4 ? specialV4 : specialV6).find(({ list }) => list.check(address))
  if (range !== undefined) return { special: true, why: range.why }
  // IPv6 addresses outside of global unicast are not assigned, and mesh networks use some of them.
  if (!reachesV4 && !GLOBAL_UNICAST.check(address)) return { special: true, why: 'unassigned' }
  return { special: false }
}

/** Returns a check whether the operator's list contains an address: webhooks may reach it although it is special. */
export const allowedBy = (cidrs: readonly Cidr[]): ((text: string) => boolean) => {
  const ofFamily = (family: 4 | 6): BlockList =>
    listOf(...cidrs.filter((cidr) => cidr.family === family).map((cidr) => `${cidr.base}/${cidr.bits}`))
  const [v4, v6] = [ofFamily(4), ofFamily(6)]
  return (text) => {
    if (!isAddress(text)) return false
    const address = parseAddress(text)
    return v4.check(address) || (address.family === 'ipv6' && v6.check(address))
  }
}

/** Why a webhook may not reach an address; null if it may. */
export const whyRefused = (text: string, allow: readonly Cidr[]): string | null => {
  const judgement = judgeAddress(text)
  return judgement.special && !allowedBy(allow)(text) ? judgement.why : null
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

const readCidr = (text: string): Cidr | string => {
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
