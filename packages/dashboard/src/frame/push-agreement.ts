/**
 * Notifications, as far as every screen has to do with them: a browser that was switched on agrees with the service once when the
 * dashboard is opened; a member with the counter screen in view tells it, because they see money arrive there. What notifications
 * need is loaded only in a browser that has them.
 */
import { useEffect } from 'react'
import { callWith } from '../api/call.ts'
import { loadFile } from '../api/load-file.ts'
import { useWords } from '../words/language.ts'
import { readPreference } from '../words/preferences.ts'
import { useMe } from './session-context.ts'

const loadPush = () => loadFile(() => import('../api/push-subscription.ts'))

/** After the first screen, which needs the line for itself. */
const agreeAfter_ms = 5_000
const tellEvery_ms = 30_000

/** Nothing of this user arrives here after they signed out. */
export const endPush = (): void => {
  if (readPreference('push') === null) return
  void loadPush()
    .then(({ forgetPush }) => forgetPush())
    .catch(() => {})
}

/** Tells the service that the counter screen is open, as long as it is in view. */
const tellWhileVisible = (): (() => void) => {
  let timer = 0
  const tell = (open: boolean): void => void callWith('tellCounter', { body: { open } }).catch(() => {})
  const follow = (): void => {
    clearInterval(timer)
    const isVisible = document.visibilityState === 'visible'
    tell(isVisible)
    if (isVisible) timer = window.setInterval(() => tell(true), tellEvery_ms)
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', follow)
    tell(false)
  }
}

export const usePushAgreement = (location: string): void => {
  const { language } = useWords()
  const { me, may } = useMe()
  const [user, account] = [me.user.id, me.account?.id]
  const isCounter = location === '/counter' && may('notifications.own')

  useEffect(() => {
    if (account === undefined || readPreference('push') === null) return
    const timer = setTimeout(
      () =>
        void loadPush()
          .then(({ agreeOnPush }) => agreeOnPush({ user, account }, language))
          // Without a connection: the next opening agrees.
          .catch(() => {}),
      agreeAfter_ms,
    )
    return () => clearTimeout(timer)
  }, [user, account, language])

  useEffect(() => (isCounter ? tellWhileVisible() : undefined), [isCounter])
}
