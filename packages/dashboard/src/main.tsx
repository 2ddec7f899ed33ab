/** The dashboard's beginning: fonts, style, and the frame. */
import '@fontsource/ibm-plex-sans/latin-400.css'
import '@fontsource/ibm-plex-sans/latin-600.css'
import '@fontsource/ibm-plex-sans-arabic/arabic-400.css'
import '@fontsource/ibm-plex-sans-arabic/arabic-600.css'
import '@fontsource/ibm-plex-mono/latin-400.css'
import './frame/styles.ts'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { Frame } from './frame/frame.tsx'
import { lettersAtHand, wearLetters } from './frame/web-fonts.ts'
import { loadAhead } from './screens/all.tsx'
import { restoreLanguage } from './words/language.ts'

restoreLanguage()
lettersAtHand()

const draw = (): void =>
  // Piece by piece: a touch is answered while the rest is still being drawn.
  startTransition(() => createRoot(document.getElementById('root')!).render(<Frame />))

// The first screen's files come together with these: it is drawn once, whole. One that does not come says so by itself.
loadAhead(window.location.pathname).then(draw, draw)

/** What a touch will need is fetched once all is quiet: a window opens without waiting for the network. */
const fetchLater = (): void => {
  const named = document.querySelector<HTMLMetaElement>('meta[name=fetch-later]')?.content ?? ''
  for (const href of named.split(' ').filter((one) => one !== '')) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'prefetch', href })
    document.head.append(link)
  }
}

/** First the screen, then the house's own letters, then what is not needed yet. */
const letters_ms = 1000
const quiet_ms = 4000
const afterwards = (): void => {
  setTimeout(() => void wearLetters(), letters_ms)
  setTimeout(fetchLater, quiet_ms)
}
window.addEventListener('load', afterwards, { once: true })
