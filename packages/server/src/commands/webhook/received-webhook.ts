/**
 * One webhook as `sanad listen` shows it: as lines, or as one JSON object. Pure. Its content came from outside, so
 * nothing in it may move the cursor, change colours or change the direction of the line.
 */
import type { ForwardResult } from '@sanad/sdk/forward'

/** `unchecked`: there is no secret to check it with. */
export type SignatureFinding =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly code: string; readonly why: string }
  | { readonly kind: 'unchecked' }

export type ReceivedWebhook = {
  /** Local time, `12:04:05`. */
  readonly time: string
  readonly at: string
  readonly path: string
  readonly signature: SignatureFinding
  readonly eventId: string | null
  readonly deliveryId: string | null
  readonly attempt: string | null
  /** A test send, not a payment. */
  readonly test: boolean
  /** This event id came before, since the listening began. */
  readonly again: boolean
  readonly body: string
  readonly forwarded: (ForwardResult & { readonly to: string }) | null
  readonly answered: number
}

const longest = 300
const mostFields = 40

// Control characters, and those that are invisible or change the direction; but not the joiners, which are part of
// words and emoji.
const unsafe = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')

/** What is invisible is shown: a reference with a mark of direction in it is another reference. */
export const plain = (text: string): string => text.replace(unsafe, escaped)

const short = (text: string): string => {
  const characters = [...text]
  return characters.length <= longest ? text : `${characters.slice(0, longest).join('')}…`
}

const fieldsOf = (body: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** `1,500.00 YER`; an amount that is not a decimal is shown as it came. */
const money = (amount: unknown, currency: unknown): string => {
  if (amount === undefined) return ''
  const text = written(amount)
  const grouped = /^\d+(\.\d+)?$/.test(text) ? text.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',') : text
  return currency === undefined ? grouped : `${grouped} ${written(currency)}`
}

const signatureText = (finding: SignatureFinding): string => {
  if (finding.kind === 'right') return 'right'
  if (finding.kind === 'unchecked') return 'not checked (give the secret with --secret)'
  return `WRONG (${finding.code}): ${finding.why}`
}

const forwardText = (forwarded: NonNullable<ReceivedWebhook['forwarded']>): string => {
  const outcome =
    forwarded.kind === 'failed'
      ? `failed: ${forwarded.error}`
      : `${forwarded.status}${forwarded.location === null ? '' : `, to ${forwarded.location} (not followed)`}`
  return `${outcome}, ${forwarded.took_ms} ms, from ${forwarded.to}`
}

/** How a terminal marks what matters. */
export type Paint = { title(text: string): string; wrong(text: string): string }
const noPaint: Paint = { title: (text) => text, wrong: (text) => text }

/** One field for each line: then text of either direction follows its name alone, and reads rightly. */
export const linesOf = (received: ReceivedWebhook, paint: Paint = noPaint): string[] => {
  const { event, amount, currency, ...rest } = fieldsOf(received.body) ?? {}
  const kind = event === undefined ? 'not an event' : written(event)
  const title = [received.time, kind, money(amount, currency), received.test ? '(test send)' : '']
    .filter((part) => part !== '')
    .join('  ')
  const fields: [string, string][] = [['signature', signatureText(received.signature)]]
  if (event === undefined) fields.push(['body', received.body === '' ? '(empty)' : received.body])
  else for (const [name, value] of Object.entries(rest).slice(0, mostFields)) fields.push([name, written(value)])
  // By their own names: the body's event_id is another id.
  fields.push([
    'X-Service-Event-Id',
    `${received.eventId ?? '(none)'}${received.again ? '  (seen before: drop it)' : ''}`,
  ])
  fields.push(['X-Service-Delivery-Id', received.deliveryId ?? '(none)'])
  fields.push(['X-Service-Attempt', received.attempt ?? '(none)'])
  if (received.forwarded !== null) fields.push(['forwarded', forwardText(received.forwarded)])
  fields.push(['answered', String(received.answered)])
  const width = Math.min(Math.max(...fields.map(([name]) => name.length)), 30)
  const lines = fields.map(([name, value]) => `  ${short(plain(name)).padEnd(width)}  ${short(plain(value))}`)
  if (received.signature.kind === 'wrong') lines[0] = paint.wrong(lines[0]!)
  return [paint.title(short(plain(title))), ...lines]
}

/** `body` is the parsed event, or the text where it is none. */
export const jsonOf = (received: ReceivedWebhook): string => {
  const { at, path, signature, eventId, deliveryId, attempt, test, again, forwarded, answered, body } = received
  const ids = { event_id: eventId, delivery_id: deliveryId, attempt, test, again }
  return plain(JSON.stringify({ at, path, signature, ...ids, forwarded, answered, body: fieldsOf(body) ?? body }))
}
