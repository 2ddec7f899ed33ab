/**
 * IP addresses that are not places on the public internet, by the special-purpose registries of IANA. Pure: it judges an
 * address that someone else found. Who may be reached although special is the operator's list, read here as well.
 *
 * The whole of a registered range is special, also the few addresses in it that the registry calls globally reachable
 * (192.0.0.9, the AS112 servers): they lead to the nearest gateway or name server, never to a merchant.
 */
import { isIPv4, isIPv6 } from 'node:net'

export type Judgement = { readonly special: true; readonly why: string } | { readonly special: false }

/** A block of addresses: those whose first `bits` bits are the base's. */
export type Cidr = { readonly text: string; readonly family: 4 | 6; readonly base: bigint; readonly bits: number }

type Address = { readonly family: 4 | 6; readonly value: bigint }

const width = (family: 4 | 6): number => (family === 4 ? 32 : 128)

const readV4 = (text: string): bigint => text.split('.').reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)

const readV6 = (text: string): bigint => {
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'))
  // The last 32 bits may be written as IPv4.
  const dotted = /[0-9.]+$/.exec(text)?.[0] ?? ''
  const hex = dotted.includes('.')
    ? `${text.slice(0, -dotted.length)}${(readV4(dotted) >> 16n).toString(16)}:${(readV4(dotted) & 0xffffn).toString(16)}`
    : text
  const [head = '', tail] = hex.split('::')
  const [before, after] = [groups(head), groups(tail ?? '')]
  const gap = tail === undefined ? 0 : 8 - before.length - after.length
  const all = [...before, ...Array<string>(gap).fill('0'), ...after]
  return all.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}

const read = (text: string): Address | undefined => {
  if (isIPv4(text)) return { family: 4, value: readV4(text) }
  if (isIPv6(text) && !text.includes('%')) return { family: 6, value: readV6(text) }
  return undefined
}

const holds = (cidr: Cidr, address: Address): boolean => {
  const rest = BigInt(width(cidr.family) - cidr.bits)
  return cidr.family === address.family && cidr.base >> rest === address.value >> rest
}

const cidrOf = (text: string): Cidr => {
  const [base = '', bits = ''] = text.split('/')
  const { family, value } = read(base)!
  return { text, family, base: value, bits: Number(bits) }
}

/** The narrow before the wide: the first that holds an address names it. */
const SPECIAL: readonly { readonly cidr: Cidr; readonly why: string }[] = [
  ['0.0.0.0/8', 'this network itself'],
  ['10.0.0.0/8', 'a private network'],
  ['100.64.0.0/10', 'the inside of a carrier'],
  ['127.0.0.0/8', 'the machine itself'],
  // Routed like any public address, but Azure answers there with what belongs to the machine alone.
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
].map(([text, why]) => ({ cidr: cidrOf(text!), why: why! }))

const GLOBAL_UNICAST = cidrOf('2000::/3')
const MAPPED = cidrOf('::ffff:0:0/96')
const NAT64 = cidrOf('64:ff9b::/96')

const lastFour = (address: Address): Address => ({ family: 4, value: address.value & 0xffff_ffffn })

/** An IPv4 address in the clothes of IPv6 reaches the same machine. */
const unmapped = (address: Address): Address => (holds(MAPPED, address) ? lastFour(address) : address)

export const isSpecial = (text: string): Judgement => {
  if (isIPv6(text) && text.includes('%')) return { special: true, why: 'bound to one network interface' }
  const address = read(text)
  if (address === undefined) return { special: true, why: 'not an IP address' }
  // NAT64 leads to the IPv4 address in its last four bytes.
  const judged = holds(NAT64, address) ? lastFour(address) : unmapped(address)
  const range = SPECIAL.find(({ cidr }) => holds(cidr, judged))
  if (range !== undefined) return { special: true, why: range.why }
  // Nothing outside is assigned to anyone, and mesh networks use it as they please.
  if (judged.family === 6 && !holds(GLOBAL_UNICAST, judged)) return { special: true, why: 'unassigned' }
  return { special: false }
}

/** Whether the operator lets webhooks reach an address although it is special. */
export const allowedBy =
  (cidrs: readonly Cidr[]) =>
  (text: string): boolean => {
    const address = read(text)
    if (address === undefined) return false
    const plain = unmapped(address)
    return cidrs.some((cidr) => holds(cidr, address) || holds(cidr, plain))
  }

/** Why a webhook may not reach an address; null if it may. */
export const whyRefused = (text: string, allow: readonly Cidr[]): string | null => {
  const judgement = isSpecial(text)
  return judgement.special && !allowedBy(allow)(text) ? judgement.why : null
}

const written = ({ family, value }: Address): string => {
  const group = family === 4 ? 8 : 16
  const parts = Array.from({ length: width(family) / group }, (_, n) =>
    ((value >> BigInt(width(family) - group * (n + 1))) & ((1n << BigInt(group)) - 1n)).toString(
      family === 4 ? 10 : 16,
    ),
  )
  if (family === 4) return parts.join('.')
  return parts.join(':').replace(/(^|:)0(:0)+(:|$)/, '::')
}

const readCidr = (text: string): Cidr | string => {
  const [, base = '', given] = /^([^/]*)(?:\/(.*))?$/.exec(text) ?? []
  const address = read(base)
  if (address === undefined) return `"${text}" does not begin with an IP address`
  const most = width(address.family)
  if (given !== undefined && !/^\d{1,3}$/.test(given)) return `"${text}" does not end in a number of bits`
  const bits = given === undefined ? most : Number(given)
  if (bits > most) return `"${text}" has more than ${most} bits`
  const rest = BigInt(most - bits)
  const first = (address.value >> rest) << rest
  if (first !== address.value) {
    const meant = `${written({ family: address.family, value: first })}/${bits}`
    return `"${text}" names an address inside the range ${meant}: write ${meant}, or ${base}/${most} for that one`
  }
  return { text: `${base}/${bits}`, family: address.family, base: first, bits }
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
