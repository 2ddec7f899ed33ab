/**
 * Every screen: its path, its name, the action that allows it, and the file it is loaded from. The sidebar, the bottom bar
 * and the router use only this list.
 */
import { type ComponentType, createElement, lazy, type ReactElement, Suspense } from 'react'
import { loadFile } from '../api/load-file.ts'
import type { IconName } from '../frame/icons.tsx'
import { Loading } from '../parts/page/page.tsx'
import type { KeyOf } from '../words/catalogue.ts'
import type { frameWords } from '../words/frame.ts'

export type Screen = {
  /** Paths below it belong to the screen too. */
  readonly path: string
  readonly name: KeyOf<typeof frameWords>
  /** Its name in the bottom bar, where a label has one line. */
  readonly shortName?: KeyOf<typeof frameWords>
  readonly icon: IconName
  /** The screen is shown only to users whose role allows this action. */
  readonly action: string
  readonly screen: ComponentType
  readonly load: Load
  /** In the bottom bar of a narrow screen; the others are under More. */
  readonly first?: boolean
  /** Reached from another screen: not in a menu. */
  readonly apart?: boolean
}

type Load = () => Promise<{ default: ComponentType }>

/** A screen that is already loaded is rendered at once, without a fallback. */
const lazyScreen = (load: Load): Pick<Screen, 'load' | 'screen'> => {
  let loadedScreen: ComponentType | undefined
  const loadAndKeep: Load = async () => {
    const file = await load()
    loadedScreen = file.default
    return file
  }
  const LazyScreen = lazy(() => loadFile(loadAndKeep))
  return {
    load: loadAndKeep,
    screen: () => createElement(loadedScreen ?? LazyScreen),
  }
}

export const screens: readonly Screen[] = [
  {
    path: '/',
    name: 'frame.today',
    icon: 'today',
    action: 'overview.read',
    ...lazyScreen(() => import('./today/today.tsx')),
    first: true,
  },
  {
    path: '/counter',
    name: 'frame.counter',
    icon: 'counter',
    action: 'intents.write',
    ...lazyScreen(() => import('./counter/counter.tsx')),
  },
  {
    path: '/intents',
    name: 'frame.intents',
    shortName: 'frame.intentsShort',
    icon: 'intents',
    action: 'intents.read',
    ...lazyScreen(() => import('./intents/intents.tsx')),
    first: true,
  },
  {
    path: '/unmatched',
    name: 'frame.unmatched',
    icon: 'unmatched',
    action: 'unmatched.read',
    ...lazyScreen(() => import('./unmatched/unmatched.tsx')),
    first: true,
  },
  {
    path: '/checkouts',
    name: 'frame.checkouts',
    icon: 'checkouts',
    action: 'checkouts.read',
    ...lazyScreen(() => import('./checkouts/checkouts.tsx')),
  },
  {
    path: '/payment-links',
    name: 'frame.paymentLinks',
    icon: 'paymentLinks',
    action: 'checkouts.read',
    ...lazyScreen(() => import('./payment-links/payment-links.tsx')),
  },
  {
    path: '/search',
    name: 'frame.search',
    icon: 'search',
    action: 'unmatched.read',
    ...lazyScreen(() => import('./search/search.tsx')),
    apart: true,
  },
  {
    path: '/wallets',
    name: 'frame.wallets',
    icon: 'wallets',
    action: 'wallets.read',
    ...lazyScreen(() => import('./wallets/wallets.tsx')),
  },
  {
    path: '/phones',
    name: 'frame.phones',
    icon: 'phones',
    action: 'phones.read',
    ...lazyScreen(() => import('./phones/phones.tsx')),
  },
  {
    path: '/templates',
    name: 'frame.templates',
    icon: 'templates',
    action: 'templates.read',
    ...lazyScreen(() => import('./templates/templates.tsx')),
  },
  {
    path: '/webhooks',
    name: 'frame.webhooks',
    icon: 'webhooks',
    action: 'webhooks.read',
    ...lazyScreen(() => import('./webhooks/webhooks.tsx')),
  },
  {
    path: '/keys',
    name: 'frame.keys',
    icon: 'keys',
    action: 'keys.read',
    ...lazyScreen(() => import('./keys/keys.tsx')),
  },
  {
    path: '/calls',
    name: 'frame.calls',
    icon: 'calls',
    action: 'webhooks.read',
    ...lazyScreen(() => import('./calls/calls.tsx')),
  },
  {
    path: '/day-close',
    name: 'frame.dayClose',
    icon: 'dayClose',
    action: 'day_close.read',
    ...lazyScreen(() => import('./day-close/day-close.tsx')),
  },
  {
    path: '/shifts',
    name: 'frame.shifts',
    icon: 'shifts',
    action: 'shifts.read',
    ...lazyScreen(() => import('./shifts/shifts.tsx')),
  },
  {
    path: '/settings',
    name: 'frame.settings',
    icon: 'settings',
    action: 'self',
    ...lazyScreen(() => import('./settings/settings.tsx')),
  },
  {
    path: '/operator',
    name: 'frame.operator',
    icon: 'operator',
    action: 'operator',
    ...lazyScreen(() => import('./operator/operator.tsx')),
  },
  {
    path: '/requests',
    name: 'frame.limitRequests',
    icon: 'keys',
    action: 'requests.read',
    ...lazyScreen(() => import('./requests/requests.tsx')),
    apart: true,
  },
  {
    path: '/approvals',
    name: 'frame.approvals',
    icon: 'keys',
    action: 'approvals.read',
    ...lazyScreen(() => import('./approvals/approvals.tsx')),
    apart: true,
  },
  {
    path: '/first-payment',
    name: 'frame.firstPayment',
    icon: 'today',
    action: 'intents.write',
    ...lazyScreen(() => import('./first-payment/first-payment.tsx')),
    apart: true,
  },
]

/** Pages without a session, such as the target of a link in a mail. */
const publicScreens: readonly Pick<Screen, 'path' | 'screen' | 'load'>[] = [
  { path: '/forgot', ...lazyScreen(() => import('./signed-out/forgot.tsx')) },
  { path: '/password', ...lazyScreen(() => import('./signed-out/new-password.tsx')) },
  { path: '/invitation', ...lazyScreen(() => import('./signed-out/invitation.tsx')) },
  { path: '/address', ...lazyScreen(() => import('./signed-out/prove-address.tsx')) },
]

/** Whether this location belongs to the screen. */
export const isAt = ({ path }: Pick<Screen, 'path'>, location: string): boolean =>
  path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)

/** Starts to load the files of a screen before it is known whether the user may see it. */
export const preloadScreen = async (location: string): Promise<void> =>
  void (await [...publicScreens, ...screens].find((screen) => isAt(screen, location))?.load())

export const publicScreenAt = (location: string): ReactElement | undefined => {
  const found = publicScreens.find((screen) => isAt(screen, location))
  if (found === undefined) return undefined
  const { screen: Opened } = found
  return (
    <Suspense fallback={<Loading />}>
      <Opened />
    </Suspense>
  )
}
