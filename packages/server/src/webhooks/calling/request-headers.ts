/**
 * The headers of a delivery, and what the log stores of them. Most headers are in other columns of the log, or are always the
 * same. So the log stores only the signature, the user agent, the mark of test money and the names of custom headers, with their
 * values hidden. Pure.
 */
import { shownHeaders } from './custom-headers.ts'

export type Headers = Readonly<Record<string, string>>

/** The ids that a request carries. */
export type RequestIds = { readonly eventId: string; readonly deliveryId: string; readonly attempt: number }

/** `isTest`: no money arrived: the event is of the test wallet, or made up. */
type Signed = { readonly userAgent: string; readonly signature: string; readonly isTest: boolean }

const testHeader = { 'x-service-test': 'true' } as const

export const requestHeaders = (
  customHeaders: Headers,
  ids: RequestIds,
  { userAgent, signature, isTest }: Signed,
): Headers => ({
  ...customHeaders,
  'content-type': 'application/json',
  'user-agent': userAgent,
  'x-service-event-id': ids.eventId,
  'x-service-delivery-id': ids.deliveryId,
  'x-service-attempt': String(ids.attempt),
  'x-service-signature': signature,
  ...(isTest ? testHeader : {}),
})

/** The request as the log stores it, as JSON. `sent`: undefined if the request was never sent. */
export const storedRequest = (url: string, customHeaders: Headers, sent: Headers | undefined): string => {
  if (sent === undefined) return JSON.stringify({ url, headers: {} })
  const { 'user-agent': agent, 'x-service-signature': signature, 'x-service-test': test } = sent
  const own = { 'user-agent': agent, 'x-service-signature': signature, ...(test === undefined ? {} : testHeader) }
  return JSON.stringify({ url, headers: { ...shownHeaders(customHeaders), ...own } })
}

/** The whole request, from what the log stores. Older entries contain all headers. */
export const restoreRequest = (
  stored: string,
  ids: RequestIds,
): { readonly url: string; readonly headers: Headers } => {
  const { url, headers } = JSON.parse(stored) as { url: string; headers: Headers }
  const {
    'user-agent': userAgent,
    'x-service-signature': signature,
    'x-service-test': test,
    ...customHeaders
  } = headers
  if (userAgent === undefined || signature === undefined) return { url, headers: shownHeaders(headers) }
  const signed = { userAgent, signature, isTest: test !== undefined }
  return { url, headers: requestHeaders(shownHeaders(customHeaders), ids, signed) }
}
