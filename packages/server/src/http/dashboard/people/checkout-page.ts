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
import { type Scope, wholeOf } from '../../../core/scope.ts'
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

const settingsWithLogo = async (db: Session, scope: Scope): Promise<CheckoutPageSettings> => {
  const logo = await logoOf(db, wholeOf(scope))
  return {
    ...(await pageSettingsOf(db, wholeOf(scope))),
    logo: logo && { url: `${logoBase}/${logo.name}`, width: logo.width, height: logo.height },
  }
}

export const checkoutPageRoutes = (deps: DashboardContext): Route[] => [
  route(showCheckoutPage, ({ member }) => settingsWithLogo(deps.db, member.scope)),
  route(changeCheckoutPage, async (call) => {
    const { scope } = call.member
    await change(deps, call, (tx, audit) => changePageSettings(tx, audit, scope, call.body))
    return settingsWithLogo(deps.db, scope)
  }),
  route(setCheckoutLogo, async (call) => {
    const { scope } = call.member
    const image = readLogo(Buffer.from(call.body.image, 'base64'))
    if (typeof image === 'string') throw logoProblem(image)
    await change(deps, call, (tx, audit) => changeLogo(tx, audit, scope, image))
    return settingsWithLogo(deps.db, scope)
  }),
  route(removeCheckoutLogo, async (call) => {
    const { scope } = call.member
    await change(deps, call, (tx, audit) => changeLogo(tx, audit, scope, null))
    return settingsWithLogo(deps.db, scope)
  }),
]
