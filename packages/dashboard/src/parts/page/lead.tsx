/** What a page is for, close below its title. */
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

export const Lead = ({ children }: { children: ReactNode }) => (
  <Text c="dimmed" mt={-16}>
    {children}
  </Text>
)
