/**
 * The headers of a delivery, and what its log keeps of them. Most of what is sent stands in the log's other columns already,
 * or is the same for all: only the signature, who sent it, and which headers of their own the merchant had are kept, the values
 * of those hidden. Pure.
 */
import { shownHeaders } from '../endpoints/endpoint.ts'

export type Headers = Readonly<Record<string, string>>

/** What a delivery says of itself. */
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

/** As JSON. `sent` undefined: it was never sent, nothing is known. */
export const keptRequest = (url: string, own: Headers, sent: Headers | undefined): string => {
  if (sent === undefined) return JSON.stringify({ url, headers: {} })
  const { 'user-agent': agent, 'x-service-signature': signature } = sent
  return JSON.stringify({
    url,
    headers: { ...shownHeaders(own), 'user-agent': agent, 'x-service-signature': signature },
  })
}

/** The request again, from what was kept. Older logs kept it whole. */
export const wholeRequest = (kept: string, naming: Naming): { readonly url: string; readonly headers: Headers } => {
  const { url, headers } = JSON.parse(kept) as { url: string; headers: Headers }
  const { 'user-agent': userAgent, 'x-service-signature': signature, ...own } = headers
  if (userAgent === undefined || signature === undefined) return { url, headers: shownHeaders(headers) }
  return { url, headers: requestHeaders(shownHeaders(own), naming, { userAgent, signature }) }
}
