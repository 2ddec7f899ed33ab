/**
 * A browser's subscription to notifications: an address at its push service and the keys to encrypt for it, as the browser's
 * PushSubscription has them. Address and keys are stored sealed. Pure.
 */
import { createECDH } from 'node:crypto'
import { fingerprint, type Keys, sealerFor } from '../core/seal.ts'

export type Subscription = {
  readonly endpoint: string
  /** The browser's public key: 65 bytes, a point of P-256, in base64url. */
  readonly p256dh: string
  /** 16 bytes in base64url. */
  readonly auth: string
}

/** Which of the two keys is no key; undefined: both are. */
export const keyFault = ({ p256dh, auth }: Pick<Subscription, 'p256dh' | 'auth'>): 'p256dh' | 'auth' | undefined => {
  if (Buffer.from(auth, 'base64url').length !== 16) return 'auth'
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== 65 || point[0] !== 4) return 'p256dh'
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  try {
    curve.computeSecret(point)
    return undefined
  } catch {
    // The point is not on the curve.
    return 'p256dh'
  }
}

export const addressHash = (endpoint: string): Buffer => fingerprint(endpoint)

export type SubscriptionSealer = {
  seal(id: string, subscription: Subscription): Buffer
  unseal(id: string, sealed: Buffer): Subscription
}

export const subscriptionSealer = (keys: Keys): SubscriptionSealer => {
  const sealer = sealerFor(keys, 'push subscriptions')
  return {
    seal: (id, { endpoint, p256dh, auth }) => sealer.seal(JSON.stringify({ endpoint, p256dh, auth }), id),
    unseal: (id, sealed) => JSON.parse(sealer.unseal(sealed, id)) as Subscription,
  }
}
