/**
 * The web fonts. On a first visit the page is shown in a system font and switches when the web fonts are loaded, so nobody
 * on a slow network waits for them. After that they are in the browser's cache, a cookie informs the server, and a page
 * starts with them. Lines have the same height either way.
 */
import { savePreference } from '../words/preferences.ts'

/** The font faces of the page; the browser picks the one that has a character. */
const faces = (): readonly string[] => [
  '400 14px "IBM Plex Sans"',
  '600 14px "IBM Plex Sans"',
  '400 14px "IBM Plex Mono"',
  ...(document.documentElement.lang === 'ar'
    ? ['400 14px "IBM Plex Sans Arabic"', '600 14px "IBM Plex Sans Arabic"']
    : []),
]

const loadFonts = (): Promise<unknown> => Promise.all(faces().map((face) => document.fonts.load(face)))

/** If the page starts with the web fonts, they are requested before the first render. */
export const loadCachedFonts = (): void => {
  if (document.documentElement.dataset.letters !== undefined) void loadFonts().catch(() => {})
}

export const applyWebFonts = async (): Promise<void> => {
  try {
    await loadFonts()
  } catch {
    // The system font stays.
    return
  }
  document.documentElement.dataset.letters = 'ours'
  savePreference('letters', 'ours')
}
