/** All payment links, with how often each was opened and paid. */
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { lazy, useState } from 'react'
import { useSearchParams } from 'wouter'
import { loadFile } from '../../api/load-file.ts'
import { usePagedList } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { AddButton } from '../../parts/form/add-button.tsx'
import { Count, When } from '../../parts/format/figures.tsx'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { Empty, Page } from '../../parts/page/page.tsx'
import { WhenSeen } from '../../parts/pictures/when-seen.tsx'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import { LinkAmount, LinkState, type ListedLink, linkTitle } from './link.tsx'
import { NewLink } from './new-link.tsx'

const FunnelDays = lazy(() => loadFile(() => import('./funnel-days.tsx')))

export const LinkList = () => {
  const { t } = useWords(checkoutsWords)
  const { may } = useMe()
  const [params] = useSearchParams()
  const [creating, setCreating] = useState(params.get('new') === '1' && may('checkouts.write'))
  const list = usePagedList('listPaymentLinks', {
    query: firstPage.paymentLinks,
    kinds: ['payment_link', 'checkout', 'intent'],
  })
  const columns: Column<ListedLink>[] = [
    {
      head: t('field.name'),
      cell: (link) => <bdi>{linkTitle(link, t)}</bdi>,
    },
    { head: t('field.amount'), cell: (link) => <LinkAmount link={link} /> },
    { head: t('field.state'), cell: ({ active }) => <LinkState active={active} /> },
    { head: t('funnel.opened'), cell: ({ funnel }) => <Count>{funnel.opened}</Count>, end: true, wideOnly: true },
    { head: t('funnel.paid'), cell: ({ funnel }) => <Count>{funnel.paid}</Count>, end: true },
    { head: t('links.created'), cell: (link) => <When at={link.created_at} />, end: true, whole: true },
  ]
  const create = may('checkouts.write') && <AddButton label={t('links.new')} onClick={() => setCreating(true)} />
  return (
    <Page title={t('frame.paymentLinks')} actions={create}>
      <GrowingList
        list={list}
        empty={<Empty action={create}>{t(may('checkouts.write') ? 'links.none' : 'links.noneRead')}</Empty>}
      >
        {(rows) => (
          <Rows
            label={t('frame.paymentLinks')}
            rows={rows}
            columns={columns}
            keyOf={({ id }) => id}
            linkOf={({ id }) => `/payment-links/${id}`}
          />
        )}
      </GrowingList>
      {(list.rows?.length ?? 0) > 0 && (
        <WhenSeen rows={6}>
          <FunnelDays />
        </WhenSeen>
      )}
      {creating && <NewLink close={() => setCreating(false)} />}
    </Page>
  )
}
