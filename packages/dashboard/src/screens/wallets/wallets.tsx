/** The list of wallets: name, phones, and the reasons why a wallet cannot collect money. */
import { Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { usePagedList } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { AddButton } from '../../parts/form/add-button.tsx'
import { Code, When } from '../../parts/format/figures.tsx'
import { providerName } from '../../parts/format/provider-name.ts'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { Empty, Page } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { walletsWords } from '../../words/screens/wallets.ts'
import { AmountsDrawer } from './amounts-drawer.tsx'
import { type Prefill, WalletForm } from './wallet-form.tsx'
import { WalletPhones } from './wallet-phones.tsx'

type Wallet = Answer<'listWallets'>['results'][number]

const Wallets = () => {
  const { t, language } = useWords(walletsWords)
  const { may } = useMe()
  const [, go] = useLocation()
  const list = usePagedList('listWallets', { kinds: ['wallet', 'phone'] })
  const prefill = usePrefill()
  const [params] = useSearchParams()
  const amounts = params.get('amounts')
  const [editing, setEditing] = useState<Wallet | 'new' | undefined>(
    prefill !== undefined && may('wallets.write') ? 'new' : undefined,
  )
  const columns: Column<Wallet>[] = [
    {
      head: t('field.name'),
      cell: ({ name, is_test }) => (
        <>
          <bdi>{shippedName(name, t)}</bdi>
          {is_test && (
            <Text span c="dimmed" size="xs">
              {' '}
              · {t('wallets.test')}
            </Text>
          )}
        </>
      ),
    },
    { head: t('field.state'), cell: (wallet) => <State wallet={wallet} /> },
    { head: t('field.provider'), cell: ({ provider }) => <bdi>{providerName(provider, language)}</bdi> },
    { head: t('field.accountNumber'), cell: ({ account_number }) => <Code>{account_number}</Code>, whole: true },
    {
      head: t('frame.phones'),
      cell: ({ phones }) => <WalletPhones phones={phones} />,
    },
    {
      head: t('field.lastMessage'),
      whole: true,
      cell: ({ last_alert_at }) => (last_alert_at === null ? t('wallets.never') : <When at={last_alert_at} />),
      end: true,
    },
    ...(may('wallets.write')
      ? [
          {
            head: t('part.actions'),
            quiet: true,
            end: true,
            cell: (wallet: Wallet) => (
              <Button variant="default" size="compact-sm" onClick={() => setEditing(wallet)}>
                {t('part.change')}
              </Button>
            ),
          },
        ]
      : []),
  ]
  // Without the parameters, the form does not open again when the page is reloaded.
  const close = (): void => {
    setEditing(undefined)
    if (prefill !== undefined || amounts !== null) go('/wallets', { replace: true })
  }
  const add = may('wallets.write') && <AddButton label={t('act.addWallet')} onClick={() => setEditing('new')} />
  return (
    <Page title={t('frame.wallets')} actions={add}>
      <GrowingList list={list} empty={<Empty action={add}>{t('wallets.none')}</Empty>}>
        {(rows) => <Rows label={t('frame.wallets')} rows={rows} columns={columns} keyOf={({ id }) => id} asCards />}
      </GrowingList>
      {amounts !== null && editing === undefined && <AmountsDrawer id={amounts} close={close} />}
      {editing !== undefined && (
        <WalletForm wallet={editing === 'new' ? undefined : editing} prefill={prefill} close={close} />
      )}
    </Page>
  )
}

export default Wallets

/** `?new=1` opens the form of a new wallet. `&sender=…&phone=…` fill it in, for a message whose sender has no wallet. */
const usePrefill = (): Prefill | undefined => {
  const [params] = useSearchParams()
  if (!params.has('new')) return undefined
  return { sender: params.get('sender') ?? '', phone: params.get('phone') }
}

const State = ({ wallet }: { wallet: Wallet }) => {
  const { t } = useWords(walletsWords)
  const isUntried = wallet.active && !wallet.is_test && wallet.first_received_at === null
  return (
    <Stack gap={2}>
      {wallet.notes.length > 0 ? (
        <Notes wallet={wallet} />
      ) : (
        <span style={{ display: 'inline-flex', gap: 4, alignItems: 'center', color: 'var(--sanad-verified)' }}>
          <IconCircleCheck size={16} aria-hidden />
          {t('wallets.offered')}
        </span>
      )}
      {isUntried && (
        <span style={{ display: 'inline-flex', gap: 4, alignItems: 'center', color: 'var(--sanad-pending)' }}>
          <IconAlertTriangle size={16} aria-hidden style={{ flexShrink: 0 }} />
          {t('part.nothingReceived')}
        </span>
      )}
    </Stack>
  )
}

const Notes = ({ wallet }: { wallet: Wallet }) => {
  const { t } = useWords(walletsWords)
  // A phone that is switched off gets no “not reporting” note as well.
  const off = wallet.notes.flatMap(({ code, facts }) => (code === 'phone_off' ? [facts.phone] : []))
  return (
    <Stack gap={2}>
      {wallet.notes
        .filter(({ code, facts }) => code !== 'phone_silent' || !off.includes(facts.phone))
        .map(({ code, facts, blocking }) => (
          <span
            key={`${code} ${facts.phone ?? ''}`}
            style={{
              display: 'inline-flex',
              gap: 4,
              alignItems: 'center',
              color: blocking ? 'var(--sanad-wrong)' : 'var(--sanad-pending)',
            }}
          >
            <IconAlertTriangle size={16} aria-hidden style={{ flexShrink: 0 }} />
            {t(`note.${code}`, { phone: '', ...facts })}
          </span>
        ))}
    </Stack>
  )
}
