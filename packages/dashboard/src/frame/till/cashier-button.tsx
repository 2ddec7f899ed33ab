/**
 * At a counter: the name of the cashier in the top bar. A touch shows the names, a second one the PIN of another cashier. Without a touch
 * for the minutes of the counter, in any of its tabs, it is locked.
 */

import { Button } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { callWith } from '../../api/call.ts'
import { loadFile } from '../../api/load-file.ts'
import { currentTime } from '../../parts/format/clock.ts'
import { useMe } from '../session-context.ts'

const LockScreen = lazy(() => loadFile(() => import('./lock-screen.tsx')))

const touchKey = 'sanad.touched'
const lookEvery_ms = 5_000
const tellEvery_ms = 60_000

/** The last touch in any tab of this browser. */
const lastTouch = (): number => {
  try {
    return Number(localStorage.getItem(touchKey) ?? 0)
  } catch {
    return 0
  }
}

const useIdleLock = (idle_minutes: number): void => {
  const client = useQueryClient()
  useEffect(() => {
    let touched = currentTime()
    let told = touched
    const touch = (): void => {
      touched = currentTime()
    }
    const look = (): void => {
      const now = currentTime()
      const other = lastTouch()
      if (touched > other)
        try {
          localStorage.setItem(touchKey, String(touched))
        } catch {
          // The browser has no storage for this page: this tab counts alone.
        }
      if (now - Math.max(touched, other) >= idle_minutes * 60_000) {
        void callWith('lockCounter', {})
          .catch(() => {})
          .finally(() => void client.resetQueries({ queryKey: ['showMe'] }))
        return
      }
      if (touched > told && now - told >= tellEvery_ms) {
        told = now
        void callWith('touchCounter', {}).catch(() => {})
      }
    }
    const timer = setInterval(look, lookEvery_ms)
    const events = ['pointerdown', 'keydown', 'wheel'] as const
    for (const event of events) window.addEventListener(event, touch, { capture: true, passive: true })
    return () => {
      clearInterval(timer)
      for (const event of events) window.removeEventListener(event, touch, true)
    }
  }, [client, idle_minutes])
}

export const CashierButton = ({ idle_minutes, label }: { idle_minutes: number; label: string }) => {
  const { me } = useMe()
  const [switching, setSwitching] = useState(false)
  useIdleLock(idle_minutes)
  return (
    <>
      <Button
        variant="default"
        maw={160}
        px="sm"
        aria-label={label}
        leftSection={<IconUser size={18} aria-hidden />}
        onClick={() => setSwitching(true)}
      >
        <bdi className="named" style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {me.user.name}
        </bdi>
      </Button>
      {switching &&
        createPortal(
          <Suspense fallback={null}>
            <LockScreen close={() => setSwitching(false)} />
          </Suspense>,
          document.body,
        )}
    </>
  )
}
