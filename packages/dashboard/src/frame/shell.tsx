/**
 * The shell of a person who is signed in: the rail and the top bar on a wide screen, a bar at the bottom on a narrow one,
 * and the screen itself. `/` leads to the search from anywhere.
 */
import { Alert, Badge, Text, UnstyledButton } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import { useApi } from '../api/use-api.ts'
import { useIsNarrow } from '../parts/list/is-narrow.ts'
import { Empty, Loading, Page } from '../parts/page/page.tsx'
import { type Screen, screens } from '../screens/all.tsx'
import { inDigits } from '../words/digits.ts'
import { useWords } from '../words/language.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Icon } from './icons.tsx'
import { Logo } from './logo.tsx'
import { MoreDrawer } from './more-drawer.tsx'
import { Search } from './search.tsx'
import { useMe } from './session-context.ts'
import classes from './shell.module.css'
import { UserButton } from './user-button.tsx'

// What opens at a touch comes when it is touched: the first page is quicker by them.
const PersonMenu = lazy(() => import('./user-menu.tsx'))

const isHere = (screen: Screen, where: string): boolean =>
  screen.path === '/' ? where === '/' : where === screen.path || where.startsWith(`${screen.path}/`)

export const Shell = () => {
  const { t } = useWords()
  const { me, may } = useMe()
  const narrow = useIsNarrow()
  const [where] = useLocation()
  // Undefined: nobody has asked for it yet.
  const [more, setMore] = useState<boolean>()
  const mine = screens.filter(({ action }) => may(action))
  const listed = mine.filter((screen) => !screen.apart)
  const first = listed.filter((screen) => screen.first)

  // A new screen begins at its top, and those who listen hear it from there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is what it waits for
  useEffect(() => {
    window.scrollTo(0, 0)
    setMore((before) => before && false)
  }, [where])

  return (
    <>
      <a className="skip" href="#content">
        {t('frame.skip')}
      </a>
      <header className={classes.top}>
        <Link href="/" aria-label="Sanad">
          <Logo size={28} />
        </Link>
        <Text fw={600} truncate flex={1} dir="auto" className="named">
          {me.account?.name ?? ''}
        </Text>
        {may('unmatched.read') && <Search narrow={narrow} />}
        <Person />
      </header>
      {!narrow && (
        <nav aria-label={t('frame.menu')} className={classes.rail}>
          {listed.map((screen) => (
            <SidebarLink key={screen.path} screen={screen} here={isHere(screen, where)} />
          ))}
        </nav>
      )}
      <main id="content" tabIndex={-1} className={classes.main}>
        <div className={classes.page}>
          <ErrorBoundary place={where}>
            <Screens mine={mine} />
          </ErrorBoundary>
        </div>
      </main>
      {narrow && (
        <nav aria-label={t('frame.menu')} className={classes.bottom}>
          {first.map((screen) => (
            <Link
              key={screen.path}
              href={screen.path}
              className={classes.thumb}
              aria-current={isHere(screen, where) ? 'page' : undefined}
            >
              <Icon name={screen.icon} />
              {t(screen.name)}
            </Link>
          ))}
          <UnstyledButton className={classes.thumb} onClick={() => setMore(true)} aria-haspopup="dialog">
            <IconDots size={20} aria-hidden />
            {t('frame.more')}
          </UnstyledButton>
        </nav>
      )}
      {more !== undefined && (
        <MoreDrawer opened={more} close={() => setMore(false)}>
          {listed
            .filter((screen) => !screen.first)
            .map((screen) => (
              <SidebarLink key={screen.path} screen={screen} here={isHere(screen, where)} />
            ))}
        </MoreDrawer>
      )}
    </>
  )
}

const Person = () => {
  const [asked, setAsked] = useState(false)
  const button = (
    <UserButton aria-haspopup="menu" aria-expanded={false} loading={asked} onClick={() => setAsked(true)} />
  )
  if (!asked) return button
  return (
    <Suspense fallback={button}>
      <PersonMenu />
    </Suspense>
  )
}

const SidebarLink = ({ screen, here }: { screen: Screen; here: boolean }) => {
  const { t } = useWords()
  return (
    <Link href={screen.path} className={classes.link} aria-current={here ? 'page' : undefined}>
      <Icon name={screen.icon} />
      <span>{t(screen.name)}</span>
      {screen.path === '/unmatched' && <UnmatchedCount />}
    </Link>
  )
}

/** How much money waits for a person. */
const UnmatchedCount = () => {
  const { language } = useWords()
  const counts = useApi('countUnmatched', { kinds: ['alert'] })
  if (counts.data === undefined) return null
  const all = Object.values(counts.data)
  const count = all.reduce((sum, one) => sum + one.count, 0)
  if (count === 0) return null
  return (
    <Badge variant="light" color="gray" size="sm" ms="auto">
      {inDigits(String(count), language)}
      {all.some(({ more }) => more) ? '+' : ''}
    </Badge>
  )
}

const Screens = ({ mine }: { mine: readonly Screen[] }) => {
  const { t } = useWords()
  const { me } = useMe()
  const [where] = useLocation()
  // Who belongs to no account still has a name, a password and sessions of their own.
  if (me.account === null && !me.user.operator && !where.startsWith('/settings'))
    return (
      <Page title={t('frame.account')}>
        <Alert color="gray">{t('frame.noAccount')}</Alert>
      </Page>
    )
  const home = mine.find(({ action }) => action === 'operator')
  if (where === '/' && me.account === null && home !== undefined) return <Redirect to={home.path} replace />
  return (
    <Suspense fallback={<Loading />}>
      <Switch>
        {mine.map(({ path, screen: Shown }) => (
          <Route key={path} path={path === '/' ? '/' : `${path}/*?`}>
            <Shown />
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
