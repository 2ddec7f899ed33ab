/** Says that the service cannot be reached, how old the data on the screen is, and that the page reconnects by itself. */
import type { Me } from '@sanad/contract/dashboard/people/session'
import { IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useConnection } from '../api/connection.ts'
import { clockTime } from '../words/format.ts'
import { useWords } from '../words/language.ts'
import classes from './connection-notice.module.css'

/** How long the page says that the connection is back. */
const shownFor_ms = 4_000

export const ConnectionNotice = () => {
  const { t, language } = useWords()
  const connection = useConnection()
  const isDown = connection.kind === 'down'
  const [wasDown, setWasDown] = useState(false)
  useEffect(() => {
    if (isDown) setWasDown(true)
    if (isDown || !wasDown) return undefined
    const timer = setTimeout(() => setWasDown(false), shownFor_ms)
    return () => clearTimeout(timer)
  }, [isDown, wasDown])
  const me = useQueryClient().getQueryData<Me>(['showMe', null, null])
  const zone = me?.account?.time_zone ?? me?.service_time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  // The element is always rendered: a screen reader announces changes inside it.
  return (
    <div aria-live="polite" className={classes.place}>
      {isDown && (
        <p className={`${classes.notice} ${classes.down}`}>
          <IconPlugConnectedX size={20} aria-hidden />
          <span>
            <strong>{t('connection.down')}</strong>{' '}
            {t('connection.downLead', {
              when: clockTime(new Date(connection.lastAnswerAt).toISOString(), language, zone),
            })}
          </span>
        </p>
      )}
      {!isDown && wasDown && (
        <p className={`${classes.notice} ${classes.up}`}>
          <IconPlugConnected size={20} aria-hidden />
          {t('connection.up')}
        </p>
      )}
    </div>
  )
}
