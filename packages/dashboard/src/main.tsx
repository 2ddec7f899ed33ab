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

const draw = (): void =>
  // Piece by piece: a touch is answered while the rest is still being drawn.
  startTransition(() => createRoot(document.getElementById('root')!).render(<Frame />))

// The first screen's files come together with these: it is drawn once, whole. One that does not come says so by itself.
loadAhead(window.location.pathname).then(draw, draw)
