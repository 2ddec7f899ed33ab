/**
 * The headers of a delivery, and what the log stores of them. Most of them are in other columns of the log already, or are always
 * the same: so only the signature, the user agent and the names of custom headers are stored, with their values hidden. Pure.
 */
import { shownHeaders } from '../endpoints/endpoint.ts'

export type Headers = Readonly<Record<string, string>>

/** The ids that a request carries. */
export type Naming = { readonly eventId: string; readonly deliveryId: string; readonly attempt: number }

type Signed = { readonly userAgent: string; readonly signature: string }

export const requestHeaders = (own: Headers, naming: Naming, { userAgent, signature }: Signed): Headers => ({
  ...own,
  'content-type': 'application/json',
  'user-agent': userAgent,
  'x-service-event-id': naming.eventId,
  'x-service-delivery-id': naming.deliveryId,
  'x-service-attempt': String(naming.attempt),
  'x-service-signature': signature,
})

/** As JSON. `sent` undefined: the request was never sent. */
export const keptRequest = (url: string, own: Headers, sent: Headers | undefined): string => {
  if (sent === undefined) return JSON.stringify({ url, headers: {} })
  const { 'user-agent': agent, 'x-service-signature': signature } = sent
  return JSON.stringify({
    url,
    headers: { ...shownHeaders(own), 'user-agent': agent, 'x-service-signature': signature },
  })
}

/** The request, from what was stored. Older entries hold all of it. */
export const wholeRequest = (kept: string, naming: Naming): { readonly url: string; readonly headers: Headers } => {
  const { url, headers } = JSON.parse(kept) as { url: string; headers: Headers }
  const { 'user-agent': userAgent, 'x-service-signature': signature, ...own } = headers
  if (userAgent === undefined || signature === undefined) return { url, headers: shownHeaders(headers) }
  return { url, headers: requestHeaders(shownHeaders(own), naming, { userAgent, signature }) }
}
