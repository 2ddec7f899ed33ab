/**
 * The house's own letters. On a first visit a screen is read in those of the device, and wears ours when they have come:
 * nobody on a slow network waits for them. From then on the browser has them at hand, the server is told so, and a page
 * begins in them. Lines keep their height either way.
 */
import { savePreference } from '../words/preferences.ts'

/** The faces that the page is set in; a text finds the one that has its signs. */
const faces = (): readonly string[] => [
  '400 14px "IBM Plex Sans"',
  '600 14px "IBM Plex Sans"',
  '400 14px "IBM Plex Mono"',
  ...(document.documentElement.lang === 'ar'
    ? ['400 14px "IBM Plex Sans Arabic"', '600 14px "IBM Plex Sans Arabic"']
    : []),
]

const fetched = (): Promise<unknown> => Promise.all(faces().map((face) => document.fonts.load(face)))

/** Where the page begins in them, they are asked for before a script has drawn anything. */
export const lettersAtHand = (): void => {
  if (document.documentElement.dataset.letters !== undefined) void fetched().catch(() => {})
}

export const wearLetters = async (): Promise<void> => {
  try {
    await fetched()
  } catch {
    // The letters of the device say the same.
    return
  }
  document.documentElement.dataset.letters = 'ours'
  savePreference('letters', 'ours')
}
