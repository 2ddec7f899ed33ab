/**
 * A long list from its top: first as much as a screen holds, then the rest in steps, between which a touch is answered.
 */
import { startTransition, useEffect, useState } from 'react'

/** `step`: how many are drawn at once; fewer of those that take long. */
export const useIncrementalRows = <Row>(rows: readonly Row[], step = 6): readonly Row[] => {
  const [many, setMany] = useState(step)
  const whole = many >= rows.length
  useEffect(() => {
    if (!whole) startTransition(() => setMany(many + step))
  }, [many, whole, step])
  return whole ? rows : rows.slice(0, many)
}
