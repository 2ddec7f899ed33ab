/** The dashboard's beginning: fonts, style, words, and the frame. */
import '@fontsource/ibm-plex-sans/latin-400.css'
import '@fontsource/ibm-plex-sans/latin-600.css'
import '@fontsource/ibm-plex-sans-arabic/arabic-400.css'
import '@fontsource/ibm-plex-sans-arabic/arabic-600.css'
import '@fontsource/ibm-plex-mono/latin-400.css'
import '@mantine/core/styles.css'
import './frame/house.css'
import { createRoot } from 'react-dom/client'
import { Frame } from './frame/frame.tsx'
import { startWords } from './words/language.ts'

startWords()
createRoot(document.getElementById('root')!).render(<Frame />)
