/** Day close: the sums of all wallets of a day, and from there the day of one wallet with its balances and messages. */
import { useSearchParams } from 'wouter'
import { WalletDay } from './wallet-day.tsx'
import { WholeDay } from './whole-day.tsx'

const DayClose = () => {
  const [params] = useSearchParams()
  return params.get('wallet') === null ? <WholeDay /> : <WalletDay />
}

export default DayClose
