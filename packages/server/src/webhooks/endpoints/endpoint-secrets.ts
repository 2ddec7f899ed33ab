/**
 * The secrets of an endpoint: its signing secrets, the values of its custom headers and the query of its address, which are often
 * passwords. The service
 * must read them again, so they are sealed: bound to the endpoint, with a key for each kind.
 */
import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { EndpointId } from '../../core/ids.ts'
import { type Keys, type Sealer, sealerFor } from '../../core/seal.ts'

/** The columns of an address. */
export type StoredUrl = { readonly url: string; readonly query_sealed: Buffer | null }

export type EndpointSecrets = {
  seal(id: EndpointId, secret: string): Buffer
  unseal(sealed: Buffer, id: EndpointId): string
  /** Returns JSON: the names as they are, the values sealed. */
  sealHeaders(id: EndpointId, headers: Readonly<Record<string, string>>): string
  unsealHeaders(sealed: string, id: EndpointId): Record<string, string>
  /** Null: the address has no query. */
  sealQuery(id: EndpointId, query: string): Buffer | null
  /** The address to call. */
  wholeUrl(stored: StoredUrl, id: EndpointId): string
}

export const newWebhookSecret = (bytes: number): string => `whsec_${randomBytes(bytes).toString('base64url')}`

export const endpointSecrets = (keys: Keys): EndpointSecrets => {
  const secrets = sealerFor(keys, 'webhook secrets')
  const values = sealerFor(keys, 'webhook headers')
  const queries = sealerFor(keys, 'webhook queries')
  const mapValues = (
    headers: Readonly<Record<string, string>>,
    change: (value: string) => string,
  ): Record<string, string> => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]))
  // A cache, because the same few secrets are unsealed for every delivery. Its key contains the sealed text, so that another
  // secret has another key.
  const unsealed = new LRUCache<string, string>({ max: 2_000 })
  const unsealOnce = (sealer: Sealer, sealed: Buffer, id: EndpointId): string => {
    const key = `${id} ${sealed.toString('latin1')}`
    const known = unsealed.get(key)
    if (known !== undefined) return known
    const secret = sealer.unseal(sealed, id)
    unsealed.set(key, secret)
    return secret
  }
  return {
    sealQuery: (id, query) => (query === '' ? null : queries.seal(query, id)),
    wholeUrl: ({ url, query_sealed: sealed }, id) => (sealed === null ? url : url + unsealOnce(queries, sealed, id)),
    seal: (id, secret) => secrets.seal(secret, id),
    unseal: (sealed, id) => unsealOnce(secrets, sealed, id),
    sealHeaders: (id, headers) =>
      JSON.stringify(mapValues(headers, (value) => values.seal(value, id).toString('base64'))),
    unsealHeaders: (sealed, id) =>
      sealed === '{}'
        ? {}
        : mapValues(JSON.parse(sealed), (value) => unsealOnce(values, Buffer.from(value, 'base64'), id)),
  }
}
