/**
 * The token of a link: the part after `#`, which browsers do not send. It is removed from the URL at once, so that it
 * is in no history and on no shared screen, and kept in memory while the page is open.
 */
import { useEffect, useState } from 'react'

let taken = ''

const take = (): string => {
  const { hash, pathname, search } = window.location
  if (hash.length > 1) {
    taken = decodeURIComponent(hash.slice(1))
    window.history.replaceState(null, '', pathname + search)
  }
  return taken
}

export const useLinkToken = (): string => {
  const [token] = useState(take)
  // Pasting another link into the same page loads nothing by itself: the page is reloaded.
  useEffect(() => {
    const again = (): void => window.location.reload()
    window.addEventListener('hashchange', again)
    return () => window.removeEventListener('hashchange', again)
  }, [])
  return token
}

/** The token was used: it is no longer needed. */
export const forgetLinkToken = (): void => {
  taken = ''
}
