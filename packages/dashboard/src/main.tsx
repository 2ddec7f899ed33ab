/** The dashboard's beginning: fonts, style, and the frame. */
import '@fontsource/ibm-plex-sans/latin-400.css'
import '@fontsource/ibm-plex-sans/latin-600.css'
import '@fontsource/ibm-plex-sans-arabic/arabic-400.css'
import '@fontsource/ibm-plex-sans-arabic/arabic-600.css'
import '@fontsource/ibm-plex-mono/latin-400.css'
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import './frame/house.css'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { Frame } from './frame/frame.tsx'
import { loadAhead } from './screens/all.tsx'
import { speakAsKept } from './words/language.ts'

speakAsKept()

// The letters of this language are on their way while the page is being made: they stand there when it is shown.
const families = document.documentElement.lang === 'ar' ? '"IBM Plex Sans", "IBM Plex Sans Arabic"' : '"IBM Plex Sans"'
for (const weight of [400, 600]) void document.fonts.load(`${weight} 14px ${families}`).catch(() => {})

const draw = (): void =>
  // Piece by piece: a touch is answered while the rest is still being drawn.
  startTransition(() => createRoot(document.getElementById('root')!).render(<Frame />))

// The first screen's files come together with these: it is drawn once, whole. One that does not come says so by itself.
loadAhead(window.location.pathname).then(draw, draw)

/** What a touch will need is fetched once all is quiet: a window opens without waiting for the network. */
const quiet_ms = 4000
const fetchLater = (): void => {
  const named = document.querySelector<HTMLMetaElement>('meta[name=fetch-later]')?.content ?? ''
  for (const href of named.split(' ').filter((one) => one !== '')) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'prefetch', href })
    document.head.append(link)
  }
}
window.addEventListener('load', () => setTimeout(fetchLater, quiet_ms), { once: true })
