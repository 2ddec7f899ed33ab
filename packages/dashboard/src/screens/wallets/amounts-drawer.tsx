/** `/wallets?amounts=ID`: only the unique amounts of one wallet. Screens that suggest unique amounts link to it. */
import type { ComponentProps } from 'react'
import { useApi } from '../../api/use-api.ts'
import { Drawer } from '../../parts/form/lazy-overlays.tsx'
import { Problem } from '../../parts/form/problem.tsx'
import { useIsNarrow } from '../../parts/list/is-narrow.ts'
import { Loading } from '../../parts/page/page.tsx'
import { UniqueAmounts } from './unique-amounts.tsx'

export const AmountsDrawer = ({ id, done }: { id: string; done: ComponentProps<typeof Drawer>['onClose'] }) => {
  const narrow = useIsNarrow()
  const wallet = useApi('showWallet', { path: { id }, kinds: ['wallet'] })
  return (
    <Drawer
      opened
      onClose={done}
      position={narrow ? 'bottom' : 'right'}
      size={narrow ? '92%' : 480}
      title={wallet.data?.name ?? ''}
    >
      {wallet.isError && <Problem problem={wallet.error} retry={() => void wallet.refetch()} />}
      {wallet.isPending && <Loading rows={6} />}
      {wallet.data !== undefined && <UniqueAmounts wallet={wallet.data} />}
    </Drawer>
  )
}
