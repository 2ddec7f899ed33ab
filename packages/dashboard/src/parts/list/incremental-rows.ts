/** Renders a long list in steps: first as many rows as fit the screen, then the rest, with input handled in between. */
import { startTransition, useEffect, useState } from 'react'

/** `step`: how many rows are rendered at once; fewer for expensive ones. */
export const useIncrementalRows = <Row>(rows: readonly Row[], step = 6): readonly Row[] => {
  const [count, setCount] = useState(step)
  const isComplete = count >= rows.length
  useEffect(() => {
    if (!isComplete) startTransition(() => setCount(count + step))
  }, [count, isComplete, step])
  return isComplete ? rows : rows.slice(0, count)
}
