/** The address of an endpoint as shown in emails and notices, without the parts that may be a password. Pure. */
import { oneLine } from '../../accounts/people/user-emails.ts'

/** Only the beginning of a longer path segment is shown: in many services the URL itself is a password. */
const longestShown = 15
const shown = (part: string): string => (part.length > longestShown ? `${part.slice(0, 4)}…` : part)

export const endpointLabel = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return oneLine(`${origin}${pathname.split('/').map(shown).join('/')}`).slice(0, 300)
}
