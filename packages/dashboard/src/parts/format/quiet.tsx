/** A smaller text that explains what is beside it. */
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

export const Quiet = ({ children }: { children: ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)
