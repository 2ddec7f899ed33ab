/**
 * The file from which Incoming SMS to URL Forwarder imports its rule for a phone: one rule, named by the device, so that
 * importing a newer file replaces it. It forwards only what the wallets' senders write. The file holds the token and the
 * signing key: it is made for the person who asked, and not kept. Pure.
 */
import type { DeviceId } from '../../../core/ids.ts'
import { smsToUrl } from './sms-to-url.ts'

export type RuleFileFor = {
  readonly device: DeviceId
  /** `https://pay.example.com` */
  readonly url: string
  readonly token: string
  /** Null: the app does not sign, and its alerts wait for a person. */
  readonly signingKey: string | null
  /** None: everybody. */
  readonly senders: readonly string[]
  readonly simSlot: '' | 'SIM1' | 'SIM2'
}

// The stamps stand without quotes, as in the app's own template; what an older version does not know stays a text.
const template = `{
  "from":"%from%",
  "text":"%text%",
  "sentStamp":%sentStamp%,
  "receivedStamp":%receivedStamp%,
  "sim":"%sim%",
  "version":"%version%",
  "battery":"%battery%",
  "power":"%power%",
  "network":"%network%"
}`

const slots = { '': 0, SIM1: 1, SIM2: 2 } as const
const everybody = '*'

export const ruleFile = ({ device, url, token, signingKey, senders, simSlot }: RuleFileFor): string => {
  const names = [...new Set(senders)]
  const several = names.length > 1
  const rule = {
    key: device,
    sender: several ? `^(?:${names.map(literally).join('|')})$` : (names[0] ?? everybody),
    is_sender_regex: several,
    sms_filter: '',
    url: `${url.replace(/\/+$/, '')}/ingest/${smsToUrl.name}/${token}`,
    sim_slot: slots[simSlot],
    template,
    headers: JSON.stringify({ 'Content-Type': 'application/json; charset=utf-8' }),
    retries_number: 10,
    ignore_ssl: false,
    chunked_mode: false,
    is_sms_enabled: true,
    sign_hmac_sha256: signingKey !== null,
    sign_hmac_sha256_secret: signingKey ?? '',
    store_failed: true,
    local_mode: false,
  }
  return `${JSON.stringify([rule], null, 2)}\n`
}

const literally = (name: string): string => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
