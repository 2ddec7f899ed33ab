/**
 * The apps of a shop's phone, simulated. Each is set up only from what its user pastes or imports, and then sends what the
 * real app sends, with its own field names. No address or key of Sanad is built in.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'

export type Sms = { readonly from: string; readonly text: string; readonly at: number }

/** An app that is set up. */
export type PhoneApp = {
  /** The phone receives a message. Returns false if the app's rule does not pass it on. */
  receive(sms: Sms): Promise<boolean>
  /** The app's own test button, if it has one. */
  test?(now: number): Promise<void>
}

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex')
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Sends a request; any answer but 2xx is an error, which the app shows to its user. */
const post = async (url: string, body: string, headers: Record<string, string> = {}): Promise<void> => {
  const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  if (!answer.ok) throw new Error(`The app shows: ${answer.status} ${await answer.text()}`)
}

/** Incoming SMS to URL Forwarder 2.4: Settings → Backup → Import. */
export const urlForwarder = (file: string): PhoneApp => {
  const [rule] = JSON.parse(file) as [
    {
      sender: string
      is_sender_regex: boolean
      url: string
      template: string
      headers: string
      is_sms_enabled: boolean
      sign_hmac_sha256: boolean
      sign_hmac_sha256_secret: string
    },
  ]
  const passes = (from: string): boolean =>
    rule.is_sms_enabled &&
    (rule.sender === '*' || (rule.is_sender_regex ? new RegExp(rule.sender).test(from) : rule.sender === from))
  const send = async ({ from, text, at }: Sms): Promise<void> => {
    const values: Record<string, string> = {
      from: quoted(from),
      text: quoted(text),
      sentStamp: String(at - 1000),
      receivedStamp: String(at),
      sim: 'sim1',
      version: '2.4.0',
      battery: '81',
      power: 'charging',
      network: 'wifi',
    }
    const body = rule.template.replaceAll(/%(\w+)%/g, (whole, name: string) => values[name] ?? whole)
    const signed = rule.sign_hmac_sha256 ? { 'X-Signature': hmac(rule.sign_hmac_sha256_secret, body) } : {}
    await post(rule.url, body, { ...(JSON.parse(rule.headers) as Record<string, string>), ...signed })
  }
  return {
    async receive(sms) {
      if (!passes(sms.from)) return false
      await send(sms)
      return true
    },
    test: (at) => send({ from: '123456789', text: 'test message', at }),
  }
}

/** SMS Gateway for Android 1.68: Settings → Cloud server… → API URL. It loads its webhooks and its key from that URL. */
export const smsGateway = (apiUrl: string) => {
  const headers = { 'user-agent': 'me.capcom.smsgateway/1.68.0', 'content-type': 'application/json' }
  const request = async (method: string, path: string, body?: unknown) => {
    const options = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${apiUrl}${path}`, { method, headers, ...options })
    if (!answer.ok) throw new Error(`The app shows: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  let hooks: { id: string; url: string; event: string }[] = []
  let key = ''
  let interval_s = 0
  const fire = async (event: string, payload: unknown, now: number): Promise<boolean> => {
    const subscribed = hooks.filter((hook) => hook.event === event)
    for (const { id: webhookId, url } of subscribed) {
      const body = JSON.stringify({ id: randomUUID(), webhookId, event, deviceId: 'simulated', payload })
      const timestamp = String(Math.floor(now / 1000))
      await post(url, body, { 'X-Timestamp': timestamp, 'X-Signature': hmac(key, body + timestamp) })
    }
    return subscribed.length > 0
  }
  const check = (observedValue: number) => ({ status: 'pass', observedValue, observedUnit: '', description: '' })
  return {
    /** The button “Offline” → Sign Up. */
    signUp: () => request('POST', '/device', { name: 'Example/One', pushToken: null }),
    /** At a start it loads its webhooks and settings. It sends a ping if it already had an interval. */
    async start(now: number): Promise<void> {
      const hadInterval = interval_s > 0
      hooks = await request('GET', '/webhooks')
      const settings = await request('GET', '/settings')
      key = settings.webhooks?.signing_key ?? ''
      interval_s = settings.ping?.interval_seconds ?? 0
      if (!hadInterval) return
      const checks = { 'battery:level': check(81), 'battery:charging': check(1), 'connection:status': check(1) }
      await fire('system:ping', { health: { status: 'pass', checks } }, now)
    },
    receive: ({ from, text, at }: Sms) =>
      fire(
        'sms:received',
        {
          messageId: createHash('sha256').update(text).digest('hex').slice(0, 8),
          message: text,
          sender: from,
          recipient: null,
          simNumber: 1,
          receivedAt: new Date(at).toISOString(),
          phoneNumber: from,
        },
        at,
      ),
  } satisfies PhoneApp & Record<string, unknown>
}

/** SmsForwarder: a sender of the type Webhook and a rule, with the fields that its user filled in. */
export const smsForwarder = (fields: {
  readonly url: string
  readonly template: string
  readonly field: string
  readonly type: string
  readonly sender: string
}): PhoneApp => {
  const passes = (from: string): boolean =>
    fields.field === 'All' ||
    (fields.type === 'Regex Match' ? new RegExp(fields.sender).test(from) : fields.sender === from)
  const send = async ({ from, text, at }: Sms): Promise<void> => {
    const values: Record<string, string> = {
      from: quoted(from),
      org_content: quoted(text),
      card_slot: 'SIM1_Example',
      title: 'SIM1_Example',
      receive_time: new Date(at + 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
      timestamp: String(at),
    }
    await post(
      fields.url,
      fields.template.replaceAll(/\[(\w+)\]/g, (whole, name: string) => values[name] ?? whole),
    )
  }
  return {
    async receive(sms) {
      if (!passes(sms.from)) return false
      await send(sms)
      return true
    },
    // The app's own test message is a shop's verification code.
    test: (at) => send({ from: '19999999999', text: '[Shop] Your verification code is 387481.', at }),
  }
}
