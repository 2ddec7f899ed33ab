/** Addresses that a webhook must not reach, in every form, for the tests of saving, testing and sending. */

/** Each range: its block, its first and last address, and the two addresses just outside it. */
export const RANGES: readonly (readonly [string, string, string, string | null, string | null])[] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0/3', '224.0.0.0', '255.255.255.255', '223.255.255.255', null],
  // Everything outside 2000::/3 is reserved or not assigned.
  ['::/3', '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, '2000::'],
  ['2001::/23', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff:ffff::', '2001:200::'],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
  ['2002::/16', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff:ffff::', '2003::'],
  ['2620:4f:8000::/48', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', '2620:4f:7fff::', '2620:4f:8001::'],
  ['3fff::/20', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff:ffff::', '3fff:1000::'],
  ['4000::/2', '4000::', '7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff:ffff::', null],
  ['8000::/1', '8000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, null],
]

/** Ways to write a private address as the host of a URL. */
export const privateHosts: readonly string[] = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1:8443',
  '①②⑦.⓪.⓪.①',
  '１２７.0.0.1',
  '%31%32%37.0.0.1',
  '127。0。0。1',
  '0',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:7f00:1]',
  '[::ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::10.0.0.1]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '169.254.169.254',
  '0xa9fea9fe',
  '192.168.1.1',
  '100.100.100.200',
]

/** Names that resolve only in a private network. */
export const privateNames: readonly string[] = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'shop.localhost',
  'printer.local',
  'db.internal',
  'redis',
  'metadata',
  'metadata.google.internal',
  'metadata.google.internal.',
  'router.home.arpa',
  'box.lan',
]

const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address)

/** Private hosts, private names, and the first and last address of every special range. */
export const everyPrivateHost: readonly string[] = [
  ...new Set([...privateHosts, ...privateNames, ...RANGES.flatMap(([, first, last]) => [first, last].map(bracketed))]),
]
