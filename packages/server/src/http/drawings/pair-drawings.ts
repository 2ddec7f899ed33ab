/** The steps of setting up a phone as small pictures, drawn by us. Pure. */

const phone = 'M16 4h16a3 3 0 0 1 3 3v34a3 3 0 0 1-3 3H16a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3z'

/** By the number of the step. */
const lines: Readonly<Record<number, string>> = {
  // A phone with three apps to choose from.
  1: `${phone}M18 13h4v4h-4zM26 13h4v4h-4zM18 22h4v4h-4zM26 22h4v4h-4z`,
  // An arrow into the phone.
  2: `${phone}M24 11v16M18 21l6 6l6-6M18 34h12`,
  // Settings with sliders.
  3: `${phone}M18 14h12M22 11v6M18 23h12M27 20v6M18 32h12M21 29v6`,
  // A battery with a plug.
  4: 'M6 16h30v18H6zM36 21h5v8h-5M23 18l-6 8h8l-6 7',
  // A message that arrives.
  5: 'M6 8h36v24H22l-9 9v-9H6zM16 20l6 6l10-11',
}

export const pairDrawing = (step: number): string =>
  `<svg class="picture" viewBox="0 0 48 48" aria-hidden="true"><path d="${lines[step] ?? phone}"/></svg>`
