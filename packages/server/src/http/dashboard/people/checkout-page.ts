/** `/account/checkout-page/`: what buyers see of the account on its checkout pages, and its logo. */
import {
  type CheckoutPageSettings,
  changeCheckoutPage,
  removeCheckoutLogo,
  setCheckoutLogo,
  showCheckoutPage,
} from '@sanad/contract/dashboard/people/checkout-page'
import { type LogoFault, mostLogo_bytes, mostLogo_px, readLogo } from '../../../checkouts/logo/logo-image.ts'
import { changeLogo, logoOf } from '../../../checkouts/logo/shop-logo.ts'
import { changePageSettings, pageSettingsOf } from '../../../checkouts/page-settings.ts'
import type { AccountId } from '../../../core/ids.ts'
import type { Session } from '../../../postgres/connection/database.ts'
import { invalid, type Problem } from '../../answers.ts'
import { logoBase } from '../../pay/shop-logo.ts'
import { change, type DashboardContext, type Route, route } from '../route.ts'

const logoDetails: Readonly<Record<LogoFault, string>> = {
  kind: 'Send a PNG, JPEG or WebP file with one picture that is whole.',
  bytes: `The picture has more than ${mostLogo_bytes} bytes.`,
  pixels: `The picture is wider or higher than ${mostLogo_px} pixels.`,
}

const logoProblem = (fault: LogoFault): Problem =>
  invalid([{ code: `logo_${fault}`, detail: logoDetails[fault], attr: 'image' }])

const settingsWithLogo = async (db: Session, accountId: AccountId): Promise<CheckoutPageSettings> => {
  const logo = await logoOf(db, accountId)
  return {
    ...(await pageSettingsOf(db, accountId)),
    logo: logo && { url: `${logoBase}/${logo.name}`, width: logo.width, height: logo.height },
  }
}

export const checkoutPageRoutes = (deps: DashboardContext): Route[] => [
  route(showCheckoutPage, ({ member }) => settingsWithLogo(deps.db, member.accountId)),
  route(changeCheckoutPage, async (call) => {
    const { accountId } = call.member
    await change(deps, call, (tx, audit) => changePageSettings(tx, audit, accountId, call.body))
    return settingsWithLogo(deps.db, accountId)
  }),
  route(setCheckoutLogo, async (call) => {
    const { accountId } = call.member
    const image = readLogo(Buffer.from(call.body.image, 'base64'))
    if (typeof image === 'string') throw logoProblem(image)
    await change(deps, call, (tx, audit) => changeLogo(tx, audit, accountId, image))
    return settingsWithLogo(deps.db, accountId)
  }),
  route(removeCheckoutLogo, async (call) => {
    const { accountId } = call.member
    await change(deps, call, (tx, audit) => changeLogo(tx, audit, accountId, null))
    return settingsWithLogo(deps.db, accountId)
  }),
]
