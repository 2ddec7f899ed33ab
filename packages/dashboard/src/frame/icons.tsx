/** The icons of the menu entries. */
import {
  IconBolt,
  IconCalendarCheck,
  IconCashRegister,
  IconClock,
  IconDeviceMobile,
  IconHelpHexagon,
  IconHome,
  IconKey,
  IconQrcode,
  IconReceipt,
  IconSearch,
  IconServerCog,
  IconSettings,
  IconShoppingBag,
  IconTemplate,
  IconTerminal2,
  IconWallet,
} from '@tabler/icons-react'

const icons = {
  today: IconHome,
  counter: IconCashRegister,
  intents: IconReceipt,
  unmatched: IconHelpHexagon,
  checkouts: IconShoppingBag,
  paymentLinks: IconQrcode,
  wallets: IconWallet,
  phones: IconDeviceMobile,
  templates: IconTemplate,
  webhooks: IconBolt,
  keys: IconKey,
  calls: IconTerminal2,
  dayClose: IconCalendarCheck,
  shifts: IconClock,
  search: IconSearch,
  settings: IconSettings,
  operator: IconServerCog,
} as const

export type IconName = keyof typeof icons

export const Icon = ({ name }: { name: IconName }) => {
  const Picture = icons[name]
  return <Picture size={20} stroke={1.6} aria-hidden />
}
