/** A mail that the house sends, in plain text. How it gets there is the roof's. */
export type Letter = {
  /** What it is about, for the log: its text may hold a link that is nobody else's business. */
  readonly kind: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Takes a letter to be sent, after what it tells of is committed. It answers at once, and whatever happens is logged. */
export type SendMail = (letter: Letter) => void
