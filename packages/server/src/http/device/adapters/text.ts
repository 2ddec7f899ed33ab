/**
 * Plain text, for MacroDroid, Tasker and curl: the body is the message; `?from=` is the sender, `?sim=` the slot, `?at=`
 * the time at which the phone received it, in milliseconds. Nothing is signed.
 */
import { instantIn } from '../../body/instant.ts'
import { derivedId, reportOf, slotIn } from '../report.ts'
import { type Adapter, noReports, textOf } from './adapter.ts'

export const text: Adapter = {
  name: 'text',
  read({ bytes, query, zone, now }) {
    const sent = textOf(bytes)
    if (sent.trim() === '') return noReports
    const message = {
      sender: withPlus(query.get('from') ?? ''),
      text: sent,
      simSlot: slotIn(query.get('sim')),
      sentAt: null,
      phoneReceivedAt: instantIn(query.get('at'), zone),
    }
    return { reports: [reportOf({ ...message, clientId: derivedId(text.name, message, now) })] }
  },
}

// An unescaped `+` at the start of a number arrives as a space.
const withPlus = (sender: string): string => (/^ \d+$/.test(sender) ? `+${sender.slice(1)}` : sender)
