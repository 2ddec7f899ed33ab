/**
 * What a receiver's name leads to, asked without holding a thread. The system's own call (getaddrinfo) holds one until it
 * ends, which no time-out shortens: five names under a name server that never answers kept everybody else's waiting for
 * 20 seconds. Here each name is a question of its own that is dropped when its time is over, and holds up nobody. One
 * endpoint has one name, and who asks for a name that is being asked for shares the answer: so an account has no more
 * questions open than endpoints.
 *
 * This machine's file of hosts comes first, then the name servers it is set up with, or those that the operator names.
 * Names are taken as they are written: the system's search domains are not tried. Whether the addresses may be called is
 * for the guard (guard-url.ts).
 */
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Resolve } from './guard-url.ts'

export type NameOptions = {
  readonly within_ms: number
  /** Left out or empty: those of the machine. */
  readonly servers?: readonly string[]
  readonly hostsFile?: string
}

const HOSTS = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'
/** So old may be what is known of the file of hosts. */
const hostsAge_ms = 2_000
/** With the addresses of one family in hand, those of the other are waited for so long. Some servers never answer. */
const otherFamily_ms = 300

type Addresses = Awaited<ReturnType<Resolve>>
const LOOPBACK = /^(.+\.)?localhost$/

export const nameResolver = ({ within_ms, servers = [], hostsFile = HOSTS }: NameOptions): Resolve => {
  const running = new Map<string, Promise<Addresses>>()
  const hosts = hostsReader(hostsFile)

  const find = async (name: string): Promise<Addresses> => {
    if (isIP(name) !== 0) return [{ address: name }]
    const own = (await hosts()).get(name)
    if (own !== undefined) return own.map((address) => ({ address }))
    // RFC 6761: it means this machine, and no name server is asked.
    if (LOOPBACK.test(name)) return [{ address: '127.0.0.1' }, { address: '::1' }]
    return ask(name, within_ms, servers)
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

/** Rejects with the system's code: ENOTFOUND, ENODATA, ETIMEOUT, or what else went wrong. */
const ask = async (name: string, within_ms: number, servers: readonly string[]): Promise<Addresses> => {
  // A resolver for each question: dropping all of its questions drops nobody else's. A question is sent twice.
  const resolver = new Resolver({ timeout: Math.ceil(within_ms / 3), tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const drop = (): void => resolver.cancel()
  const late = setTimeout(drop, within_ms)
  let other: NodeJS.Timeout | undefined
  const waitForOther = (found: readonly string[]): readonly string[] => {
    other ??= setTimeout(drop, otherFamily_ms)
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
  throw worst(answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as NodeJS.ErrnoException] : [])))
}

/** That a name has no address of one family says little, when nothing is known of the other. */
const worst = (faults: readonly NodeJS.ErrnoException[]): Error => {
  const fault = faults.find(({ code }) => code !== 'ENODATA') ?? faults[0]!
  return fault.code === 'ECANCELLED'
    ? Object.assign(new Error('no answer', { cause: fault }), { code: 'ETIMEOUT' })
    : fault
}

/** The names of the file, in small letters, with their addresses in its order. No file: no names. */
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

/** The operator's setting: addresses, each with a port or without. `error` is a sentence without the setting's name. */
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
