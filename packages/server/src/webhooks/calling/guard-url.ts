/**
 * Which URLs a webhook may be sent to. One guard for saving an endpoint, for testing it and for sending: it checks the URL as
 * written (`guardUrl`, pure), and the addresses that its name resolves to (`resolveGuarded`). connect-guarded.ts ensures that a
 * connection goes to these addresses and to no other.
 */
import { isIP } from 'node:net'
import { type Cidr, rangesContain } from '../../core/cidr.ts'
import { whyRefused } from './address.ts'

export const URL_LENGTH = 2048

export type UrlRefusalCode =
  | 'url_malformed'
  | 'url_too_long'
  | 'url_not_https'
  | 'url_user_info'
  | 'url_fragment'
  | 'url_port'
  | 'url_host'
  | 'url_not_public'

/** `detail` is a sentence for the user who typed the URL. */
export type UrlRefusal = { readonly ok: false; readonly code: UrlRefusalCode; readonly detail: string }

export type GuardOptions = { readonly development: boolean; readonly allow: readonly Cidr[] }

const refusal = (code: UrlRefusalCode, detail: string): UrlRefusal => ({ ok: false, code, detail })

/** The address in a URL's hostname, without brackets; undefined for a name. */
export const literalOf = (hostname: string): string | undefined => {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(bare) === 0 ? undefined : bare
}

const LOOPBACK_NAMES = /(^|\.)(localhost|localdomain)$/
const METADATA_NAMES = /^(metadata(\.google\.internal|\.goog)?|instance-data(\.ec2\.internal)?)$/
const INTERNAL_NAMES = /(^|\.)(local|internal|intranet|lan|home|corp|private|home\.arpa)$/

/** Refuses names of internal networks. Their addresses would be refused too, but the user learns it before any DNS query. */
const nameIsRefused = (name: string, allow: readonly Cidr[]): boolean => {
  const allowed = rangesContain(allow)
  if (LOOPBACK_NAMES.test(name)) return !allowed('127.0.0.1') && !allowed('::1')
  if (METADATA_NAMES.test(name)) return !allowed('169.254.169.254') && !allowed('fd00:ec2::254')
  // If the operator allows some internal range, internal names are accepted too: their addresses are checked when resolved.
  return (INTERNAL_NAMES.test(name) || !name.includes('.')) && allow.length === 0
}

const isName = (name: string): boolean =>
  name.length <= 253 && name.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))

/** Returns the URL in its normal form, which is the one to store and to send to. */
export const guardUrl = (
  text: string,
  { development, allow }: GuardOptions,
): { readonly ok: true; readonly url: URL } | UrlRefusal => {
  const tooLong = refusal('url_too_long', `The address is longer than ${URL_LENGTH} characters.`)
  if (text.length > URL_LENGTH) return tooLong
  // The URL parser removes line breaks and tabs silently; the stored URL must be the one that was typed.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
  if (/[\s\u0000-\u001f\u007f]/.test(text))
    return refusal('url_malformed', 'The address holds a space or a line break.')
  if (!URL.canParse(text))
    return refusal(
      'url_malformed',
      'That is not a web address. Write it whole, such as https://shop.example.com/webhooks.',
    )
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(development && url.protocol === 'http:'))
    return refusal('url_not_https', 'The address must begin with https://.')
  if (url.username !== '' || url.password !== '')
    return refusal('url_user_info', 'The address must not hold a user name or password. Use a custom header instead.')
  if (url.href.includes('#'))
    return refusal('url_fragment', 'The address must not hold a fragment (#...): it is never sent.')
  if (url.href.length > URL_LENGTH) return tooLong
  const port = url.port === '' ? null : Number(url.port)
  if (port === 0 || (port !== null && port < 1024 && port !== 80 && port !== 443 && !development))
    return refusal('url_port', `Port ${port} is not one for webhooks. Use 443, or one from 1024 on.`)

  const literal = literalOf(url.hostname)
  if (literal !== undefined) {
    const why = whyRefused(literal, allow)
    return why === null
      ? { ok: true, url }
      : refusal('url_not_public', `${literal} is not an address on the public internet (${why}).`)
  }
  // A dot at the end means the same host, but certificates do not contain it.
  const name = url.hostname.replace(/\.$/, '')
  if (!isName(name)) return refusal('url_host', 'The host in the address is not a domain name.')
  if (nameIsRefused(name, allow)) return refusal('url_not_public', `${name} is not a name on the public internet.`)
  if (name !== url.hostname) url.hostname = name
  return { ok: true, url }
}

export type GuardedAddress = { readonly address: string; readonly family: 4 | 6 }

/** Every address of a name (resolve-names.ts). Rejects when there is none. */
export type Resolve = (hostname: string) => Promise<readonly { readonly address: string }[]>

export type Resolution =
  | { readonly ok: true; readonly addresses: readonly GuardedAddress[] }
  /** `address`, if present, is for the operator's log: it may reveal the internal network. */
  | { readonly ok: false; readonly code: 'dns' | 'not_public'; readonly detail: string; readonly address?: string }

const dnsSentence = (hostname: string, fault: unknown): string => {
  const code = (fault as { code?: unknown } | null)?.code
  if (code === 'ENOTFOUND' || code === 'ENODATA') return `There is no such host as ${hostname}.`
  return `The name ${hostname} could not be resolved${typeof code === 'string' ? ` (${code})` : ''}.`
}

export type ResolveOptions = {
  readonly resolve: Resolve
  readonly allow: readonly Cidr[]
  readonly timeout_ms?: number
  /** Aborted when the answer is no longer needed. */
  readonly signal?: AbortSignal
}

const LATE = Symbol('late')

/**
 * The addresses that a connection to this host may use: all addresses of its name, if all of them are allowed. One address
 * that is not allowed is enough to refuse, because the network decides which of them a connection uses.
 */
export const resolveGuarded = async (hostname: string, options: ResolveOptions): Promise<Resolution> => {
  const { allow } = options
  const literal = literalOf(hostname)
  const found = literal === undefined ? await lookUp(hostname, options) : [{ address: literal }]
  if (typeof found === 'string') return { ok: false, code: 'dns', detail: found }
  for (const { address } of found) {
    const why = whyRefused(address, allow)
    if (why === null) continue
    const subject = literal === undefined ? `${hostname} leads to an address that` : address
    return { ok: false, code: 'not_public', detail: `${subject} is not on the public internet (${why}).`, address }
  }
  return { ok: true, addresses: found.map(({ address }) => ({ address, family: isIP(address) === 4 ? 4 : 6 })) }
}

/** The addresses of the name, or a sentence that says why they are not known. */
const lookUp = async (
  hostname: string,
  { resolve, timeout_ms = 2000, signal }: ResolveOptions,
): Promise<readonly { readonly address: string }[] | string> => {
  let timer: NodeJS.Timeout | undefined
  let stop = (): void => {}
  const late = new Promise<typeof LATE>((done) => {
    stop = () => done(LATE)
    timer = setTimeout(stop, timeout_ms)
    signal?.addEventListener('abort', stop)
  })
  try {
    const found = await Promise.race([resolve(hostname), late])
    if (found === LATE) return `The name ${hostname} was not resolved within ${timeout_ms / 1000} s.`
    return found.length > 0 ? found : `The name ${hostname} has no address.`
  } catch (fault) {
    return dnsSentence(hostname, fault)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}
