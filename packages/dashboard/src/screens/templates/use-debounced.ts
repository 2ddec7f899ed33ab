/** What somebody is still typing, once they pause: so that not every letter is asked about. Compared by what it says. */
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'

export const useDebounced = <T>(value: T, pause_ms: number): T => {
  const [said] = useDebouncedValue(JSON.stringify(value), pause_ms)
  return useMemo(() => JSON.parse(said) as T, [said])
}
