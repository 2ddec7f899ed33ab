/** The three steps of paying as small pictures: the app, the money, and what is done on the page. Drawn by us. Pure. */

/** Lines in the colour of the text around them, in a square of 48 by 48. */
const picture = (lines: string): string => `<svg viewBox="0 0 48 48" aria-hidden="true"><path d="${lines}"/></svg>`

/** A phone with the button of an app. */
const phone = 'M16 4h16a3 3 0 0 1 3 3v34a3 3 0 0 1-3 3H16a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3zM20 18h8v8h-8zM22 39h4'
/** A banknote that goes up. */
const money = 'M5 24h38v18H5zM24 28a5 5 0 1 1 0 10a5 5 0 1 1 0-10zM10 33v0M38 33v0M24 18V5M18 11l6-6l6 6'
/** A message with a marked number. */
const message = 'M6 6h36v26H22l-9 9v-9H6zM12 13h16M12 20h24v7H12z'
/** A clock with a check mark below it. */
const clock = 'M24 4a16 16 0 1 1 0 32a16 16 0 1 1 0-32zM24 11v9l6 4M17 40l5 5l10-9'

/** `last`: what the buyer does on the page after sending the money. */
export const payDrawings = (last: 'number' | 'wait'): readonly [string, string, string] => [
  picture(phone),
  picture(money),
  picture(last === 'number' ? message : clock),
]
