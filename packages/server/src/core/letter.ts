/** A mail that the house sends, in plain text. How it gets there is the roof's. */
export type Letter = {
  /** What it is about, for the log: its text may hold a link that is nobody else's business. */
  readonly kind: string
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Names it for the mail servers on its way: should it be sent again, a mailbox can tell that it is the same. */
  readonly id?: string
}

/** Takes a letter to be sent, after what it tells of is committed. It answers at once, and whatever happens is logged. */
export type SendMail = (letter: Letter) => void

/**
 * What became of a letter that was handed over. `refused`: its reader gets none, ever. `later`: this letter is not taken
 * now. `away`: no letter goes anywhere now.
 */
export type Handed = 'taken' | 'refused' | 'later' | 'away'

/** Hands a letter over once, now, and waits for the answer. For whoever keeps account of what was sent. */
export type HandMail = (letter: Letter) => Promise<Handed>
