/** One phone: on/off, connecting it, its health, a self-test, and its last messages. */
import { Button, Grid, Group, Stack, Switch, Text, Title } from '@mantine/core'
import { usualCurrency } from '@sanad/contract/currency'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useApi, useApiMutation, usePagedList } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { NameModal } from '../../parts/form/name-modal.tsx'
import { Problem } from '../../parts/form/problem.tsx'
import { Code, Money, When } from '../../parts/format/figures.tsx'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { BackTo } from '../../parts/page/back-to.tsx'
import { LoadFailed } from '../../parts/page/load-failed.tsx'
import { Card, Empty, Loading, Page } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { noticesWords } from '../../words/screens/notices.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { SuggestedForWallets } from '../wallets/suggested-amounts.tsx'
import { ConnectPhone } from './connect-phone.tsx'
import { MessageText, OtherMessages } from './hidden-messages.tsx'
import type { Pairing, Phone } from './phone.ts'
import { PhoneHealth } from './phone-health.tsx'
import { PhoneProblems } from './phone-problems.tsx'
import { PhoneSilence } from './phone-silence.tsx'
import { PhoneState } from './phone-state.tsx'
import { RefusedApp } from './refused-app.tsx'
import { SelfTest } from './self-test.tsx'
import { SetupProgress } from './setup-progress.tsx'
import { UnsignedApp } from './unsigned-app.tsx'

export const OnePhone = ({ id }: { id: string }) => {
  const { t } = useWords(noticesWords, phonesWords)
  const { may } = useMe()
  const phone = useApi('showPhone', { path: { id }, kinds: ['phone', 'wallet', 'alert'], every_ms: 15_000 })
  if (phone.isError)
    return (
      <LoadFailed list="/phones" title={t('frame.phones')} problem={phone.error} retry={() => void phone.refetch()} />
    )
  if (phone.data === undefined) return <Loading rows={10} />
  const shown = phone.data
  return (
    <Page title={shippedName(shown.name, t)} actions={may('phones.write') && <Actions phone={shown} />}>
      <Group gap="lg" mt={-16}>
        <BackTo href="/phones" name={t('frame.phones')} inRow />
        <PhoneState phone={shown} />
      </Group>
      {may('phones.write') && !may('phones.secrets') && <Text c="dimmed">{t('owner.phones')}</Text>}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <PhoneProblems phone={shown} />
            <RefusedApp phone={shown} />
            <UnsignedApp phone={shown} />
            <OnOff phone={shown} />
            <PhoneHealth phone={shown} />
            <PhoneSilence phone={shown} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <SelfTest phone={shown} />
            <SuggestedForWallets wallets={shown.wallets} />
            {shown.setup !== null && shown.setup.message_at === null && (
              <Card>
                <Stack gap="sm">
                  <Title order={2}>{t('phones.setup')}</Title>
                  <SetupProgress setup={shown.setup} />
                </Stack>
              </Card>
            )}
          </Stack>
        </Grid.Col>
      </Grid>
      <LastAlerts id={shown.id} />
    </Page>
  )
}

const OnOff = ({ phone }: { phone: Phone }) => {
  const { t } = useWords(phonesWords)
  const { may } = useMe()
  const change = useApiMutation('changePhone', ['phone', 'wallet'])
  return (
    <Card>
      <Switch
        label={t('phones.on')}
        description={t('phones.onLead')}
        checked={phone.switched_on}
        disabled={!may('phones.write') || change.isPending}
        onChange={(event) =>
          change.mutate({ path: { id: phone.id }, body: { switched_on: event.currentTarget.checked } })
        }
      />
      {change.error !== null && <Problem problem={change.error} />}
    </Card>
  )
}

const Actions = ({ phone }: { phone: Phone }) => {
  const { t } = useWords(phonesWords)
  const { may } = useMe()
  const [, go] = useLocation()
  const pair = useApiMutation('pairPhone', ['phone'])
  const remove = useApiMutation('deletePhone', ['phone'])
  const [pairing, setPairing] = useState<Pairing | undefined>(undefined)
  const rename = useApiMutation('changePhone', ['phone', 'wallet'])
  const [renaming, setRenaming] = useState(false)
  const [removing, setRemoving] = useState(false)
  return (
    <>
      {may('phones.secrets') && (
        <Button
          loading={pair.isPending}
          onClick={() => pair.mutate({ path: { id: phone.id } }, { onSuccess: (answer) => setPairing(answer.pairing) })}
        >
          {t(phone.app === '' ? 'phones.pair' : 'phones.pairAgain')}
        </Button>
      )}
      <Button variant="default" onClick={() => setRenaming(true)}>
        {t('part.rename')}
      </Button>
      <Button variant="default" onClick={() => setRemoving(true)}>
        {t('act.remove')}
      </Button>
      {pairing !== undefined && <ConnectPhone id={phone.id} pairing={pairing} close={() => setPairing(undefined)} />}
      {renaming && (
        <NameModal
          title={t('part.rename')}
          submitLabel={t('part.save')}
          label={t('field.name')}
          currentName={phone.name}
          call={rename}
          send={(name) =>
            rename.mutate({ path: { id: phone.id }, body: { name } }, { onSuccess: () => setRenaming(false) })
          }
          close={() => setRenaming(false)}
        />
      )}
      {removing && (
        <Confirm
          title={t('act.remove')}
          submitLabel={t('act.remove')}
          danger
          call={remove}
          no={() => setRemoving(false)}
          yes={() => remove.mutate({ path: { id: phone.id } }, { onSuccess: () => go('/phones') })}
        >
          <Text>{t('phones.removeSure')}</Text>
        </Confirm>
      )}
    </>
  )
}

const LastAlerts = ({ id }: { id: string }) => {
  const { t } = useWords(intentsWords, phonesWords, unmatchedWords)
  const list = usePagedList('listPhoneAlerts', { path: { id }, query: firstPage.phoneAlerts, kinds: ['alert'] })
  type Row = NonNullable<typeof list.rows>[number]
  const columns: Column<Row>[] = [
    {
      head: t('field.amount'),
      cell: ({ amount, currency, state }) =>
        amount === null ? (
          t(state === 'hidden' ? 'unmatched.state.hidden' : 'unmatched.notRead')
        ) : (
          <Money amount={amount} currency={currency ?? usualCurrency} strong />
        ),
    },
    { head: t('field.state'), cell: ({ state }) => t(`unmatched.state.${state}`) },
    {
      head: t('field.reference'),
      cell: ({ reference }) => <Code>{reference ?? ''}</Code>,
      whole: true,
      blank: ({ reference }) => reference === null,
    },
    { head: t('field.sender'), cell: ({ sender }) => <bdi>{sender}</bdi> },
    {
      head: t('intent.raw'),
      cell: (alert) => <MessageText alert={alert} />,
      blank: ({ text, hidden }) => text === '' && hidden === '',
    },
    { head: t('field.when'), cell: ({ received_at }) => <When at={received_at} />, end: true, whole: true },
  ]
  return (
    <Stack gap="sm">
      <Title order={2}>{t('phones.alerts')}</Title>
      <OtherMessages id={id} />
      <GrowingList list={list} empty={<Empty>{t('phones.noAlerts')}</Empty>}>
        {(rows) => <Rows label={t('phones.alerts')} rows={rows} columns={columns} keyOf={(row) => row.id} />}
      </GrowingList>
    </Stack>
  )
}
