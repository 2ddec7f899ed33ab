/** A drawer beside a list: from the side on a wide screen, from the bottom on a narrow one. It is shown while it is mounted. */
import type { ReactNode } from 'react'
import { useIsNarrow } from '../list/is-narrow.ts'
import { Drawer } from './lazy-overlays.tsx'

type Props = {
  readonly title: string
  /** Wide enough for lines of code. */
  readonly wide?: boolean
  readonly close: () => void
  readonly children: ReactNode
}

export const SideDrawer = ({ title, wide = false, close, children }: Props) => {
  const narrow = useIsNarrow()
  const width = wide ? 640 : 480
  return (
    <Drawer opened onClose={close} position={narrow ? 'bottom' : 'right'} size={narrow ? '92%' : width} title={title}>
      {children}
    </Drawer>
  )
}
