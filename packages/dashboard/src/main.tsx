/** The dashboard's beginning: fonts, style, words, and the frame. */
import '@fontsource/ibm-plex-sans/latin-400.css'
import '@fontsource/ibm-plex-sans/latin-600.css'
import '@fontsource/ibm-plex-sans-arabic/arabic-400.css'
import '@fontsource/ibm-plex-sans-arabic/arabic-600.css'
import '@fontsource/ibm-plex-mono/latin-400.css'
import './frame/library.ts'
import './frame/house.css'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { Frame } from './frame/frame.tsx'
import { loadAhead } from './screens/all.tsx'
import { startWords } from './words/language.ts'

loadAhead(window.location.pathname)
startWords()
// Piece by piece: a touch is answered while the rest is still being drawn.
startTransition(() => createRoot(document.getElementById('root')!).render(<Frame />))
