/** Reloads the page, at most once a minute: a page that fails again shows its error instead. */
import { currentTime } from '../parts/format/clock.ts'

const storedAs = 'sanad.reloaded'
const atMostEvery_ms = 60_000

export const reloadOnce = (): boolean => {
  try {
    const last = Number(sessionStorage.getItem(storedAs) ?? '0')
    if (Math.abs(currentTime() - last) < atMostEvery_ms) return false
    sessionStorage.setItem(storedAs, String(currentTime()))
  } catch {
    // Without storage a second reload cannot be detected.
    return false
  }
  window.location.reload()
  return true
}
