/**
 * Passkeys (WebAuthn). A passkey is bound to the host of the service's address, unlocks only after the authenticator has recognised
 * its user (fingerprint, face, PIN), and so stands for password and code together. Which maker the authenticator has is not asked
 * (attestation `none`). Pure, apart from what the library verifies.
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { UserId } from '../../core/ids.ts'
import { challengeLife_ms } from './passkey-challenge.ts'

/** The library has many modules: it is loaded when the first passkey is used, not at the start. */
const library = () => import('@simplewebauthn/server')

export const mostPasskeys = 20

/** EdDSA, ES256 and RS256: what authenticators have. */
const algorithms = [-8, -7, -257]

/** The host that passkeys are bound to; undefined: an address without a name, for which browsers have no passkeys. */
export const relyingPartyOf = (origin: string): string | undefined => {
  const host = new URL(origin).hostname
  return /^[\d.]+$|:|^\[/.test(host) ? undefined : host
}

/** What the authenticator stores as the user: no name and no address. */
const handleOf = (userId: UserId): string => Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')

/** `transports`: with commas, as it is stored. */
type Known = { readonly credential_id: Buffer; readonly transports: string }
const descriptors = (known: readonly Known[]) =>
  known.map(({ credential_id, transports }) => ({
    id: credential_id.toString('base64url'),
    type: 'public-key' as const,
    transports: transports.split(',').filter((transport) => transport !== ''),
  }))

export const creationOptions = (
  host: string,
  challenge: string,
  user: { readonly userId: UserId; readonly email: string; readonly name: string },
  known: readonly Known[],
) => ({
  challenge,
  rp: { id: host, name: 'Sanad' },
  user: { id: handleOf(user.userId), name: user.email, displayName: user.name === '' ? user.email : user.name },
  pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' as const })),
  timeout: challengeLife_ms,
  attestation: 'none' as const,
  excludeCredentials: descriptors(known),
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true,
    userVerification: 'required' as const,
  },
})

/** Without `known` the browser offers every passkey that it has for the host. */
export const requestOptions = (host: string, challenge: string, known: readonly Known[] = []) => ({
  challenge,
  rpId: host,
  timeout: challengeLife_ms,
  userVerification: 'required' as const,
  allowCredentials: descriptors(known),
})

export type SentRegistration = {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports?: readonly string[] | undefined
  }
}
export type SentAssertion = {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string | null | undefined
  }
}

/** The challenge in what the browser signed; it is checked here and by the library. */
export const challengeIn = (clientData: string): string => {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8'))
    const { challenge } = parsed as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

export type NewCredential = {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly synced: boolean
}

/** Undefined: it was made for another origin, host or challenge, without the user being recognised, or it is broken. */
export const readRegistration = async (
  sent: SentRegistration,
  expected: { readonly challenge: string; readonly origin: string; readonly host: string },
): Promise<NewCredential | undefined> => {
  const response = {
    id: sent.id,
    rawId: sent.id,
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: sent.response.clientDataJSON, attestationObject: sent.response.attestationObject },
  } satisfies RegistrationResponseJSON
  const { verifyRegistrationResponse } = await library()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: expected.host,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) return undefined
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      synced: credentialBackedUp,
    }
  } catch {
    // The library throws for everything that a stranger may send.
    return undefined
  }
}

/** The new counter; undefined: as above, or the signature is not of this passkey, or its counter did not grow. */
export const readAssertion = async (
  sent: SentAssertion,
  passkey: { readonly public_key: Buffer; readonly counter: number; readonly user_id: UserId },
  expected: { readonly challenge: string; readonly origin: string; readonly host: string },
): Promise<{ readonly counter: number } | undefined> => {
  const { clientDataJSON, authenticatorData, signature, userHandle } = sent.response
  if (userHandle != null && userHandle !== handleOf(passkey.user_id)) return undefined
  const response = {
    id: sent.id,
    rawId: sent.id,
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON, authenticatorData, signature },
  } satisfies AuthenticationResponseJSON
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: expected.host,
      credential: { id: sent.id, publicKey: new Uint8Array(passkey.public_key), counter: passkey.counter },
      requireUserVerification: true,
    })
    return verified ? { counter: authenticationInfo.newCounter } : undefined
  } catch {
    return undefined
  }
}
