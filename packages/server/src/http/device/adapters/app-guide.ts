/**
 * The settings that a user enters into a forwarding app so that it reports to Sanad: each under the app's own label, in
 * the app’s order. They contain the token and the signing key: they are built for one answer and not stored. Pure.
 */
import { fingerprint } from '../../../core/seal.ts'
import { heartbeatToken } from '../../../wallets/phones/heartbeat-address.ts'
import { type AppSetup, ruleFile, senderRule } from './rule-file.ts'
import { smsForwarder } from './sms-forwarder.ts'
import { smsToUrl } from './sms-to-url.ts'
import { smsgate } from './smsgate.ts'
import { text } from './text.ts'

/** `key`: the name of the setting on the set-up page. */
export type AppSetting = {
  readonly key: string
  readonly label: string
  readonly value: string
  readonly multiline: boolean
}

export type AppGuide = {
  readonly url: string
  readonly settings: readonly AppSetting[]
  readonly ruleFile: { readonly name: string; readonly content: string } | null
}

type Guide = (input: AppSetup, url: string) => Pick<AppGuide, 'settings' | 'ruleFile'>

const line = (key: string, label: string, value: string): AppSetting => ({ key, label, value, multiline: false })
const lines = (key: string, label: string, value: string): AppSetting => ({ key, label, value, multiline: true })

const heartbeatUrl = ({ url, phone, token }: AppSetup): string =>
  `${url.replace(/\/+$/, '')}/heartbeat/${heartbeatToken(phone, fingerprint(token))}`

const viaUrl: Guide = (input, url) => {
  const content = ruleFile(input)
  const [rule] = JSON.parse(content) as [{ sender: string; is_sender_regex: boolean; template: string }]
  return {
    settings: [
      line('sender', 'Sender', rule.sender),
      line('regex', 'Sender is a regular expression', rule.is_sender_regex ? 'on' : 'off'),
      line('url', 'Webhook URL', url),
      line('sim', 'Sim Slot', input.simSlot === '' ? 'any' : input.simSlot.toLowerCase()),
      lines('template', 'Json Payload Template', rule.template),
      ...(input.signingKey === null ? [] : [line('key', 'HMAC-SHA256 secret', input.signingKey)]),
      // No part of the imported rule: it is a setting of the app.
      line('heartbeat', 'Heartbeat URL', heartbeatUrl(input)),
    ],
    ruleFile: { name: `sanad-${input.phone}.json`, content },
  }
}

/** The app takes its webhooks from the server at this address (smsgate-server.ts). */
const viaGateway: Guide = (input, url) => ({
  settings: [
    line('url', 'Cloud server… → API URL', url),
    line('ping', 'Ping → Interval (seconds)', '60'),
    ...(input.signingKey === null ? [] : [line('key', 'Webhooks… → Signing Key', input.signingKey)]),
    line('switch', 'Home → Cloud server', 'on'),
  ],
  ruleFile: null,
})

// The app's own placeholders. The text is last, so that nothing in it can replace the fields before it.
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

const viaForwarder: Guide = (input, url) => {
  const { value, isRegex } = senderRule(input.senders)
  return {
    settings: [
      line('name', 'Channel Name', 'Sanad'),
      line('method', 'Method', 'POST'),
      line('url', 'Webhook Server', url),
      lines('template', 'Params', forwarderTemplate),
      line('field', 'Rule: Field', input.senders.length === 0 ? 'All' : 'Phone No.'),
      line('type', 'Rule: Type', isRegex ? 'Regex Match' : 'Is'),
      line('sender', 'Rule: Value', input.senders.length === 0 ? '' : value),
    ],
    ruleFile: null,
  }
}

const viaText: Guide = (input, url) => ({
  settings: [
    line('method', 'Method', 'POST'),
    line('type', 'Content type', 'text/plain; charset=utf-8'),
    line('url', 'URL', `${url}?from=SENDER&sim=${input.simSlot === '' ? 'SIM' : input.simSlot}&at=UNIX_MS`),
    line('body', 'Body', 'the message, as it came'),
    lines(
      'curl',
      'With curl',
      `curl -H 'content-type: text/plain; charset=utf-8' --data-binary 'MESSAGE' \\\n  '${url}?from=${encodeURIComponent(input.senders[0] ?? 'SENDER').replaceAll("'", '%27')}'`,
    ),
  ],
  ruleFile: null,
})

/** `signs`: the app can sign with a key. */
const guides: Readonly<Record<string, { readonly signs: boolean; readonly guide: Guide }>> = {
  [smsToUrl.name]: { signs: smsToUrl.signature !== undefined, guide: viaUrl },
  [smsgate.name]: { signs: smsgate.signature !== undefined, guide: viaGateway },
  [smsForwarder.name]: { signs: smsForwarder.signature !== undefined, guide: viaForwarder },
  [text.name]: { signs: text.signature !== undefined, guide: viaText },
}

const guideOf = (app: string) => {
  const guide = guides[app]
  if (guide === undefined) throw new Error(`there is no guide for the app ${app}`)
  return guide
}

export const canSign = (app: string): boolean => guideOf(app).signs

export const appGuide = (app: string, input: AppSetup): AppGuide => {
  const url = `${input.url.replace(/\/+$/, '')}/ingest/${app}/${input.token}`
  return { url, ...guideOf(app).guide(input, url) }
}
