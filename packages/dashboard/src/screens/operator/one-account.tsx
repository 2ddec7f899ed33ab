/** One account as the operator sees it: its state, its quota, suspend and resume. No payments. */
import { Button, NumberInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { fieldProblem } from '../../parts/form/problem.tsx'
import { Code, Count, When } from '../../parts/format/figures.tsx'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { BackTo } from '../../parts/page/back-to.tsx'
import { LoadFailed } from '../../parts/page/load-failed.tsx'
import { Card, Loading, Page } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../../words/screens/operator.ts'
import { AccountState } from './account-state.tsx'
import { waitText } from './wait-text.ts'

type OperatedAccount = Answer<'showOperatedAccount'>

export const OneAccount = ({ id }: { id: string }) => {
  const { t } = useWords(operatorWords)
  const account = useApi('showOperatedAccount', { path: { id }, kinds: ['account'], every_ms: 15_000 })
  if (account.isError)
    return (
      <LoadFailed
        list="/operator/accounts"
        title={t('operator.accounts')}
        problem={account.error}
        retry={() => void account.refetch()}
      />
    )
  if (account.data === undefined) return <Loading />
  const { name, status, health, monthly_intent_quota: quota, time_zone, created_at } = account.data
  return (
    <Page title={name} actions={<Actions account={account.data} />}>
      <BackTo href="/operator/accounts" name={t('operator.accounts')} />
      <Card pad="lg">
        <Stack component="dl" gap="sm" m={0} maw={560}>
          <DetailRow name={t('field.state')} value={<AccountState status={status} />} />
          <DetailRow
            name={t('opAccounts.quota')}
            value={quota === null ? t('opAccounts.noQuota') : <Count>{quota}</Count>}
          />
          <DetailRow name={t('field.intentsToday')} value={<Count>{health.intents_today}</Count>} />
          <DetailRow name={t('frame.phones')}>
            <Count>{health.phones}</Count>
            {health.silent_phones > 0 && ` (${t('health.silent', { count: health.silent_phones })})`}
          </DetailRow>
          <DetailRow
            name={t('opAccounts.waiting')}
            value={health.oldest_waiting_s === null ? t('health.noneWaits') : waitText(health.oldest_waiting_s, t)}
          />
          <DetailRow name={t('field.unread')} value={<Count>{health.unread_alerts}</Count>} />
          <DetailRow name={t('field.timeZone')} value={<Code>{time_zone}</Code>} />
          <DetailRow name={t('field.created')} value={<When at={created_at} />} />
          <DetailRow name={t('field.id')} value={<Code>{id}</Code>} />
        </Stack>
      </Card>
    </Page>
  )
}

const Actions = ({ account }: { account: OperatedAccount }) => {
  const { t } = useWords(operatorWords)
  const { id, name, status } = account
  const suspend = useApiMutation('suspendAccount', ['account'])
  const resume = useApiMutation('resumeAccount', ['account'])
  const [dialog, setDialog] = useState<'quota' | 'status' | undefined>(undefined)
  const close = (): void => {
    suspend.reset()
    resume.reset()
    setDialog(undefined)
  }
  const active = status === 'ACTIVE'
  const change = active ? suspend : resume
  return (
    <>
      <Button variant="default" onClick={() => setDialog('quota')}>
        {t('opAccounts.setQuota')}
      </Button>
      <Button variant={active ? 'default' : 'filled'} onClick={() => setDialog('status')}>
        {t(active ? 'opAccounts.suspend' : 'opAccounts.resume')}
      </Button>
      {dialog === 'quota' && <SetQuota account={account} close={close} />}
      {dialog === 'status' && (
        <Confirm
          title={t(active ? 'opAccounts.suspendTitle' : 'opAccounts.resumeTitle', { name })}
          submitLabel={t(active ? 'opAccounts.suspend' : 'opAccounts.resume')}
          danger={active}
          call={change}
          no={close}
          yes={() => change.mutate({ path: { id } }, { onSuccess: close })}
        >
          <Text>{t(active ? 'opAccounts.suspendSure' : 'opAccounts.resumeSure')}</Text>
        </Confirm>
      )}
    </>
  )
}

const SetQuota = ({ account, close }: { account: OperatedAccount; close: () => void }) => {
  const { t } = useWords(operatorWords)
  const set = useApiMutation('setAccountQuota', ['account'])
  const [quota, setQuota] = useState<number | string>(account.monthly_intent_quota ?? '')
  return (
    <FormModal
      title={t('opAccounts.setQuota')}
      submitLabel={t('opAccounts.setQuota')}
      call={set}
      fields={['monthly_intent_quota']}
      send={() =>
        set.mutate(
          { path: { id: account.id }, body: { monthly_intent_quota: quota === '' ? null : Number(quota) } },
          { onSuccess: close },
        )
      }
      close={close}
    >
      <NumberInput
        label={t('opAccounts.quotaLabel')}
        description={t('opAccounts.quotaLead')}
        name="quota"
        min={0}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        dir="ltr"
        data-autofocus
        value={quota}
        onChange={setQuota}
        error={fieldProblem(set.error, 'monthly_intent_quota', t)}
      />
    </FormModal>
  )
}
