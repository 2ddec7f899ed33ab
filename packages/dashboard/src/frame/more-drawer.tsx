/** What the bar at the bottom has no room for. */

import type { ReactNode } from 'react'
import { Drawer } from '../parts/later.tsx'
import { useWords } from '../words/language.ts'

export const MoreDrawer = ({
  opened,
  close,
  children,
}: {
  opened: boolean
  close: () => void
  children: ReactNode
}) => {
  const { t } = useWords()
  return (
    <Drawer opened={opened} onClose={close} position="bottom" title={t('frame.more')} size="auto">
      {children}
    </Drawer>
  )
}
