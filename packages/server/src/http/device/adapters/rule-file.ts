/**
 * The file from which Incoming SMS to URL Forwarder imports its rule for a phone: one rule with the phone's id as its key,
 * so that importing a newer file replaces it. It forwards only messages of the wallets’ senders. The file contains the
 * token and the signing key: it is built for one answer and not stored. Pure.
 */
import type { PhoneId } from '../../../core/ids.ts'
import { smsToUrl } from './sms-to-url.ts'

export type AppSetup = {
  readonly phone: PhoneId
  /** `https://pay.example.com` */
  readonly url: string
  readonly token: string
  /** Null: the app does not sign, and its alerts wait for review. */
  readonly signingKey: string | null
  /** Empty: messages of all senders are forwarded. */
  readonly senders: readonly string[]
  readonly simSlot: '' | 'SIM1' | 'SIM2'
}

// The times have no quotes, as in the app’s own template. A placeholder that an older version of the app does not know is
// sent as it is.
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
const allSenders = '*'

/** One sender as it is; several senders as a regular expression. */
export const senderRule = (senders: readonly string[]): { readonly value: string; readonly isRegex: boolean } => {
  const names = [...new Set(senders)]
  const isRegex = names.length > 1
  return { value: isRegex ? `^(?:${names.map(escapeRegex).join('|')})$` : (names[0] ?? allSenders), isRegex }
}

export const ruleFile = ({ phone, url, token, signingKey, senders, simSlot }: AppSetup): string => {
  const { value, isRegex } = senderRule(senders)
  const rule = {
    key: phone,
    sender: value,
    is_sender_regex: isRegex,
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

const escapeRegex = (name: string): string => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
