/**
 * A long list from its top: first as much as a screen holds, then the rest in steps, between which a touch is answered.
 */
import { startTransition, useEffect, useState } from 'react'

const first = 6
const step = 6

export const useGradually = <Row>(rows: readonly Row[]): readonly Row[] => {
  const [many, setMany] = useState(first)
  const whole = many >= rows.length
  useEffect(() => {
    if (!whole) startTransition(() => setMany(many + step))
  }, [many, whole])
  return whole ? rows : rows.slice(0, many)
}
