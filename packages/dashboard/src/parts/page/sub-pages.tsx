/**
 * A screen of several pages, each with its own path: tabs on a wide screen; on a narrow one first a list of links, and
 * a link back on each page.
 */
import { Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useWords } from '../../words/language.ts'
import { useIsNarrow } from '../list/is-narrow.ts'
import { BackTo } from './back-to.tsx'
import { Empty, Page } from './page.tsx'
import classes from './sub-pages.module.css'

export type SubPage = {
  /** Paths below it belong to the page too. */
  readonly path: string
  readonly name: string
  /** What the page contains, for the list. */
  readonly lead: string
  readonly page: ReactNode
}

export const SubPages = ({ title, base, pages }: { title: string; base: string; pages: readonly SubPage[] }) => {
  const { t } = useWords()
  const narrow = useIsNarrow()
  const [location] = useLocation()
  const matching = pages.find(({ path }) => location === path || location.startsWith(`${path}/`))
  if (narrow && location === base)
    return (
      <Page title={title}>
        <List title={title} pages={pages} />
      </Page>
    )
  const current = matching ?? (location === base ? pages[0] : undefined)
  if (current === undefined)
    return (
      <Page title={title}>
        <Empty action={<Link href={base}>{title}</Link>}>{t('frame.notFound')}</Empty>
      </Page>
    )
  return (
    <Page title={narrow ? current.name : title}>
      {narrow ? (
        <BackTo href={base} name={title} />
      ) : (
        <nav aria-label={title} className={classes.tabs}>
          {pages.map(({ path, name }) => (
            <Link
              key={path}
              href={path}
              className={classes.tab}
              aria-current={path === current.path ? 'page' : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
      )}
      {current.page}
    </Page>
  )
}

const List = ({ title, pages }: { title: string; pages: readonly SubPage[] }) => (
  <nav aria-label={title}>
    <ul className={`card ${classes.list}`}>
      {pages.map(({ path, name, lead }) => (
        <li key={path}>
          <Link href={path} className={classes.row}>
            <span>
              <Text component="span" display="block" fw={600}>
                {name}
              </Text>
              <Text component="span" display="block" size="sm" c="dimmed">
                {lead}
              </Text>
            </span>
            <span className="mirrored">
              <IconChevronRight size={18} aria-hidden />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)
