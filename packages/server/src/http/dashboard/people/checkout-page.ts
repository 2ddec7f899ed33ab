/** `/account/checkout-page/`: what buyers see of the account on its checkout pages. */
import {
  CheckoutPageChanges,
  changeCheckoutPage,
  showCheckoutPage,
} from '@sanad/contract/dashboard/people/checkout-page'
import { changePageSettings, pageSettingsOf } from '../../../checkouts/page-settings.ts'
import { bodyReader } from '../../body/schema-reader.ts'
import { bodyOf, change, type DashboardContext, type Route, route } from '../route.ts'

const readChanges = bodyReader(CheckoutPageChanges)

export const checkoutPageRoutes = (deps: DashboardContext): Route[] => [
  route(showCheckoutPage, ({ member }) => pageSettingsOf(deps.db, member.accountId)),
  route(changeCheckoutPage, (call) => {
    const body = bodyOf(call, readChanges)
    return change(deps, call, (tx, note) => changePageSettings(tx, note, call.member.accountId, body))
  }),
]
