/**
 * The token of a link: what follows its `#`, which browsers send to nobody. It is taken out of the address at once, so
 * that it stays in no history and on no shared screen, and kept for as long as the page is open.
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
  // Another link, pasted into the same page, would load nothing by itself: it begins anew.
  useEffect(() => {
    const again = (): void => window.location.reload()
    window.addEventListener('hashchange', again)
    return () => window.removeEventListener('hashchange', again)
  }, [])
  return token
}

/** It was used: nobody need hold it any longer. */
export const forgetLinkToken = (): void => {
  taken = ''
}
