/** Reloads the page, at most once a minute for one screen: a screen that fails again shows its error instead. */
import { currentTime } from '../parts/format/clock.ts'

const storedAs = 'sanad.reloaded'
const atMostEvery_ms = 60_000

export const reloadOnce = (): boolean => {
  const screen = window.location.pathname
  try {
    const [last = '0', reloaded] = (sessionStorage.getItem(storedAs) ?? '').split(' ')
    if (reloaded === screen && Math.abs(currentTime() - Number(last)) < atMostEvery_ms) return false
    sessionStorage.setItem(storedAs, `${currentTime()} ${screen}`)
  } catch {
    // Without storage a second reload cannot be detected.
    return false
  }
  window.location.reload()
  return true
}
