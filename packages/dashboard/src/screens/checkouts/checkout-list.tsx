/** The list of checkouts. Its filters are in the URL: a filtered list can be shared, and Back works. */

import { Button } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { checkoutStatuses } from '@sanad/contract/kinds'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { usePagedList } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { AddButton } from '../../parts/form/add-button.tsx'
import { Chips } from '../../parts/form/chips.tsx'
import { SearchField } from '../../parts/form/search-field.tsx'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { filtersIn, withFilters } from '../../parts/list/url-filters.ts'
import { Empty, Page } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import { stateOf } from './checkout.ts'
import { CheckoutRows } from './checkout-rows.tsx'
import classes from './checkouts.module.css'
import { NewCheckout } from './new-checkout.tsx'

export const CheckoutList = () => {
  const { t } = useWords(checkoutsWords)
  const { may } = useMe()
  const [params, setParams] = useSearchParams()
  const [creating, setCreating] = useState(params.get('new') === '1' && may('checkouts.write'))
  const search = params.get('search') ?? ''
  const status = params.get('status') ?? ''
  const isFiltered = search !== '' || status !== ''
  const list = usePagedList('listCheckouts', {
    query: { ...filtersIn<'listCheckouts'>(params, ['search', 'status']), ...firstPage.checkouts },
    kinds: ['checkout', 'intent'],
  })
  const set = (name: string, value: string): void =>
    setParams((params) => withFilters(params, { new: '', [name]: value }))
  const create = may('checkouts.write') && <AddButton label={t('checkouts.new')} onClick={() => setCreating(true)} />
  const empty = isFiltered ? (
    <Empty
      action={
        <Button variant="default" onClick={() => setParams(new URLSearchParams())}>
          {t('list.clear')}
        </Button>
      }
    >
      {t('list.noneFound')}
    </Empty>
  ) : (
    <Empty action={create}>{t(may('checkouts.write') ? 'checkouts.none' : 'checkouts.noneRead')}</Empty>
  )
  return (
    <Page title={t('frame.checkouts')} actions={create}>
      <div className={classes.filters}>
        <SearchField label={t('checkouts.search')} searched={search} search={(text) => set('search', text)} />
        <Chips
          label={t('field.state')}
          options={checkoutStatuses.map((state) => ({ value: state, label: t(`state.${stateOf[state]}`) }))}
          value={status.split(',').filter((state) => state !== '')}
          onChange={(chosen) => set('status', chosen.join(','))}
        />
      </div>
      <GrowingList list={list} empty={empty}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{t('checkouts.noneYet')}</Empty>
          ) : (
            <CheckoutRows rows={rows} label={t('frame.checkouts')} />
          )
        }
      </GrowingList>
      {creating && <NewCheckout close={() => setCreating(false)} />}
    </Page>
  )
}
