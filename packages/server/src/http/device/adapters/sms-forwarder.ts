/**
 * SmsForwarder, which also forwards notifications. The user writes its body as a JSON template or a form. These names are
 * read: `from`, `text` (or `org_content`, `content`, `msg`), `title` or `card_slot`, `package`, `receive_time`,
 * `timestamp`. For a notification the app sends the package in the field of the sender, and the title in the field of the
 * SIM. Its signature does not cover the body, so it proves nothing here.
 */
import { instantIn } from '../../body/instant.ts'
import { derivedId, reportOf, slotIn, textIn } from '../report.ts'
import { type Adapter, jsonObject, type SentMessage, textOf, unreadReport } from './adapter.ts'

export const smsForwarder: Adapter = {
  name: 'sms-forwarder',
  read(sent) {
    const value = fieldsOf(sent)
    const first = (...names: string[]): string => names.map((name) => value.get(name)).find(Boolean) ?? ''
    const text = first('org_content', 'text', 'content', 'msg')
    if (text === '') return unreadReport(smsForwarder.name, sent)
    const sender = first('from', 'sender')
    const simSlot = slotIn(first('card_slot', 'sim', 'title'))
    const packageName = first('package')
    const from = packageName !== '' ? packageName : simSlot === '' && PACKAGE.test(sender) ? sender : ''
    // For an SMS the app sends the SIM in these fields.
    const title = ['title', 'card_slot'].map((name) => value.get(name) ?? '').find((text) => slotIn(text) === '') ?? ''
    const message = {
      kind: from === '' ? ('sms' as const) : ('notification' as const),
      sender,
      package: from,
      title,
      text,
      simSlot: from === '' ? simSlot : ('' as const),
      sentAt: null,
      // `receive_time` is when the phone received the message; `timestamp` is when the app sent it on.
      phoneReceivedAt: instantIn(first('receive_time'), sent.zone) ?? instantIn(first('timestamp'), sent.zone),
    }
    return { reports: [reportOf({ ...message, clientId: derivedId(smsForwarder.name, message, sent.now) })] }
  },
}

const PACKAGE = /^[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)+$/i

const fieldsOf = ({ bytes, type }: SentMessage): ReadonlyMap<string, string> => {
  const body = jsonObject(bytes)
  if (body !== undefined && bytes.length > 0)
    return new Map([...body].flatMap(([name, value]) => [[name, textIn(value) ?? ''] as const]))
  return /^\s*application\/x-www-form-urlencoded/i.test(type) ? new Map(new URLSearchParams(textOf(bytes))) : new Map()
}
