/**
 * The steps of a call that a phone signs. An unknown phone and a wrong signature get the same answer. A phone that was
 * paired again has two secrets until the new one is used; from that call on the old one is invalid on every node. Therefore
 * a signature that does not match the newest cached secret is always checked against the database.
 */
import type { FastifyRequest } from 'fastify'
import type { Instant } from '../../core/clock.ts'
import { newSecret, type PhoneId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { KnownPhone, PhoneLookup } from '../../wallets/phones/phone-lookup.ts'
import type { PhoneSecrets } from '../../wallets/phones/phone-secrets.ts'
import { usePhoneSecret } from '../../wallets/phones/phone-sql.ts'
import { invalid, throttled } from '../answers.ts'
import { requireNotMoved } from '../moved-account.ts'
import type { Api } from '../routes/add-routes.ts'
import type { OpenCall } from '../routes/route.ts'
import { uuidOfText } from '../uuid.ts'
import {
  bytesOf,
  clockSkew,
  countedRefusal,
  header,
  notSigned,
  type PhoneRouteDeps,
  take,
  wrongSignature,
} from './phone-route.ts'
import { hashIn, isValidSignature, signedText } from './signature.ts'

export type SignedDeps = PhoneRouteDeps & {
  readonly db: Db
  readonly zone: Zone
  readonly secrets: PhoneSecrets
  readonly knownPhones: PhoneLookup
}

/** A call that a phone has signed. */
export type SignedCall = OpenCall & { readonly phone: KnownPhone; readonly requestId: string }

type Signer = { readonly phone: KnownPhone; readonly secret: 'newest' | 'previous' }

const mostClockSkew_ms = 300_000
const names = {
  device: 'x-service-device',
  requestId: 'x-service-request-id',
  timestamp: 'x-service-timestamp',
  signature: 'x-service-device-signature',
} as const

type SignatureHeaders = { readonly [name in keyof typeof names]: string }

const sentHeaders = (request: FastifyRequest): SignatureHeaders | undefined => {
  const device = header(request, names.device)
  const requestId = header(request, names.requestId)
  const timestamp = header(request, names.timestamp)
  const signature = header(request, names.signature)
  if (device === undefined || requestId === undefined || timestamp === undefined || signature === undefined)
    return undefined
  return { device, requestId, timestamp, signature }
}

export const signedApi = (deps: SignedDeps): Api<SignedCall, Signer> => ({
  clock: deps.clock,
  configOf: () => ({}),
  /** A request without a signature is refused at once. */
  async beforeBody(request, now) {
    if (sentHeaders(request) === undefined) throw await countedRefusal(deps, request, notSigned(), now)
  },
  authenticate: (request, _, now) => signerOf(deps, request, now),
  async count({ phone }, _request, _operation, now) {
    const verdict = await take(deps, 'device', phone.id, now)
    if (!verdict.allowed) throw throttled(verdict.retryAfterS)
  },
  /** An old call is refused; the first call with a new secret ends the old one. */
  async permit({ phone, secret }, request, _, now) {
    const sent = sentHeaders(request)!
    const requestId = readHeaders(sent)
    if (Math.abs(Number(sent.timestamp) * 1000 - now) > mostClockSkew_ms) throw clockSkew(now)
    if (secret === 'newest' && !phone.secretUsed) {
      await usePhoneSecret(deps.db, wholeAccount(phone.accountId), phone.id, phone.secretVersion)
      deps.knownPhones.forget(phone.id)
    }
    return { phone, requestId, now, zone: () => deps.zone }
  },
})

// The unsealed secrets of cached phones. Unsealing costs some hundred times as much as finding the secret here,
// and more than the signature does.
const unsealedSecrets = new WeakMap<Buffer, string>()

// Used for phones that do not exist, so that a signature is computed for them too.
const unusedSecret = newSecret()

/** The phone that signed the request, and with which of its secrets. */
const signerOf = async (deps: SignedDeps, request: FastifyRequest, now: Instant): Promise<Signer> => {
  const sent = sentHeaders(request)!
  const path = (request.raw.url ?? '').split('?', 1)[0]!
  const text = signedText({ ...sent, method: request.method, path, body: bytesOf(request) })
  const hash = hashIn(sent.signature)

  const signedBy = (phone: KnownPhone | undefined): Signer['secret'] | undefined => {
    const { unsealSecret } = deps.secrets
    const unsealed = (sealed: Buffer | null | undefined): string | undefined => {
      if (phone === undefined || sealed == null) return undefined
      const cached = unsealedSecrets.get(sealed)
      if (cached !== undefined) return cached
      const secret = unsealSecret(phone.id, sealed)
      unsealedSecrets.set(sealed, secret)
      return secret
    }
    const newest = unsealed(phone?.secretSealed)
    const previous = phone?.secretUsed ? undefined : unsealed(phone?.previousSecretSealed)
    if (isValidSignature(newest ?? unusedSecret, [text], hash) && newest !== undefined) return 'newest'
    return previous !== undefined && isValidSignature(previous, [text], hash) ? 'previous' : undefined
  }

  const id = uuidOfText(sent.device) as PhoneId | undefined
  let phone = id && (await deps.knownPhones.byId(id, now))
  // The phone may have another secret in the cell in which its account is used.
  if (phone !== undefined) requireNotMoved(request.server, phone.accountId)
  let secret = signedBy(phone)
  if (phone !== undefined && secret !== 'newest') {
    phone = await deps.knownPhones.load(phone.id)
    secret = signedBy(phone)
  }
  if (phone === undefined || secret === undefined) throw await countedRefusal(deps, request, wrongSignature(), now)
  return { phone, secret }
}

/** The signature is right, so an invalid header is a mistake of the phone's program: the answer names the header. */
const readHeaders = (sent: SignatureHeaders): string => {
  const requestId = uuidOfText(sent.requestId)
  const errors = []
  if (requestId === undefined)
    errors.push({ code: 'invalid', detail: 'Must be a valid UUID.', attr: 'X-Service-Request-Id' })
  if (!/^\d{1,15}$/.test(sent.timestamp))
    errors.push({ code: 'invalid', detail: 'A valid integer is required.', attr: 'X-Service-Timestamp' })
  if (requestId === undefined || errors.length > 0) throw invalid(errors)
  return requestId
}
