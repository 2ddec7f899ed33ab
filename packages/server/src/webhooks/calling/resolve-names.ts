/**
 * Resolves a receiver's name without blocking a thread. The system call (getaddrinfo) blocks a thread until it ends, and no
 * time-out shortens it: five names of a name server that never answers delayed all other names for 20 seconds. Here each name
 * has its own DNS queries, cancelled when their time is over. One endpoint has one name, and concurrent lookups of a name are
 * one lookup: so an account has no more lookups under way than endpoints.
 *
 * The machine's hosts file comes first, then the name servers that the operator sets, or else those of the machine. Names are
 * used as written: the system's search domains are not tried. guard-url.ts decides whether the addresses may be called.
 */
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Resolve } from './guard-url.ts'

export type NameOptions = {
  readonly within_ms: number
  /** Left out or empty: the name servers of the machine. */
  readonly servers?: readonly string[]
  readonly hostsFile?: string
}

const HOSTS = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'
/** How long the content of the hosts file is cached. */
const hostsAge_ms = 2_000
/** How long to wait for the second address family after the first one has answered. Some servers never answer. */
const otherFamily_ms = 300

type Addresses = Awaited<ReturnType<Resolve>>
const LOOPBACK = /^(.+\.)?localhost$/

export const nameResolver = ({ within_ms, servers = [], hostsFile = HOSTS }: NameOptions): Resolve => {
  const running = new Map<string, Promise<Addresses>>()
  const hosts = hostsReader(hostsFile)

  const find = async (name: string): Promise<Addresses> => {
    if (isIP(name) !== 0) return [{ address: name }]
    const fromHostsFile = (await hosts()).get(name)
    if (fromHostsFile !== undefined) return fromHostsFile.map((address) => ({ address }))
    // RFC 6761: localhost is this machine, and no name server is queried.
    if (LOOPBACK.test(name)) return [{ address: '127.0.0.1' }, { address: '::1' }]
    return queryDns(name, within_ms, servers)
  }

  return (hostname) => {
    const name = hostname.toLowerCase()
    const known = running.get(name)
    if (known !== undefined) return known
    const answer = find(name).finally(() => running.delete(name))
    running.set(name, answer)
    return answer
  }
}

/** Rejects with a code of the system, such as ENOTFOUND, ENODATA or ETIMEOUT. */
const queryDns = async (name: string, within_ms: number, servers: readonly string[]): Promise<Addresses> => {
  // A resolver for each name, so that cancelling it cancels no other query. A query without an answer is sent once more.
  const resolver = new Resolver({ timeout: Math.ceil(within_ms / 3), tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const cancel = (): void => resolver.cancel()
  const late = setTimeout(cancel, within_ms)
  let other: NodeJS.Timeout | undefined
  const waitForOther = (found: readonly string[]): readonly string[] => {
    other ??= setTimeout(cancel, otherFamily_ms)
    return found
  }
  const answers = await Promise.allSettled([
    resolver.resolve4(name).then(waitForOther),
    resolver.resolve6(name).then(waitForOther),
  ])
  clearTimeout(late)
  clearTimeout(other)
  const addresses = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  if (addresses.length > 0) return addresses.map((address) => ({ address }))
  throw mainFault(answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as NodeJS.ErrnoException] : [])))
}

/** If one family has no address and the other query failed, the failure is the better error. */
const mainFault = (faults: readonly NodeJS.ErrnoException[]): Error => {
  const fault = faults.find(({ code }) => code !== 'ENODATA') ?? faults[0]!
  return fault.code === 'ECANCELLED'
    ? Object.assign(new Error('no answer', { cause: fault }), { code: 'ETIMEOUT' })
    : fault
}

/** Reads the names in a hosts file, in lower case, each with its addresses in the file's order. No file: no names. */
const hostsReader = (path: string): (() => Promise<ReadonlyMap<string, readonly string[]>>) => {
  let read: Promise<Map<string, string[]>> | undefined
  let readAt = 0
  return () => {
    if (read === undefined || performance.now() - readAt > hostsAge_ms) {
      readAt = performance.now()
      read = readFile(path, 'utf8').then(hostsIn, () => new Map())
    }
    return read
  }
}

const hostsIn = (text: string): Map<string, string[]> => {
  const found = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) found.set(name, [...(found.get(name) ?? []), address])
  }
  return found
}

/** Reads the operator's setting: addresses of name servers, each with or without a port. `error` is a sentence without the
 *  setting's name. */
export const readNameServers = (
  text: string,
): { readonly ok: true; readonly list: readonly string[] } | { readonly ok: false; readonly error: string } => {
  const list = text.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]))
  const wrong = list.find((one) => {
    const [, bare, bracketed, port] = /^(?:([\d.]+)|\[([\da-f:.]+)\])(?::(\d{1,5}))?$/i.exec(one) ?? []
    return isIP(one) === 0 && (isIP(bare ?? bracketed ?? '') === 0 || Number(port ?? 53) > 65_535)
  })
  return wrong === undefined ? { ok: true, list } : { ok: false, error: `"${wrong}" is not an address` }
}
