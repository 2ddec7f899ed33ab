/** The name of the shop for buyers: the name on the payment page, or the name of the account if that is empty. */
import { useApi } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'

export const useShopName = (): string => {
  const { me } = useMe()
  const page = useApi('showCheckoutPage', { kinds: ['account'] })
  const name = page.data?.shop_name ?? ''
  return name === '' ? (me.account?.name ?? '') : name
}
