/** Where an endpoint is, as it is told to people in letters and notices: without what may be a password in it. Pure. */
import { oneLine } from '../../accounts/people/letters.ts'

/** Enough of a long part of a path to know it by: many services give out addresses that are passwords themselves. */
const longestShown = 15
const shown = (part: string): string => (part.length > longestShown ? `${part.slice(0, 4)}…` : part)

export const endpointPlace = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return oneLine(`${origin}${pathname.split('/').map(shown).join('/')}`).slice(0, 300)
}
