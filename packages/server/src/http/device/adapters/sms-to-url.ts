/**
 * Incoming SMS to URL Forwarder, 2.4 and later. The body comes from a template: `{from, text, sentStamp, receivedStamp,
 * sim}` by default, and some facts about the phone if the rule comes from Sanad (rule-file.ts). It is signed by an
 * HMAC-SHA256 over its bytes. There is no message id; the body is the same at each retry.
 */
import type { Health } from '../../../wallets/phones/heartbeat.ts'
import { instantIn } from '../../body/instant.ts'
import type { JsonObject } from '../../body/json.ts'
import { derivedId, reportOf, slotIn, textIn } from '../report.ts'
import { type Adapter, headerValue, jsonObject, unreadReport } from './adapter.ts'

export const smsToUrl: Adapter = {
  name: 'sms-to-url',
  signature: (bytes, headers) => ({ over: [bytes], hex: headerValue(headers, 'x-signature') }),
  read(sent) {
    const body = jsonObject(sent.bytes)
    const text = textIn(body?.get('text'))
    if (body === undefined || text === undefined) return unreadReport(smsToUrl.name, sent)
    const message = {
      sender: textIn(body.get('from')) ?? '',
      text,
      simSlot: slotIn(body.get('sim')),
      sentAt: instantIn(body.get('sentStamp'), sent.zone),
      phoneReceivedAt: instantIn(body.get('receivedStamp'), sent.zone),
    }
    const reports = [reportOf({ ...message, clientId: derivedId(smsToUrl.name, message, sent.now) })]
    const health = healthIn(body)
    return health === undefined ? { reports } : { reports, health }
  },
}

const facts = { app_version: 'version', battery: 'battery', power: 'power', network: 'network' } as const

/**
 * The facts that the phone reports about itself. A placeholder that the app's version did not replace is ignored.
 */
const healthIn = (body: JsonObject): Health | undefined => {
  const health: Record<string, string | number> = {}
  for (const [name, field] of Object.entries(facts)) {
    const sent = textIn(body.get(field))?.replaceAll('\0', '').toWellFormed().slice(0, 64).toWellFormed()
    if (sent === undefined || sent === '' || /^%\w+%$/.test(sent)) continue
    const per_cent = /^(\d{1,3})(?:\.\d+)?\s*%?$/.exec(sent)?.[1]
    health[name] = name === 'battery' && per_cent !== undefined ? Number(per_cent) : sent
  }
  return Object.keys(health).length === 0 ? undefined : health
}
