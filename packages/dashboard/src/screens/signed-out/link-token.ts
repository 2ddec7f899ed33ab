/**
 * The token of a link: the part after `#`, which browsers do not send. It is removed from the URL at once, so that it is in
 * no history and on no shared screen. It stays in memory while the page is open.
 */
import { useEffect, useState } from 'react'

let linkToken = ''

const takeToken = (): string => {
  const { hash, pathname, search } = window.location
  if (hash.length > 1) {
    linkToken = decodeURIComponent(hash.slice(1))
    window.history.replaceState(null, '', pathname + search)
  }
  return linkToken
}

export const useLinkToken = (): string => {
  const [token] = useState(takeToken)
  // If another link is pasted into the open page, the browser loads nothing by itself: the page is reloaded.
  useEffect(() => {
    const reload = (): void => window.location.reload()
    window.addEventListener('hashchange', reload)
    return () => window.removeEventListener('hashchange', reload)
  }, [])
  return token
}

/** The token was used: it is no longer needed. */
export const forgetLinkToken = (): void => {
  linkToken = ''
}
