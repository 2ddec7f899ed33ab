/** All phones and their state. On a wide screen a few phones are shown with their health and last messages. */
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { usePagedList } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { AddButton } from '../../parts/form/add-button.tsx'
import { NameList, When } from '../../parts/format/figures.tsx'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { Lead } from '../../parts/page/lead.tsx'
import { Empty, Page } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { noticesWords } from '../../words/screens/notices.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import { type AddedPhone, AddPhone } from './add-phone.tsx'
import { ConnectPhone } from './connect-phone.tsx'
import type { Phone } from './phone.ts'
import { PhoneState } from './phone-state.tsx'
import { mostInFull, PhonesInFull } from './phones-in-full.tsx'

export const PhoneList = () => {
  const { t } = useWords(noticesWords, phonesWords)
  const { may } = useMe()
  const [, go] = useLocation()
  const list = usePagedList('listPhones', { kinds: ['phone', 'wallet'] })
  // `?new=1&wallet=…`: opened to add the phone of a wallet.
  const [params] = useSearchParams()
  const hasRoom = useMediaQuery('(min-width: 75em)', window.innerWidth >= 1200) ?? false
  const [adding, setAdding] = useState(params.has('new'))
  const [added, setAdded] = useState<AddedPhone | undefined>(undefined)
  const columns: Column<Phone>[] = [
    { head: t('field.name'), cell: ({ name }) => <bdi>{shippedName(name, t)}</bdi> },
    { head: t('field.state'), cell: (phone) => <PhoneState phone={phone} /> },
    {
      head: t('frame.wallets'),
      cell: ({ wallets }) =>
        wallets.length === 0 ? (
          t('phones.noWallets')
        ) : (
          <NameList>{wallets.map(({ name }) => shippedName(name, t))}</NameList>
        ),
    },
    {
      head: t('field.lastMessage'),
      whole: true,
      cell: ({ last_alert_at }) => (last_alert_at === null ? t('phones.never') : <When at={last_alert_at} />),
      end: true,
    },
  ]
  const add = may('phones.secrets') && <AddButton label={t('act.addPhone')} onClick={() => setAdding(true)} />
  return (
    <Page title={t('frame.phones')} actions={add}>
      {may('phones.write') && !may('phones.secrets') && <Lead>{t('owner.phones')}</Lead>}
      <GrowingList list={list} empty={<Empty action={add}>{t('phones.none')}</Empty>}>
        {(rows) =>
          hasRoom && rows.length <= mostInFull ? (
            <PhonesInFull phones={rows} />
          ) : (
            <Rows
              label={t('frame.phones')}
              rows={rows}
              columns={columns}
              keyOf={({ id }) => id}
              linkOf={({ id }) => `/phones/${id}`}
              asCards
            />
          )
        }
      </GrowingList>
      {adding && may('phones.secrets') && (
        <AddPhone
          wallet={params.get('wallet') ?? undefined}
          added={(phone) => {
            setAdding(false)
            setAdded(phone)
          }}
          close={() => setAdding(false)}
        />
      )}
      {added !== undefined && (
        <ConnectPhone
          id={added.phone.id}
          pairing={added.pairing}
          unbound={added.unbound}
          close={() => go(`/phones/${added.phone.id}`)}
        />
      )}
    </Page>
  )
}
