/** Renders a long list in steps: first as many rows as fit the screen, then the rest, with input handled in between. */
import { startTransition, useEffect, useState } from 'react'

/** `step`: how many rows are rendered at once; fewer for expensive ones. */
export const useIncrementalRows = <Row>(rows: readonly Row[], step = 6): readonly Row[] => {
  const [count, setCount] = useState(step)
  const whole = count >= rows.length
  useEffect(() => {
    if (!whole) startTransition(() => setCount(count + step))
  }, [count, whole, step])
  return whole ? rows : rows.slice(0, count)
}
