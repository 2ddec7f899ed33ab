/**
 * Every screen: where it is, what it is called, who may open it, and the piece it is loaded from. The rail, the bar and
 * the router read this list and nothing else.
 */
import { type ComponentType, createElement, lazy, type ReactElement, Suspense } from 'react'
import type { IconName } from '../frame/icons.tsx'
import { Loading } from '../parts/page/page.tsx'
import type { KeyOf } from '../words/catalogue.ts'
import type { frameWords } from '../words/frame.ts'

export type Screen = {
  /** Also everything under it belongs to the screen. */
  readonly path: string
  readonly name: KeyOf<typeof frameWords>
  readonly icon: IconName
  /** The action of the role table that opens it. */
  readonly action: string
  readonly screen: ComponentType
  readonly load: Load
  /** In the narrow bottom bar; the others are under More. */
  readonly first?: boolean
  /** Reached from another screen: in no bar. */
  readonly apart?: boolean
}

type Load = () => Promise<{ default: ComponentType }>

/** What is there already is shown at once; what is not, as soon as it has come. */
const lazyScreen = (load: Load): Pick<Screen, 'load' | 'screen'> => {
  let there: ComponentType | undefined
  const begin: Load = async () => {
    const loaded = await load()
    there = loaded.default
    return loaded
  }
  const Coming = lazy(begin)
  return {
    load: begin,
    screen: () => (there === undefined ? createElement(Coming) : createElement(there)),
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
    path: '/intents',
    name: 'frame.intents',
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
    path: '/day-close',
    name: 'frame.dayClose',
    icon: 'dayClose',
    action: 'day_close.read',
    ...lazyScreen(() => import('./day-close/day-close.tsx')),
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
    path: '/first-payment',
    name: 'frame.firstPayment',
    icon: 'today',
    action: 'intents.write',
    ...lazyScreen(() => import('./first-payment/first-payment.tsx')),
    apart: true,
  },
]

/** Pages for people without a session, such as a link from a mail leads to. */
const publicScreens: readonly Pick<Screen, 'path' | 'screen' | 'load'>[] = [
  { path: '/forgot', ...lazyScreen(() => import('./open/forgot.tsx')) },
  { path: '/password', ...lazyScreen(() => import('./open/new-password.tsx')) },
  { path: '/invitation', ...lazyScreen(() => import('./open/invitation.tsx')) },
]

const isAt =
  (where: string) =>
  ({ path }: { readonly path: string }): boolean =>
    path === '/' ? where === '/' : where === path || where.startsWith(`${path}/`)

/** Begins to load the piece of a place, before anybody knows who may see it. */
export const preloadScreen = async (where: string): Promise<void> =>
  void (await [...publicScreens, ...screens].find(isAt(where))?.load())

export const publicScreenAt = (where: string): ReactElement | undefined => {
  const found = publicScreens.find(isAt(where))
  if (found === undefined) return undefined
  const { screen: Opened } = found
  return (
    <Suspense fallback={<Loading />}>
      <Opened />
    </Suspense>
  )
}
