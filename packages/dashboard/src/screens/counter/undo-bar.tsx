/** The bar that says that money was taken as a sale, and undoes it while it counts down. By the service's clock. */
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { ProblemAnswer } from '../../api/call.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { ignoreShownError, problemText } from '../../parts/form/problem.tsx'
import { currentTime } from '../../parts/format/clock.ts'
import { userName } from '../../parts/format/user-name.ts'
import { inDigits } from '../../words/digits.ts'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { counterWords } from '../../words/screens/counter.ts'
import classes from './counter.module.css'
import type { Counter, RollEntry } from './counter-data.ts'

const tick_ms = 250

/** The service's time, which ticks while `isOn`. */
const useServiceTime = (at: string, isOn: boolean): number => {
  const [clock, setClock] = useState(() => ({ at, ahead_ms: Date.parse(at) - currentTime() }))
  const [now, setNow] = useState(currentTime)
  if (clock.at !== at) setClock({ at, ahead_ms: Date.parse(at) - currentTime() })
  useEffect(() => {
    if (!isOn) return undefined
    const ticking = setInterval(() => setNow(currentTime()), tick_ms)
    return () => clearInterval(ticking)
  }, [isOn])
  // Before the first tick the clock may be older than the answer.
  return Math.max(now + clock.ahead_ms, Date.parse(at))
}

export const UndoBars = ({ counter }: { counter: Counter }) => {
  const { at, undoable } = counter
  const now = useServiceTime(at, undoable.length > 0)
  const left = (entry: RollEntry): number => Math.ceil((Date.parse(entry.sale?.undo_until ?? '') - now) / 1000)
  const open = undoable.filter((entry) => left(entry) > 0)
  if (open.length === 0) return null
  // The newest first; more than fit over half of the screen are reached by scrolling, so that each can be undone.
  return (
    <div className={classes.undoBars}>
      {open.map((entry) => (
        <UndoBar key={entry.id} entry={entry} left_s={left(entry)} />
      ))}
    </div>
  )
}

const UndoBar = ({ entry, left_s }: { entry: RollEntry; left_s: number }) => {
  const { t, language } = useWords(counterWords)
  const { may } = useMe()
  const undo = useApiMutation('undoSale', ['alert', 'intent'])
  const amount = moneyText(entry.amount, entry.currency, language)
  return (
    <div className={classes.undoBar}>
      <p role="status">
        {t('counter.taken', { amount, by: userName(entry.sale?.by ?? '') })}
        {undo.error !== null && ` ${problemText(undo.error as ProblemAnswer, t)}`}
      </p>
      {may('sales.write') && (
        <Button
          variant="default"
          mih={44}
          loading={undo.isPending}
          onClick={() => void undo.mutateAsync({ path: { id: entry.id } }).then(() => {}, ignoreShownError)}
        >
          {t('counter.undo', { left: inDigits(String(left_s), language) })}
        </Button>
      )}
    </div>
  )
}
