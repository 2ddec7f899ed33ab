/** The voucher of a paid order at the counter: the same buttons as on the page of the intent. Loaded with the first paid card. */
import { useApi } from '../../api/use-api.ts'
import { VoucherActions } from './voucher-actions.tsx'

const CounterVoucher = ({ id }: { id: string }) => {
  const intent = useApi('showIntent', { path: { id }, kinds: ['intent'] })
  return intent.data === undefined ? null : <VoucherActions intent={intent.data} brief />
}

export default CounterVoucher
