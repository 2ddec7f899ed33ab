/**
 * Opens a connection to a receiver through the guard: its name is resolved once, all its addresses are checked, and the
 * connection goes to those addresses without another lookup, so that DNS rebinding has no effect. The name is still used for
 * SNI and for the check of the certificate. The caller uses the connection.
 */
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Cidr } from '../../core/cidr.ts'
import { whyRefused } from './address.ts'
import { type GuardedAddress, type Resolve, resolveGuarded } from './guard-url.ts'

export type ConnectOptions = {
  readonly resolve: Resolve
  readonly allow: readonly Cidr[]
  readonly dns_ms: number
  /** For the connection and the TLS handshake together. */
  readonly connect_ms: number
  /** Certificate authorities instead of the machine's. */
  readonly ca?: string
  readonly signal: AbortSignal
}

export type Target = { readonly hostname: string; readonly port: number; readonly secure: boolean }

/** Null: the stage was not reached, or was not needed (an address in the URL needs no DNS). */
export type Stages = { readonly dns_ms: number | null; readonly connect_ms: number | null }

export type Connected = Stages & { readonly ok: true; readonly socket: Socket; readonly address: string }

export type Unconnected = Stages & {
  readonly ok: false
  readonly outcome: 'dns' | 'refused' | 'timeout' | 'network' | 'tls'
  readonly error: string
  readonly address?: string
}

const STOPPED = 'The call was stopped.'

const since = (start: number): number => Math.round(performance.now() - start)

export const connectGuarded = async (target: Target, options: ConnectOptions): Promise<Connected | Unconnected> => {
  const literal = isIP(target.hostname) !== 0
  const started = performance.now()
  const resolution = await resolveGuarded(target.hostname, { ...options, timeout_ms: options.dns_ms })
  const dns_ms = literal ? null : since(started)
  if (!resolution.ok) {
    const outcome = resolution.code === 'dns' ? 'dns' : 'refused'
    const where = resolution.address === undefined ? {} : { address: resolution.address }
    return { ok: false, outcome, error: resolution.detail, dns_ms, connect_ms: null, ...where }
  }
  if (options.signal.aborted) return { ok: false, outcome: 'network', error: STOPPED, dns_ms, connect_ms: null }
  const began = performance.now()
  const ended = await open(target, resolution.addresses, options)
  return { ...ended, dns_ms, connect_ms: since(began) }
}

type Opening =
  | { readonly ok: true; readonly socket: Socket; readonly address: string }
  | { readonly ok: false; readonly outcome: Unconnected['outcome']; readonly error: string; readonly address?: string }

const open = (target: Target, addresses: readonly GuardedAddress[], options: ConnectOptions): Promise<Opening> =>
  new Promise((done) => {
    const { hostname, port, secure } = target
    // Called only for names. An address in the URL was checked by resolveGuarded like any other.
    const pinned: LookupFunction = (_name, { all }, answer) => {
      if (all === true) answer(null, [...addresses])
      else answer(null, addresses[0]!.address, addresses[0]!.family)
    }
    const tcp = { host: hostname, port, lookup: pinned, noDelay: true, keepAlive: true }
    const socket = secure
      ? connectTls({
          ...tcp,
          ALPNProtocols: ['http/1.1'],
          rejectUnauthorized: true,
          ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
          ...(options.ca === undefined ? {} : { ca: options.ca }),
        })
      : connectTcp(tcp)

    let remoteAddress: string | undefined
    let ended = false
    const end = (opening: Opening): void => {
      if (ended) return
      ended = true
      clearTimeout(timer)
      options.signal.removeEventListener('abort', stop)
      if (!opening.ok) socket.destroy()
      done(opening)
    }
    const fail = (outcome: Unconnected['outcome'], error: string): void =>
      end({ ok: false, outcome, error, ...(remoteAddress === undefined ? {} : { address: remoteAddress }) })
    const stop = (): void => fail('network', STOPPED)
    const timer = setTimeout(() => {
      const delay = remoteAddress === undefined ? 'could not be connected to' : 'did not finish the TLS handshake'
      fail('timeout', `The receiver ${delay} within ${options.connect_ms / 1000} s.`)
    }, options.connect_ms)
    options.signal.addEventListener('abort', stop)

    socket.once('connect', () => {
      remoteAddress = socket.remoteAddress
      // The final check: the address at the other end, however the connection was opened.
      const why = remoteAddress === undefined ? null : whyRefused(remoteAddress, options.allow)
      if (remoteAddress === undefined) fail('network', 'The receiver closed the connection at once.')
      else if (why !== null) fail('refused', `The connection led to an address that is not public (${why}).`)
      else if (!secure) end({ ok: true, socket, address: remoteAddress })
    })
    if (secure) socket.once('secureConnect', () => end({ ok: true, socket, address: remoteAddress! }))
    // This listener stays for the life of the socket: a socket that nobody uses has no other listener for errors.
    socket.on('error', (fault: NodeJS.ErrnoException) => {
      if (remoteAddress === undefined) fail('network', tcpSentence(fault))
      else fail(secure ? 'tls' : 'network', secure ? tlsSentence(fault) : tcpSentence(fault))
    })
  })

const TCP: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens at the receiver: the connection was refused.',
  ECONNRESET: 'The receiver reset the connection.',
  EHOSTUNREACH: 'The receiver cannot be reached (host unreachable).',
  ENETUNREACH: 'The receiver cannot be reached (network unreachable).',
  ETIMEDOUT: 'The receiver could not be connected to in time.',
}

const tcpSentence = ({ code }: NodeJS.ErrnoException): string =>
  TCP[code ?? ''] ?? `The receiver could not be connected to (${code ?? 'no code'}).`

const TLS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it does not send the intermediate certificates',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS at this port',
  EPROTO: 'it speaks no version of TLS that we speak',
  ECONNRESET: 'it closed the connection in the middle of the handshake',
}

const tlsSentence = ({ code }: NodeJS.ErrnoException): string =>
  `The receiver cannot be trusted or understood: ${TLS[code ?? ''] ?? `TLS failed (${code ?? 'no code'})`}.`
