/**
 * Emails, over SMTP. `send` queues an email and sends it in the background, a few at a time. A temporary failure is tried
 * again, after a longer wait each time. A permanent failure, or a full queue, is logged without the text, which may hold a
 * link. The queue is kept in memory: if the process ends, the user must ask for the email again. For emails that must not be
 * lost, the caller stores them, calls `sendNow` and waits for the outcome.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { minute_ms, second_ms } from './core/duration.ts'
import type { Email, MailOutcome, QueueMail, SendMailNow } from './core/email.ts'
import type { Log } from './log.ts'

export type MailSettings = { readonly url: string; readonly from: string }

export type Mail = {
  readonly send: QueueMail
  readonly sendNow: SendMailNow
  /** Whether mail is set up. */
  readonly on: boolean
  /** Tries queued emails once more, and waits for them for a short time. */
  close(): Promise<void>
}

const mostWaiting = 1_000
/** How long `close` waits for emails under way. */
const lastChance_ms = 5_000
const usualWaits_ms = [2 * second_ms, 15 * second_ms, minute_ms, 5 * minute_ms] as const

/** Used if no mail is set up: the log names the kind of email, and the commands that print links. */
const noMail = (log: Log): Mail => {
  const send: QueueMail = ({ kind }) =>
    log.info(
      { email: kind },
      'no mail is set up (SANAD_SMTP_URL): `npx --no sanad user link` and `member invite` print links',
    )
  const sendNow: SendMailNow = async (email) => {
    send(email)
    return 'unavailable'
  }
  return { send, sendNow, on: false, close: async () => {} }
}

/** The facts of a failure that may be logged. The message of an error may not: it can hold the text that was sent. */
const factsOf = (fault: unknown): { code?: unknown; responseCode?: unknown; command?: unknown } => {
  const { code, responseCode, command } = fault as Record<string, unknown>
  return { code, responseCode, command }
}

/**
 * A 5xx response to the recipient or to the content is permanent, and so is an address that the mail library does not accept.
 * A refused sign-in, sender or connection is not caused by the email, and may be temporary.
 */
const outcomeOf = (fault: unknown): Exclude<MailOutcome, 'accepted'> => {
  const { code, responseCode, command } = factsOf(fault)
  if (code === 'EENVELOPE' && command === 'API') return 'refused'
  if (typeof responseCode !== 'number' || (command !== 'RCPT TO' && command !== 'DATA')) return 'unavailable'
  return responseCode >= 500 ? 'refused' : 'later'
}

const notSent = 'an email could not be sent: check SANAD_SMTP_URL and SANAD_MAIL_FROM'
const notYet = 'an email could not be sent yet'

export const openMail = (
  settings: MailSettings | undefined,
  log: Log,
  waits_ms: readonly number[] = usualWaits_ms,
): Mail => {
  if (settings === undefined) return noMail(log)
  const openTransport = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url: settings.url,
      pool: true,
      maxConnections: 2,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  /** Opened, and its library loaded, with the first email. */
  let transport: ReturnType<typeof openTransport> | undefined
  const underWay = new Set<Promise<void>>()
  const closing = new AbortController()

  const ourHost = /@([^\s<>@]+)>?$/.exec(settings.from)?.[1] ?? 'sanad'
  const tryOnce = async ({ to, subject, text, id }: Email): Promise<void> => {
    transport ??= openTransport()
    await (await transport).sendMail({
      from: settings.from,
      // As an object: a text would be read as a list of addresses.
      to: { name: '', address: to },
      subject,
      text,
      ...(id === undefined ? {} : { messageId: `<${id}@${ourHost}>` }),
    })
  }

  const deliver = async (email: Email): Promise<void> => {
    for (let tried = 1; ; tried++) {
      // The service is closing: this is the last attempt.
      const last = closing.signal.aborted
      try {
        await tryOnce(email)
        return log.info({ email: email.kind, tried }, 'an email was sent')
      } catch (fault) {
        const facts = { email: email.kind, to: email.to, tried, ...factsOf(fault) }
        const wait_ms = waits_ms[tried - 1]
        if (wait_ms === undefined || outcomeOf(fault) === 'refused' || last) return log.error(facts, notSent)
        log.warn(facts, notYet)
        // `close` ends the wait, and one more attempt follows at once.
        await delay(wait_ms, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      }
    }
  }

  return {
    on: true,
    send(email) {
      if (underWay.size >= mostWaiting || closing.signal.aborted)
        return log.error({ email: email.kind, to: email.to }, 'an email was dropped: too many are waiting')
      const sending: Promise<void> = deliver(email).finally(() => underWay.delete(sending))
      underWay.add(sending)
    },
    async sendNow(email) {
      try {
        await tryOnce(email)
        log.info({ email: email.kind }, 'an email was sent')
        return 'accepted'
      } catch (fault) {
        const outcome = outcomeOf(fault)
        const facts = { email: email.kind, to: email.to, ...factsOf(fault) }
        if (outcome === 'refused') log.error(facts, notSent)
        else log.warn(facts, notYet)
        return outcome
      }
    },
    async close() {
      closing.abort()
      const sent = new AbortController()
      const timeout = delay(lastChance_ms, undefined, { signal: sent.signal }).catch(() => {})
      await Promise.race([Promise.all(underWay), timeout])
      sent.abort()
      if (underWay.size > 0)
        log.error({ emails: underWay.size }, 'emails were lost: the service ended before they were sent')
      ;(await transport)?.close()
    },
  }
}
