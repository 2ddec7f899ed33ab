/** A value that follows after typing has paused, so that not every key sends a request. Values are compared as JSON. */
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'

export const useDebounced = <T>(value: T, pause_ms: number): T => {
  const [json] = useDebouncedValue(JSON.stringify(value), pause_ms)
  return useMemo(() => JSON.parse(json) as T, [json])
}
