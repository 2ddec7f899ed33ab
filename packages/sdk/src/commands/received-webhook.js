/**
 * One webhook as `sanad listen` shows it: as lines, or as one JSON object. Pure. Its content came from outside, so
 * nothing in it may move the cursor, change colours or change the direction of the line.
 */

/** @import { ForwardResult } from '../../types/forward.d.ts' */
/**
 * `unchecked`: there is no secret to check it with.
 *
 * @typedef {{ kind: 'right' } | { kind: 'wrong', code: string, why: string } | { kind: 'unchecked' }} SignatureFinding
 */
/**
 * `time`: local, `12:04:05`. `test`: a test send, not a payment. `again`: this event id came before, since the command started.
 *
 * @typedef {{ time: string, at: string, path: string, signature: SignatureFinding, eventId: string | null,
 *   deliveryId: string | null, attempt: string | null, test: boolean, again: boolean, body: string,
 *   forwarded: (ForwardResult & { to: string }) | null, answered: number }} ReceivedWebhook
 */
/** Colours for a terminal. @typedef {{ title: (text: string) => string, wrong: (text: string) => string }} Paint */

const longest = 300
const mostFields = 40

// Control characters, invisible ones, and those that change the direction; but not the joiners, which are part of words
// and emoji.
const unsafe = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** @param {string} character */
const escaped = (character) =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('')

/** Makes invisible characters visible: a reference that contains one is another reference. @param {string} text */
export const plain = (text) => text.replace(unsafe, escaped)

/** @param {string} text */
const short = (text) => {
  const characters = [...text]
  return characters.length <= longest ? text : `${characters.slice(0, longest).join('')}…`
}

/** @param {string} body @returns {Record<string, unknown> | undefined} */
const fieldsOf = (body) => {
  try {
    const value = /** @type {unknown} */ (JSON.parse(body))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** @param {unknown} value */
const textOf = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

/** `1,500.00 YER`; an amount that is not a decimal is shown as it came. @param {unknown} amount @param {unknown} currency */
const money = (amount, currency) => {
  if (amount === undefined) return ''
  const text = textOf(amount)
  const grouped = /^\d+(\.\d+)?$/.test(text) ? text.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',') : text
  return currency === undefined ? grouped : `${grouped} ${textOf(currency)}`
}

/** @param {SignatureFinding} finding */
const signatureText = (finding) => {
  if (finding.kind === 'right') return 'right'
  if (finding.kind === 'unchecked') return 'not checked (give the secret with --secret)'
  return `WRONG (${finding.code}): ${finding.why}`
}

/** @param {NonNullable<ReceivedWebhook['forwarded']>} forwarded */
const forwardText = (forwarded) => {
  const outcome =
    forwarded.kind === 'failed'
      ? `failed: ${forwarded.error}`
      : `${forwarded.status}${forwarded.location === null ? '' : `, to ${forwarded.location} (not followed)`}`
  return `${outcome}, ${forwarded.took_ms} ms, from ${forwarded.to}`
}

/** @type {Paint} */
const noPaint = { title: (text) => text, wrong: (text) => text }

/**
 * One field per line, so that text of either direction is shown correctly beside its name.
 *
 * @param {ReceivedWebhook} received
 * @param {Paint} paint
 */
export const linesOf = (received, paint = noPaint) => {
  const { event, amount, currency, ...rest } = fieldsOf(received.body) ?? {}
  const kind = event === undefined ? 'not an event' : textOf(event)
  const title = [received.time, kind, money(amount, currency), received.test ? '(test)' : '']
    .filter((part) => part !== '')
    .join('  ')
  /** @type {[string, string][]} */
  const fields = [['signature', signatureText(received.signature)]]
  if (event === undefined) fields.push(['body', received.body === '' ? '(empty)' : received.body])
  else for (const [name, value] of Object.entries(rest).slice(0, mostFields)) fields.push([name, textOf(value)])
  // Under the names of the headers: the body's event_id is another id.
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
  if (received.signature.kind === 'wrong') lines[0] = paint.wrong(String(lines[0]))
  return [paint.title(short(plain(title))), ...lines]
}

/** `body` is the parsed event, or the text if it is not an event. @param {ReceivedWebhook} received */
export const jsonOf = (received) => {
  const { at, path, signature, eventId, deliveryId, attempt, test, again, forwarded, answered, body } = received
  const ids = { event_id: eventId, delivery_id: deliveryId, attempt, test, again }
  return plain(JSON.stringify({ at, path, signature, ...ids, forwarded, answered, body: fieldsOf(body) ?? body }))
}
