/** The menu entries that do not fit into the bottom bar. */

import type { ReactNode } from 'react'
import { Drawer } from '../parts/form/lazy-overlays.tsx'
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
    <Drawer
      opened={opened}
      onClose={close}
      position="bottom"
      title={t('frame.more')}
      // Only as high as its content, near the thumb.
      styles={{ content: { height: 'auto' }, body: { paddingBottom: 'calc(16px + env(safe-area-inset-bottom))' } }}
    >
      {children}
    </Drawer>
  )
}
