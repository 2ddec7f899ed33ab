/** The name of the shop as buyers see it: that of the payment page, else that of the account. */
import { useApi } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'

export const useShopName = (): string => {
  const { me } = useMe()
  const page = useApi('showCheckoutPage', { kinds: ['account'] })
  const name = page.data?.shop_name ?? ''
  return name === '' ? (me.account?.name ?? '') : name
}
