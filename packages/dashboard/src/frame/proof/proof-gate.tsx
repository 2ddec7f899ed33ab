/** Shows the dialog that asks for a proof of the person, when a call needs one. The dialog is loaded then. */
import { lazy, Suspense, useEffect, useState } from 'react'
import { loadFile } from '../../api/load-file.ts'
import { setProofAsker } from '../../api/proof.ts'

const ProofDialog = lazy(() => loadFile(() => import('./proof-dialog.tsx')))

/** The element that last had the focus: a button that waits for its call is disabled, and has lost it. */
let lastFocused: EventTarget | null = null

const focusAgain = (element: EventTarget | null): void => {
  // Deferred until the refused call has enabled its button again.
  setTimeout(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body
    if (isFree && element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true })
  }, 50)
}

export const ProofGate = () => {
  const [answer, setAnswer] = useState<((proved: boolean) => void) | undefined>(undefined)
  useEffect(() => {
    const remember = ({ target }: FocusEvent): void => {
      lastFocused = target
    }
    document.addEventListener('focusin', remember)
    let waiting: ((proved: boolean) => void) | undefined
    setProofAsker(() => {
      const focused = lastFocused
      return new Promise((done) => {
        waiting = (proved) => {
          waiting = undefined
          setAnswer(undefined)
          focusAgain(focused)
          done(proved)
        }
        const answered = waiting
        setAnswer(() => answered)
      })
    })
    return () => {
      document.removeEventListener('focusin', remember)
      waiting?.(false)
    }
  }, [])
  if (answer === undefined) return null
  return (
    <Suspense fallback={null}>
      <ProofDialog done={answer} />
    </Suspense>
  )
}
