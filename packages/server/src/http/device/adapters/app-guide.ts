/**
 * What a user types into a forwarding app so that it reports to us: each setting under the name the app gives it, in
 * the app’s order. It contains the token and the signing key: it is made for one answer and not stored. Pure.
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

type Guide = (input: RuleFileFor, url: string) => Pick<AppGuide, 'settings' | 'ruleFile'>

const line = (label: string, value: string): AppSetting => ({ label, value, multiline: false })
const lines = (label: string, value: string): AppSetting => ({ label, value, multiline: true })

const viaUrl: Guide = (input, url) => {
  const content = ruleFile(input)
  const [rule] = JSON.parse(content) as [{ sender: string; is_sender_regex: boolean; template: string }]
  return {
    settings: [
      line('Sender', rule.sender),
      line('Sender is a regular expression', rule.is_sender_regex ? 'on' : 'off'),
      line('URL', url),
      line('SIM', input.simSlot === '' ? 'any' : input.simSlot),
      lines('JSON payload template', rule.template),
      ...(input.signingKey === null ? [] : [line('HMAC-SHA256 secret', input.signingKey)]),
    ],
    ruleFile: { name: `sanad-${input.device}.json`, content },
  }
}

/** One webhook for each event: the messages, the signs of life, and the cards at a start. */
const viaGateway: Guide = (input, url) => ({
  settings: [
    ...['sms:received', 'system:ping', 'app:started'].map((event) =>
      lines(`Webhook for ${event}`, JSON.stringify({ id: `sanad-${event.replace(':', '-')}`, url, event }, null, 2)),
    ),
    ...(input.signingKey === null ? [] : [line('Signing key', input.signingKey)]),
    line('Ping interval', '60'),
  ],
  ruleFile: null,
})

// The app's own placeholders. The text is last: whatever is in it, the names before it are ours.
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

const viaForwarder: Guide = (input, url) => ({
  settings: [
    line('Sender type', 'Webhook'),
    line('Method', 'POST'),
    line('Webhook server', url),
    lines('Message template', forwarderTemplate),
    line('Forward only messages from', input.senders.join(', ')),
  ],
  ruleFile: null,
})

const viaText: Guide = (input, url) => ({
  settings: [
    line('Method', 'POST'),
    line('Content type', 'text/plain; charset=utf-8'),
    line('URL', `${url}?from=SENDER&sim=${input.simSlot === '' ? 'SIM' : input.simSlot}&at=UNIX_MS`),
    line('Body', 'the message, as it came'),
    lines(
      'With curl',
      `curl -H 'content-type: text/plain; charset=utf-8' --data-binary 'MESSAGE' \\\n  '${url}?from=${encodeURIComponent(input.senders[0] ?? 'SENDER').replaceAll("'", '%27')}'`,
    ),
  ],
  ruleFile: null,
})

/** `signs`: the app signs with a key. */
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

export const appGuide = (app: string, input: RuleFileFor): AppGuide => {
  const url = `${input.url.replace(/\/+$/, '')}/ingest/${app}/${input.token}`
  return { url, ...known(app).guide(input, url) }
}
