/**
 * Builds a report from the fields that a phone or an app sent. Fields that cannot be read are left empty: an authenticated
 * report is never refused for its content. The code that stores the report shortens it if necessary.
 */
import { createHash } from 'node:crypto'
import type { Report } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import { timeOrderedId } from '../../core/ids.ts'
import { type Json, JsonNumber } from '../body/json.ts'

/** A report with the given fields; the others are empty. */
export const reportOf = (fields: Partial<Report> & Pick<Report, 'clientId' | 'text'>): Report => ({
  kind: 'sms',
  sender: '',
  package: '',
  title: '',
  simSlot: '',
  sentAt: null,
  phoneReceivedAt: null,
  ...fields,
})

/**
 * An id for a message without one. It is the same when the message comes again. A message without any time gets a new id
 * each time and is stored each time: matching decides by its content whether it repeats another.
 */
export const derivedId = (
  prefix: string,
  message: Pick<Report, 'sender' | 'text' | 'sentAt' | 'phoneReceivedAt'> & { readonly title?: string },
  now: Instant,
): string => {
  const { sender, text, sentAt, phoneReceivedAt, title = '' } = message
  if (sentAt === null && phoneReceivedAt === null) return `${prefix}:${timeOrderedId<string>(now)}`
  // A title may change what the text says.
  const rest = [sentAt, phoneReceivedAt, ...(title === '' ? [] : [title])]
  return `${prefix}:${createHash('sha256')
    .update(JSON.stringify([sender, text, ...rest]))
    .digest('hex')}`
}

/** A text, or a number in its original digits. */
export const textIn = (value: Json | undefined): string | undefined => {
  if (typeof value === 'string') return value
  return value instanceof JsonNumber ? value.source : undefined
}

const SLOT = /^\s*(?:sim[-_ ]?)?([12])(?![0-9])/i
const SIM_PREFIX = /^\s*sim/i

/** `SIM1`, `sim2`, `1`, and `SIM1_Yemen Mobile`; anything else is no slot. */
export const slotIn = (value: Json | undefined): Report['simSlot'] => {
  const sent = textIn(value) ?? ''
  const slot = SLOT.exec(sent)?.[1]
  if (slot === undefined || (!SIM_PREFIX.test(sent) && sent.trim() !== slot)) return ''
  return slot === '1' ? 'SIM1' : 'SIM2'
}
