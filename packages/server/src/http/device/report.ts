/**
 * A report made from what an app sent. Fields that cannot be read are left empty: an authenticated alert is never
 * refused for its content. Shortening it to what can be stored happens where it is stored.
 */
import { createHash } from 'node:crypto'
import type { Report } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import { timeOrderedId } from '../../core/ids.ts'
import { type Json, JsonNumber } from '../body/json.ts'

/** Of a report, what is known; the rest is empty. */
export const reportOf = (known: Partial<Report> & Pick<Report, 'clientId' | 'text'>): Report => ({
  kind: 'sms',
  sender: '',
  package: '',
  title: '',
  simSlot: '',
  sentAt: null,
  phoneReceivedAt: null,
  ...known,
})

/**
 * An id for a message that came without one, the same when the message comes again. A message without any time of its
 * own gets a new one each time, so that it is stored each time: whether it repeats another is decided by its content.
 */
export const derivedId = (
  prefix: string,
  message: Pick<Report, 'sender' | 'text' | 'sentAt' | 'phoneReceivedAt'>,
  now: Instant,
): string => {
  const { sender, text, sentAt, phoneReceivedAt } = message
  if (sentAt === null && phoneReceivedAt === null) return `${prefix}:${timeOrderedId<string>(now)}`
  const when = [sentAt, phoneReceivedAt]
  return `${prefix}:${createHash('sha256')
    .update(JSON.stringify([sender, text, ...when]))
    .digest('hex')}`
}

/** Text, or a number as it was written. */
export const textIn = (value: Json | undefined): string | undefined => {
  if (typeof value === 'string') return value
  return value instanceof JsonNumber ? value.source : undefined
}

const SLOT = /^\s*(?:sim[-_ ]?)?([12])(?![0-9])/i
const NAMED = /^\s*sim/i

/** `SIM1`, `sim2`, `1`, and `SIM1_Yemen Mobile`; anything else is no slot. */
export const slotIn = (value: Json | undefined): Report['simSlot'] => {
  const sent = textIn(value) ?? ''
  const slot = SLOT.exec(sent)?.[1]
  if (slot === undefined || (!NAMED.test(sent) && sent.trim() !== slot)) return ''
  return slot === '1' ? 'SIM1' : 'SIM2'
}
