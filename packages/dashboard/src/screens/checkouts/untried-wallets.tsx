/** Says beside a link for buyers which of its wallets have received no money yet. */
import { useApi } from '../../api/use-api.ts'
import { NothingReceived } from '../../parts/format/nothing-received.tsx'

/** `wallets`: those of the link. Empty: all that are offered. */
export const UntriedWallets = ({ wallets }: { wallets: readonly string[] }) => {
  const list = useApi('listWallets', { kinds: ['wallet'] })
  const offered = (list.data?.results ?? []).filter((wallet) => wallet.offered)
  return <NothingReceived offered={offered} chosen={wallets} />
}
