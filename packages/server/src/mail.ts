/**
 * Letters, over SMTP. A letter is taken at once and sent afterwards, a few at a time; what fails for now is tried again,
 * later each time; what fails for good, or finds the line full, is logged without its text, which may hold a link. The line
 * is kept in memory: a letter that is lost with the process is asked for again by the person who misses it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Letter, SendMail } from './ground/letter.ts'
import type { Log } from './log.ts'

export type MailSettings = { readonly url: string; readonly from: string }

export type Mail = {
  readonly send: SendMail
  /** Whether letters go anywhere. */
  readonly on: boolean
  /** Gives what is under way, and what waits, one last chance. */
  close(): Promise<void>
}

const mostWaiting = 1_000
/** How long the end waits for letters that are under way. */
const lastChance_ms = 5_000
const usualWaits_ms = [2_000, 15_000, 60_000, 300_000] as const

/** Where no mail is set up: what would have been sent is said, and to whom it concerns how to get it. */
const noMail = (log: Log): Mail => ({
  send: ({ kind }) =>
    log.info(
      { letter: kind },
      'no mail is set up (SANAD_SMTP_URL): `npx sanad user link` and `member invite` print links',
    ),
  on: false,
  close: async () => {},
})

/** What may be said of a failure: the text of an error can hold what was sent. */
const factsOf = (fault: unknown): { code?: unknown; responseCode?: unknown; command?: unknown } => {
  const { code, responseCode, command } = fault as Record<string, unknown>
  return { code, responseCode, command }
}

/** 5xx to the letter itself: sending it again would change nothing. A refused sign-in or connection may pass. */
const isFinal = (fault: unknown): boolean => {
  const { code, responseCode } = factsOf(fault)
  return typeof responseCode === 'number' && responseCode >= 500 && code !== 'EAUTH'
}

export const openMail = (
  settings: MailSettings | undefined,
  log: Log,
  waits_ms: readonly number[] = usualWaits_ms,
): Mail => {
  if (settings === undefined) return noMail(log)
  const transport = createTransport({
    url: settings.url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const under = new Set<Promise<void>>()
  const closing = new AbortController()

  const tryOnce = ({ to, subject, text }: Letter) =>
    // As an object: a text would be read as a list of addresses.
    transport.sendMail({ from: settings.from, to: { name: '', address: to }, subject, text })

  const deliver = async (letter: Letter): Promise<void> => {
    for (let tried = 1; ; tried++) {
      // Begun after the end was announced: there is no time for another.
      const last = closing.signal.aborted
      try {
        await tryOnce(letter)
        return log.info({ letter: letter.kind, tried }, 'a letter was sent')
      } catch (fault) {
        const facts = { letter: letter.kind, to: letter.to, tried, ...factsOf(fault) }
        const wait_ms = waits_ms[tried - 1]
        if (wait_ms === undefined || isFinal(fault) || last)
          return log.error(facts, 'a letter could not be sent: check SANAD_SMTP_URL and SANAD_MAIL_FROM')
        log.warn(facts, 'a letter could not be sent yet')
        // Woken by closing: then it is tried once more, at once.
        await delay(wait_ms, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      }
    }
  }

  return {
    on: true,
    send(letter) {
      if (under.size >= mostWaiting || closing.signal.aborted)
        return log.error({ letter: letter.kind, to: letter.to }, 'a letter was dropped: too many are waiting')
      const sending: Promise<void> = deliver(letter).finally(() => under.delete(sending))
      under.add(sending)
    },
    async close() {
      closing.abort()
      const enough = new AbortController()
      const late = delay(lastChance_ms, undefined, { signal: enough.signal }).catch(() => {})
      await Promise.race([Promise.all(under), late])
      enough.abort()
      if (under.size > 0)
        log.error({ letters: under.size }, 'letters were lost: the service ended before they were sent')
      transport.close()
    },
  }
}
