/**
 * Which IP addresses are not on the public internet, by the special-purpose registries of IANA. Pure: the caller has resolved
 * the name. The operator's list (core/cidr.ts) names special ranges that are allowed.
 *
 * A registered range is special as a whole, including the few addresses in it that the registry calls globally reachable
 * (192.0.0.9, the AS112 servers): these belong to gateways or name servers, never to a merchant.
 */
import { type BlockList, isIPv6 } from 'node:net'
import { type Cidr, isAddress, listOfRanges as listOf, parseAddress, rangesContain } from '../../core/cidr.ts'

export type Judgement = { readonly special: true; readonly why: string } | { readonly special: false }

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

/** Why a webhook may not reach an address; null if it may. */
export const whyRefused = (text: string, allow: readonly Cidr[]): string | null => {
  const judgement = judgeAddress(text)
  return judgement.special && !rangesContain(allow)(text) ? judgement.why : null
}
