/** All accounts and their state, newest first. */
import { Group, NumberInput, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { useApiMutation, usePagedList } from '../../api/use-api.ts'
import { AddButton } from '../../parts/form/add-button.tsx'
import { bindText } from '../../parts/form/bind.ts'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { fieldProblem } from '../../parts/form/problem.tsx'
import { FilterSelect } from '../../parts/form/select.tsx'
import { Code, Count, When } from '../../parts/format/figures.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { Empty } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../../words/screens/operator.ts'
import { AccountState } from './account-state.tsx'
import { waitText } from './wait-text.ts'

type OperatedAccount = Answer<'showOperatedAccount'>

export const Accounts = () => {
  const { t } = useWords(operatorWords)
  const [search, setSearch] = useState('')
  const [status, setStatus] = useState<OperatedAccount['status'] | null>(null)
  const [debounced] = useDebouncedValue(search.trim(), 250)
  const [isCreating, setCreating] = useState(false)
  const list = usePagedList('listAccounts', {
    query: { search: debounced, status: status ?? undefined, page_size: 25 },
    kinds: ['account'],
  })
  const columns: Column<OperatedAccount>[] = [
    { head: t('field.name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { head: t('field.state'), cell: (account) => <AccountState status={account.status} /> },
    { head: t('field.intentsToday'), cell: ({ health }) => <Count>{health.intents_today}</Count> },
    {
      head: t('frame.phones'),
      cell: ({ health: { phones, silent_phones } }) => (
        <>
          <Count>{phones}</Count>
          {silent_phones > 0 && ` (${t('health.silent', { count: silent_phones })})`}
        </>
      ),
    },
    {
      head: t('opAccounts.waiting'),
      cell: ({ health }) =>
        health.oldest_waiting_s === null ? t('health.noneWaits') : waitText(health.oldest_waiting_s, t),
    },
    { head: t('field.unread'), cell: ({ health }) => <Count>{health.unread_alerts}</Count> },
    {
      head: t('opAccounts.quota'),
      cell: ({ monthly_intent_quota: quota }) => (quota === null ? t('opAccounts.noQuota') : <Count>{quota}</Count>),
    },
    { head: t('field.created'), cell: ({ created_at }) => <When at={created_at} />, end: true },
  ]
  const filtered = debounced !== '' || status !== null
  const add = <AddButton label={t('opAccounts.new')} onClick={() => setCreating(true)} />
  return (
    <Stack gap="md">
      <Group gap="xs" align="flex-end">
        <TextInput
          label={t('opAccounts.search')}
          value={search}
          maxLength={200}
          onChange={(event) => setSearch(event.currentTarget.value)}
          flex={1}
          miw={200}
        />
        <FilterSelect
          label={t('field.state')}
          data={(['ACTIVE', 'SUSPENDED'] as const).map((value) => ({ value, label: t(`opAccounts.status.${value}`) }))}
          value={status}
          onChange={(chosen) => setStatus(chosen as OperatedAccount['status'] | null)}
          w={180}
        />
        {add}
      </Group>
      <GrowingList
        list={list}
        empty={
          filtered ? <Empty>{t('opAccounts.noneFound')}</Empty> : <Empty action={add}>{t('opAccounts.none')}</Empty>
        }
      >
        {(rows) => (
          <Rows
            label={t('operator.accounts')}
            rows={rows}
            columns={columns}
            keyOf={({ id }) => id}
            linkOf={({ id }) => `/operator/accounts/${id}`}
          />
        )}
      </GrowingList>
      {isCreating && <NewAccount close={() => setCreating(false)} />}
    </Stack>
  )
}

const NewAccount = ({ close }: { close: () => void }) => {
  const { t } = useWords(operatorWords)
  const [, go] = useLocation()
  const create = useApiMutation('createAccount', ['account'])
  const [name, setName] = useState('')
  const [quota, setQuota] = useState<number | string>('')
  return (
    <FormModal
      title={t('opAccounts.new')}
      submitLabel={t('opAccounts.new')}
      call={create}
      fields={['name', 'monthly_intent_quota']}
      send={() =>
        create.mutate(
          { body: { name, monthly_intent_quota: quota === '' ? null : Number(quota) } },
          { onSuccess: ({ id }) => go(`/operator/accounts/${id}`) },
        )
      }
      close={close}
    >
      <TextInput
        label={t('field.name')}
        required
        maxLength={200}
        data-autofocus
        {...bindText(name, setName)}
        error={fieldProblem(create.error, 'name', t)}
      />
      <NumberInput
        label={t('opAccounts.quotaLabel')}
        description={t('opAccounts.quotaLead')}
        min={0}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        dir="ltr"
        value={quota}
        onChange={setQuota}
        error={fieldProblem(create.error, 'monthly_intent_quota', t)}
      />
      <Quiet>
        {t('opAccounts.newLead')}
        <br />
        <Code>npx --no sanad member invite --role owner</Code>
      </Quiet>
    </FormModal>
  )
}
