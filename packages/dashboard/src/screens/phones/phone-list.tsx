/** All phones and their state. */
import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useApiMutation, usePagedList } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { NameModal } from '../../parts/form/name-modal.tsx'
import { NameList, When } from '../../parts/format/figures.tsx'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { Empty, Page } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { noticesWords } from '../../words/screens/notices.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import { PairingCode } from './pairing-code.tsx'
import type { Pairing, Phone } from './phone.ts'
import { PhoneState } from './phone-state.tsx'

export const PhoneList = () => {
  const { t } = useWords(noticesWords, phonesWords)
  const { may } = useMe()
  const [, go] = useLocation()
  const list = usePagedList('listPhones', { kinds: ['phone', 'wallet'] })
  const [adding, setAdding] = useState(false)
  const [made, setMade] = useState<{ phone: Phone; pairing: Pairing } | undefined>(undefined)
  const columns: Column<Phone>[] = [
    { head: t('phones.name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { head: t('phones.state'), cell: (phone) => <PhoneState phone={phone} /> },
    {
      head: t('phones.wallets'),
      cell: ({ wallets }) =>
        wallets.length === 0 ? t('phones.noWallets') : <NameList>{wallets.map(({ name }) => name)}</NameList>,
    },
    {
      head: t('phones.lastAlert'),
      whole: true,
      cell: ({ last_alert_at }) => (last_alert_at === null ? t('phones.never') : <When at={last_alert_at} />),
      end: true,
    },
  ]
  const add = may('phones.secrets') && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {t('phones.new')}
    </Button>
  )
  return (
    <Page title={t('phones.title')} actions={add}>
      {may('phones.write') && !may('phones.secrets') && (
        <Text c="dimmed" mt={-16}>
          {t('owner.phones')}
        </Text>
      )}
      <GrowingList list={list} empty={<Empty action={add}>{t('phones.none')}</Empty>}>
        {(rows) => (
          <Rows
            label={t('phones.title')}
            rows={rows}
            columns={columns}
            keyOf={({ id }) => id}
            linkOf={({ id }) => `/phones/${id}`}
          />
        )}
      </GrowingList>
      {adding && (
        <NewPhone
          made={(answer) => {
            setAdding(false)
            setMade(answer)
          }}
          done={() => setAdding(false)}
        />
      )}
      {made !== undefined && (
        <PairingCode id={made.phone.id} pairing={made.pairing} done={() => go(`/phones/${made.phone.id}`)} />
      )}
    </Page>
  )
}

const NewPhone = ({ made, done }: { made: (answer: { phone: Phone; pairing: Pairing }) => void; done: () => void }) => {
  const { t } = useWords(phonesWords)
  const create = useApiMutation('createPhone', ['phone'])
  return (
    <NameModal
      title={t('phones.new')}
      go={t('phones.new')}
      label={t('phones.name')}
      busy={create.isPending}
      problem={create.error}
      send={(name) => create.mutate({ body: { name } }, { onSuccess: made })}
      done={done}
    />
  )
}
