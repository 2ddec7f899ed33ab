/**
 * What a person types into a forwarding app so that it reports to us: each setting under the name the app gives it, in the
 * app's order. It holds the token and the signing key: it is made for the person who asked, and not kept. Pure.
 */
import { type RuleFileFor, ruleFile } from './rule-file.ts'
import { smsForwarder } from './sms-forwarder.ts'
import { smsToUrl } from './sms-to-url.ts'
import { smsgate } from './smsgate.ts'
import { text } from './text.ts'

export type AppSetting = { readonly label: string; readonly value: string; readonly multiline: boolean }

export type AppGuide = {
  readonly url: string
  readonly settings: readonly AppSetting[]
  readonly ruleFile: { readonly name: string; readonly content: string } | null
}

type Guide = (given: RuleFileFor, url: string) => Pick<AppGuide, 'settings' | 'ruleFile'>

const line = (label: string, value: string): AppSetting => ({ label, value, multiline: false })
const lines = (label: string, value: string): AppSetting => ({ label, value, multiline: true })

const viaUrl: Guide = (given, url) => {
  const content = ruleFile(given)
  const [rule] = JSON.parse(content) as [{ sender: string; is_sender_regex: boolean; template: string }]
  return {
    settings: [
      line('Sender', rule.sender),
      line('Sender is a regular expression', rule.is_sender_regex ? 'on' : 'off'),
      line('URL', url),
      line('SIM', given.simSlot === '' ? 'any' : given.simSlot),
      lines('JSON payload template', rule.template),
      ...(given.signingKey === null ? [] : [line('HMAC-SHA256 secret', given.signingKey)]),
    ],
    ruleFile: { name: `sanad-${given.device}.json`, content },
  }
}

/** One webhook for each event: the messages, the signs of life, and the cards at a start. */
const viaGateway: Guide = (given, url) => ({
  settings: [
    ...['sms:received', 'system:ping', 'app:started'].map((event) =>
      lines(`Webhook for ${event}`, JSON.stringify({ id: `sanad-${event.replace(':', '-')}`, url, event }, null, 2)),
    ),
    ...(given.signingKey === null ? [] : [line('Signing key', given.signingKey)]),
    line('Ping interval', '60'),
  ],
  ruleFile: null,
})

// The app's own placeholders. The text goes in last: whatever stands in it, the names before it are ours.
const forwarderTemplate = JSON.stringify(
  {
    from: '[from]',
    card_slot: '[card_slot]',
    title: '[title]',
    receive_time: '[receive_time]',
    timestamp: '[timestamp]',
    org_content: '[org_content]',
  },
  null,
  2,
)

const viaForwarder: Guide = (given, url) => ({
  settings: [
    line('Sender type', 'Webhook'),
    line('Method', 'POST'),
    line('Webhook server', url),
    lines('Message template', forwarderTemplate),
    line('Forward only messages from', given.senders.join(', ')),
  ],
  ruleFile: null,
})

const viaText: Guide = (given, url) => ({
  settings: [
    line('Method', 'POST'),
    line('Content type', 'text/plain; charset=utf-8'),
    line('URL', `${url}?from=SENDER&sim=${given.simSlot === '' ? 'SIM' : given.simSlot}&at=UNIX_MS`),
    line('Body', 'the message, as it came'),
    lines(
      'With curl',
      `curl -H 'content-type: text/plain; charset=utf-8' --data-binary 'MESSAGE' \\\n  '${url}?from=${encodeURIComponent(given.senders[0] ?? 'SENDER').replaceAll("'", '%27')}'`,
    ),
  ],
  ruleFile: null,
})

/** `signs`: the app proves what it says with a key. */
const guides: Readonly<Record<string, { readonly signs: boolean; readonly guide: Guide }>> = {
  [smsToUrl.name]: { signs: smsToUrl.signature !== undefined, guide: viaUrl },
  [smsgate.name]: { signs: smsgate.signature !== undefined, guide: viaGateway },
  [smsForwarder.name]: { signs: smsForwarder.signature !== undefined, guide: viaForwarder },
  [text.name]: { signs: text.signature !== undefined, guide: viaText },
}

const known = (app: string) => {
  const one = guides[app]
  if (one === undefined) throw new Error(`no guide knows the app ${app}`)
  return one
}

export const canSign = (app: string): boolean => known(app).signs

export const appGuide = (app: string, given: RuleFileFor): AppGuide => {
  const url = `${given.url.replace(/\/+$/, '')}/ingest/${app}/${given.token}`
  return { url, ...known(app).guide(given, url) }
}
