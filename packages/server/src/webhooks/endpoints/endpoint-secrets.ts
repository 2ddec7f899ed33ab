/**
 * The secrets of an endpoint: its signing secrets, and the values of its custom headers, which are often passwords. They must be
 * read again, so they are sealed: bound to the endpoint, with a key for each kind.
 */
import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { EndpointId } from '../../core/ids.ts'
import { type Keys, type Sealer, sealerFor } from '../../core/seal.ts'

export type EndpointSecrets = {
  seal(id: EndpointId, secret: string): Buffer
  unseal(sealed: Buffer, id: EndpointId): string
  /** As JSON: names as they are, values sealed. */
  sealHeaders(id: EndpointId, headers: Readonly<Record<string, string>>): string
  unsealHeaders(sealed: string, id: EndpointId): Record<string, string>
}

export const newWebhookSecret = (bytes: number): string => `whsec_${randomBytes(bytes).toString('base64url')}`

export const endpointSecrets = (keys: Keys): EndpointSecrets => {
  const secrets = sealerFor(keys, 'webhook secrets')
  const values = sealerFor(keys, 'webhook headers')
  const each = (headers: Readonly<Record<string, string>>, change: (value: string) => string): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]))
  // The same few are unsealed for every delivery. The key is the sealed text: another secret has another one.
  const opened = new LRUCache<string, string>({ max: 2_000 })
  const unsealOnce = (sealer: Sealer, sealed: Buffer, id: EndpointId): string => {
    const name = `${id} ${sealed.toString('latin1')}`
    const known = opened.get(name)
    if (known !== undefined) return known
    const secret = sealer.unseal(sealed, id)
    opened.set(name, secret)
    return secret
  }
  return {
    seal: (id, secret) => secrets.seal(secret, id),
    unseal: (sealed, id) => unsealOnce(secrets, sealed, id),
    sealHeaders: (id, headers) => JSON.stringify(each(headers, (value) => values.seal(value, id).toString('base64'))),
    unsealHeaders: (sealed, id) =>
      sealed === '{}' ? {} : each(JSON.parse(sealed), (value) => unsealOnce(values, Buffer.from(value, 'base64'), id)),
  }
}
