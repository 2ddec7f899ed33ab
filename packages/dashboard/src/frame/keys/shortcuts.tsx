/** Listens to the keys of the dashboard. Keys do nothing while the user types, and while a dialog is open. */
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { loadFile } from '../../api/load-file.ts'
import { isTyping } from './is-typing.ts'
import { type Begun, press, signOf } from './shortcut.ts'

const ShortcutsDialog = lazy(() => loadFile(() => import('./shortcuts-dialog.tsx')))

/** `paths`: the screens that the user's role allows. */
export const Shortcuts = ({ paths }: { paths: readonly string[] }) => {
  const [, go] = useLocation()
  const [listed, setListed] = useState(false)
  const allowed = paths.join(' ')
  useEffect(() => {
    let begun: Begun
    const mayOpen = (path: string): boolean =>
      allowed.split(' ').some((one) => path === one || (one !== '/' && path.startsWith(`${one}/`)))
    const onKey = (event: KeyboardEvent): void => {
      const sign = signOf(event)
      if (sign === undefined || event.defaultPrevented || event.repeat || isTyping(event)) return
      if (document.querySelector('[role=dialog]') !== null) return
      const pressed = press(sign, begun, event.timeStamp)
      begun = pressed.begun
      if (pressed.list) setListed(true)
      else if (pressed.open === undefined || !mayOpen(pressed.open)) return
      else go(pressed.open)
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [go, allowed])
  if (!listed) return null
  return (
    <Suspense fallback={null}>
      <ShortcutsDialog paths={paths} close={() => setListed(false)} />
    </Suspense>
  )
}
