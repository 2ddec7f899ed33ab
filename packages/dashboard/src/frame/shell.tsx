/**
 * The layout for a signed-in user: sidebar and top bar on a wide screen, a bottom bar on a narrow one, and the screen.
 * Keys open the search and the main screens from anywhere; `?` lists them.
 */
import { Alert, Badge, Text, UnstyledButton } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { loadFile } from '../api/load-file.ts'
import { useApi } from '../api/use-api.ts'
import { useNow } from '../parts/format/clock.ts'
import { useIsNarrow } from '../parts/list/is-narrow.ts'
import { Empty, Loading, Page } from '../parts/page/page.tsx'
import { isAt, type Screen, screens } from '../screens/all.tsx'
import { inDigits } from '../words/digits.ts'
import { relativeTime } from '../words/format.ts'
import { useWords } from '../words/language.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Icon } from './icons.tsx'
import { Shortcuts } from './keys/shortcuts.tsx'
import { Logo } from './logo.tsx'
import { MoreDrawer } from './more-drawer.tsx'
import { usePushAgreement } from './push-agreement.ts'
import { Search } from './search.tsx'
import { useMe } from './session-context.ts'
import classes from './shell.module.css'
import { UserButton } from './user-button.tsx'

// Loaded on the first click, so that the first page loads faster.
const CashierButton = lazy(() =>
  loadFile(() => import('./till/cashier-button.tsx').then((file) => ({ default: file.CashierButton }))),
)
const UserMenu = lazy(() => loadFile(() => import('./user-menu.tsx')))

/** The start page of a role: the counter for a cashier, the figures of the day for everybody else. */
const startPathOf = (role: string | undefined): string => (role === 'cashier' ? '/counter' : '/')

export const Shell = () => {
  const { t } = useWords()
  const { me, may } = useMe()
  const narrow = useIsNarrow()
  const [location] = useLocation()
  usePushAgreement(location)
  // Undefined: the drawer was not opened yet.
  const [more, setMore] = useState<boolean>()
  const allowed = screens.filter(({ action }) => may(action))
  const start = startPathOf(me.account?.role)
  // The start page of the role is first in every menu.
  const listed = allowed
    .filter((screen) => !screen.apart)
    .sort((a, b) => Number(b.path === start) - Number(a.path === start))
  const first = listed.filter((screen) => screen.first || screen.path === start)

  // Only a page that is opened at `/` is redirected to the start page: later the menu may lead to `/`.
  const [opening, setOpening] = useState(location === '/' && start !== '/')

  // A new screen starts at the top.
  useEffect(() => {
    window.scrollTo(0, 0)
    if (location !== '/') setOpening(false)
    setMore((opened) => opened && false)
  }, [location])

  return (
    <>
      <a className="skip" href="#content">
        {t('frame.skip')}
      </a>
      <header className={classes.top}>
        <Link href="/" aria-label="Sanad" className={classes.home}>
          <Logo size={28} />
        </Link>
        <Text fw={600} truncate flex={1} dir="auto" className="named">
          {me.account?.name ?? ''}
        </Text>
        {may('unmatched.read') && <Search narrow={narrow} />}
        {me.counter === null ? (
          <UserMenuSlot />
        ) : (
          <Suspense fallback={null}>
            <CashierButton
              idle_minutes={me.counter.idle_minutes}
              label={t('frame.switchCashier', { name: me.user.name })}
            />
          </Suspense>
        )}
      </header>
      {!narrow && (
        <nav aria-label={t('frame.menu')} className={classes.sidebar}>
          {listed.map((screen) => (
            <SidebarLink key={screen.path} screen={screen} current={isAt(screen, location)} />
          ))}
        </nav>
      )}
      <main id="content" tabIndex={-1} className={classes.main}>
        <div className={classes.page}>
          {me.second_factor_due !== null && <FactorDue at={me.second_factor_due.at} />}
          <OfWallets />
          <OfToday />
          <ErrorBoundary place={location}>
            <Screens allowed={allowed} start={opening ? start : undefined} />
          </ErrorBoundary>
        </div>
      </main>
      {narrow && (
        <nav aria-label={t('frame.menu')} className={classes.bottom}>
          {first.map((screen) => (
            <Link
              key={screen.path}
              href={screen.path}
              className={classes.tab}
              aria-current={isAt(screen, location) ? 'page' : undefined}
            >
              <Icon name={screen.icon} />
              {t(screen.shortName ?? screen.name)}
            </Link>
          ))}
          <UnstyledButton className={classes.tab} onClick={() => setMore(true)} aria-haspopup="dialog">
            <IconDots size={20} aria-hidden />
            {t('frame.more')}
          </UnstyledButton>
        </nav>
      )}
      <Shortcuts paths={allowed.map(({ path }) => path)} />
      {more !== undefined && (
        <MoreDrawer opened={more} close={() => setMore(false)}>
          {listed
            .filter((screen) => !screen.first)
            .map((screen) => (
              <SidebarLink key={screen.path} screen={screen} current={isAt(screen, location)} />
            ))}
        </MoreDrawer>
      )}
    </>
  )
}

/** Says that lists and sums are of some wallets, to a member who was given some. Printed too: a sum on paper must say whose it is. */
const OfWallets = () => {
  const { t } = useWords()
  const { wallets } = useMe().me
  if (wallets === null) return null
  const names = wallets.map(({ name }) => `\u2068${name}\u2069`).join(' · ')
  return (
    <Text size="sm" c="dimmed" mb="xs" role="note">
      {wallets.length === 0 ? t('frame.noWallets') : t('frame.ofWallets', { count: wallets.length, names })}
    </Text>
  )
}

/** Says to who sees no other day that everything is of today. Printed too, as above. */
const OfToday = () => {
  const { t } = useWords()
  if (!useMe().me.today_only) return null
  return (
    <Text size="sm" c="dimmed" mb="xs" role="note">
      {t('frame.todayOnly')}
    </Text>
  )
}

/** How long a member without a second factor still has, if the account requires one. */
const FactorDue = ({ at }: { at: string }) => {
  const { t, language } = useWords()
  const now = useNow()
  return (
    <Alert color="yellow" mb="md" role="note">
      {t('frame.factorDue', { when: relativeTime(at, now, language) })}{' '}
      <Link href="/settings/you">{t('frame.factorSetUp')}</Link>
    </Alert>
  )
}

const UserMenuSlot = () => {
  const [clicked, setClicked] = useState(false)
  const button = (
    <UserButton aria-haspopup="menu" aria-expanded={false} loading={clicked} onClick={() => setClicked(true)} />
  )
  if (!clicked) return button
  return (
    <Suspense fallback={button}>
      <UserMenu />
    </Suspense>
  )
}

const SidebarLink = ({ screen, current }: { screen: Screen; current: boolean }) => {
  const { t } = useWords()
  return (
    <Link href={screen.path} className={classes.link} aria-current={current ? 'page' : undefined}>
      <Icon name={screen.icon} />
      <span>{t(screen.name)}</span>
      {screen.path === '/unmatched' && <UnmatchedCount />}
    </Link>
  )
}

/** How many alerts need a decision. */
const UnmatchedCount = () => {
  const { language } = useWords()
  const counts = useApi('countUnmatched', { kinds: ['alert'] })
  if (counts.data === undefined) return null
  const states = Object.values(counts.data)
  const total = states.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  return (
    <Badge variant="light" color="gray" size="sm" ms="auto">
      {inDigits(String(total), language)}
      {states.some(({ more }) => more) ? '+' : ''}
    </Badge>
  )
}

/** Instead of a screen for operators, to an operator who has no second factor and needs one. */
const OperatorFactor = () => {
  const { t } = useWords()
  return (
    <Page title={t('frame.operator')}>
      <Empty action={<Link href="/settings/you">{t('frame.factorSetUp')}</Link>}>{t('frame.operatorFactor')}</Empty>
    </Page>
  )
}

/** `start`: the page to which `/` is redirected while the dashboard is being opened. */
const Screens = ({ allowed, start }: { allowed: readonly Screen[]; start: string | undefined }) => {
  const { t } = useWords()
  const { me } = useMe()
  const [location] = useLocation()
  // A user without an account still has a name, a password and sessions.
  if (me.account === null && !me.user.operator && !location.startsWith('/settings'))
    return (
      <Page title={t('frame.account')}>
        <Alert color="gray">
          {me.requests.length === 0
            ? t('frame.noAccount')
            : t('frame.requests', { accounts: me.requests.map(({ name }) => name).join(' · ') })}
        </Alert>
      </Page>
    )
  if (start !== undefined && location === '/') return <Redirect to={start} replace />
  const operatorScreen = allowed.find(({ action }) => action === 'operator')
  if (location === '/' && me.account === null && operatorScreen !== undefined)
    return <Redirect to={operatorScreen.path} replace />
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        {allowed.map(({ path, action, screen: Shown }) => (
          <Route key={path} path={path === '/' ? '/' : `${path}/*?`}>
            {action === 'operator' && me.operator_needs_factor ? <OperatorFactor /> : <Shown />}
          </Route>
        ))}
        <Route>
          <Page title={t('frame.notFound')}>
            <Empty action={<Link href="/">{t('frame.goToday')}</Link>}>
              {screens.some(({ path }) => path === window.location.pathname)
                ? t('frame.notAllowed')
                : t('frame.notFound')}
            </Empty>
          </Page>
        </Route>
      </Switch>
    </Suspense>
  )
}
