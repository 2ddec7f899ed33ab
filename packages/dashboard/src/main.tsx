/** The entry point of the dashboard: fonts, styles, and the frame. */
import './frame/fonts/fonts.css'
import './frame/styles.ts'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { Frame } from './frame/frame.tsx'
import { applyWebFonts, loadCachedFonts } from './frame/web-fonts.ts'
import { preloadScreen } from './screens/all.tsx'
import { restoreLanguage } from './words/language.ts'

restoreLanguage()
loadCachedFonts()

const render = (): void => {
  // As a transition: input is handled while the rest is still being rendered.
  startTransition(() => createRoot(document.getElementById('root')!).render(<Frame />))
  // The page's files have arrived. If they fail to load another time, index.html tries again after its shortest pause.
  try {
    sessionStorage.removeItem('sanad.opened')
  } catch {
    // The browser has no storage for this page.
  }
}

// The files of the first screen are loaded before the first render, so that it is rendered once. If they fail to load, the
// screen shows the error.
preloadScreen(window.location.pathname).then(render, render)

/** Prefetches the files that a next click may need, so that a dialog opens without waiting for the network. */
const prefetchOverlays = (): void => {
  const files = document.querySelector<HTMLMetaElement>('meta[name=fetch-later]')?.content ?? ''
  for (const href of files.split(' ').filter((file) => file !== '')) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'prefetch', href })
    document.head.append(link)
  }
}

/** A page that is opened without a connection then shows our own page instead of the browser's error page. */
const registerServiceWorker = (): void => {
  // Fails on plain http, and where the browser forbids it: everything else works without it.
  navigator.serviceWorker?.register('/service-worker.js').catch(() => {})
}

/** First the screen, then the web fonts. The files of dialogs are fetched after the first touch or key: a first look needs none. */
const fontsAfter_ms = 1000
const workerAfter_ms = 4000
const loadLater = (): void => {
  setTimeout(() => void applyWebFonts(), fontsAfter_ms)
  setTimeout(registerServiceWorker, workerAfter_ms)
  const onUse = (): void => {
    window.removeEventListener('pointerdown', onUse)
    window.removeEventListener('keydown', onUse)
    prefetchOverlays()
  }
  window.addEventListener('pointerdown', onUse)
  window.addEventListener('keydown', onUse)
}
window.addEventListener('load', loadLater, { once: true })
