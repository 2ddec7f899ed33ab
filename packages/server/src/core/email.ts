/** An email that the service sends, in plain text. `mail.ts` sends it. */
export type Email = {
  /** The kind of email, for the log. The text is not logged: it may hold a secret link. */
  readonly kind: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The message id: if the email is sent twice, a mailbox can tell that it is the same one. */
  readonly id?: string
}

/** Queues an email, after the change it reports is committed. Returns at once; the outcome is logged. */
export type QueueMail = (email: Email) => void

/**
 * The outcome of one attempt to send. `refused`: the recipient's server refuses it for good. `later`: this email is not
 * accepted now. `unavailable`: no email can be sent now.
 */
export type MailOutcome = 'accepted' | 'refused' | 'later' | 'unavailable'

/** Sends an email once, now, and waits for the outcome. For callers that record what was sent. */
export type SendMailNow = (email: Email) => Promise<MailOutcome>
