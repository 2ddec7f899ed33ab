/** `/wallets?amounts=ID`: only the unique amounts of one wallet. Screens that suggest unique amounts link to it. */
import { useApi } from '../../api/use-api.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { SideDrawer } from '../../parts/form/side-drawer.tsx'
import { Loading } from '../../parts/page/page.tsx'
import { UniqueAmounts } from './unique-amounts.tsx'

export const AmountsDrawer = ({ id, close }: { id: string; close: () => void }) => {
  const wallet = useApi('showWallet', { path: { id }, kinds: ['wallet'] })
  return (
    <SideDrawer title={wallet.data?.name ?? ''} close={close}>
      {wallet.isError && <Problem problem={wallet.error} retry={() => void wallet.refetch()} />}
      {wallet.isPending && <Loading rows={6} />}
      {wallet.data !== undefined && <UniqueAmounts wallet={wallet.data} />}
    </SideDrawer>
  )
}
