/**
 * The form of a wallet: its provider and number, the name that the buyer sees, its sender and phones, and the limits of
 * review. After a new wallet is saved, the next steps are shown.
 */
import { Button, Divider, Group, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { type FormEvent, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { Select } from '../../parts/form/select.tsx'
import { SideDrawer } from '../../parts/form/side-drawer.tsx'
import { providerName, providerOptions } from '../../parts/format/provider-name.ts'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { amountToSend } from '../../parts/format/typed-amount.ts'
import { useWords } from '../../words/language.ts'
import { walletsWords } from '../../words/screens/wallets.ts'
import { AskOwner, ownerReasons } from '../approvals/ask-owner.tsx'
import { NextSteps } from './next-steps.tsx'
import { type PhoneRow, PhoneRows } from './phone-rows.tsx'
import { senderFor } from './sender-choice.ts'
import { SenderField } from './sender-field.tsx'
import { UniqueAmounts } from './unique-amounts.tsx'

type Wallet = Answer<'showWallet'>

/** The provider of the test wallet, which every account has from the start. */
const testProvider = 'sanad-test'

const fields = [
  'name',
  'account_number',
  'provider',
  'phone',
  'phones',
  'sender_name',
  'sim_slot',
  'review_above',
  'low_trust_limit',
]

/** Values that are known for a new wallet: the sender of its messages, and the phone. */
export type Prefill = { readonly sender: string; readonly phone: string | null }

/** At least one row, so that there is one to fill in. */
const rowsOf = (wallet: Wallet | undefined, prefill: Prefill | undefined): PhoneRow[] => {
  const rows = (wallet?.phones ?? []).map(({ id, sim_slot }, row) => ({ row, phone: id, sim_slot }))
  return rows.length === 0 ? [{ row: 0, phone: prefill?.phone ?? null, sim_slot: '' }] : rows
}

const initialForm = (wallet: Wallet | undefined, prefill: Prefill | undefined) => ({
  name: wallet?.name ?? '',
  account_number: wallet?.account_number ?? '',
  provider: wallet?.provider.id ?? null,
  phones: rowsOf(wallet, prefill),
  sender_name: wallet?.sender_name ?? prefill?.sender ?? '',
  active: wallet?.active ?? true,
  review_above: wallet?.review_above ?? '',
  low_trust_limit: wallet?.low_trust_limit ?? '0.00',
  review_broken_chains: wallet?.review_broken_chains ?? true,
  review_later_messages: wallet?.review_later_messages ?? true,
})

type Props = {
  readonly wallet: Wallet | undefined
  readonly prefill?: Prefill | undefined
  readonly close: () => void
}

export const WalletForm = ({ wallet, prefill, close }: Props) => {
  const { t, language } = useWords(walletsWords)
  const providers = useApi('listProviders', { query: firstPage.providers, kinds: ['provider'] })
  const phones = useApi('listPhones', { kinds: ['phone'] })
  const create = useApiMutation('createWallet', ['wallet'])
  const change = useApiMutation('changeWallet', ['wallet'])
  const [form, setForm] = useState(() => initialForm(wallet, prefill))
  const [created, setCreated] = useState<Wallet | undefined>(undefined)
  const askNew = useApiMutation('askNewWallet', ['approval', 'notice'])
  const askChange = useApiMutation('askWalletChange', ['approval', 'notice'])
  const mutation = wallet === undefined ? create : change
  const asking = wallet === undefined ? askNew : askChange
  const problem = mutation.error
  const set = (changes: Partial<typeof form>): void => setForm((before) => ({ ...before, ...changes }))
  const errorOf = (attr: string) => fieldProblem(problem, attr, t)
  const all = providers.data?.results ?? []
  const offered = all.filter(({ id, name, shared }) => !(shared && name === testProvider) || id === wallet?.provider.id)
  const providerOf = (id: string | null) => all.find((provider) => provider.id === id)
  const choose = (id: string | null): void => {
    const [before, chosen] = [providerOf(form.provider), providerOf(id)]
    const isOwnName = form.name !== '' && (before === undefined || form.name !== providerName(before, language))
    set({
      provider: id,
      sender_name: senderFor(form.sender_name, before?.sender_names, chosen?.sender_names),
      ...(isOwnName || chosen === undefined ? {} : { name: providerName(chosen, language) }),
    })
  }

  /** `asks`: an owner is asked, instead of saving. */
  const save = (asks: boolean): void => {
    const { provider, review_above, low_trust_limit, phones: rows, ...more } = form
    const bound = rows.flatMap(({ phone, sim_slot }) => (phone === null ? [] : [{ phone, sim_slot }]))
    const body = {
      ...more,
      phones: bound,
      review_above: review_above.trim() === '' ? null : amountToSend(review_above),
      low_trust_limit: amountToSend(low_trust_limit),
    }
    if (wallet === undefined) {
      if (provider === null) return
      const sent = { body: { ...body, provider } }
      if (asks) askNew.mutate(sent)
      else create.mutate(sent, { onSuccess: setCreated })
    } else {
      // The provider and the sender of the test wallet cannot be changed.
      const { sender_name, active, ...free } = body
      const sent = wallet.is_test ? free : { ...free, sender_name, active, ...(provider === null ? {} : { provider }) }
      const path = { id: wallet.id }
      if (asks) askChange.mutate({ path, body: sent })
      else change.mutate({ path, body: sent }, { onSuccess: close })
    }
  }
  const send = (event: FormEvent): void => {
    event.preventDefault()
    asking.reset()
    save(false)
  }
  const needed = ownerReasons(problem)

  return (
    <SideDrawer
      title={created?.name ?? (wallet === undefined ? t('act.addWallet') : shippedName(wallet.name, t))}
      close={close}
    >
      {created !== undefined ? (
        <NextSteps wallet={created} changed={setCreated} close={close} />
      ) : (
        <form onSubmit={send}>
          <Stack>
            {problem !== null && needed.length === 0 && !fields.some(errorOf) && <Problem problem={problem} />}
            {wallet === undefined && <Text c="dimmed">{t('wallets.newLead')}</Text>}
            <Select
              label={t('field.provider')}
              required
              data-autofocus
              disabled={wallet?.is_test ?? false}
              data={providerOptions(offered, language)}
              value={form.provider}
              onChange={choose}
              error={errorOf('provider')}
            />
            <TextInput
              label={t('field.accountNumber')}
              description={t('wallets.numberLead')}
              required
              maxLength={64}
              dir="ltr"
              value={form.account_number}
              onChange={(event) => set({ account_number: event.currentTarget.value })}
              error={errorOf('account_number')}
            />
            <TextInput
              label={t('field.name')}
              description={
                shippedName(form.name, t) === form.name
                  ? t('wallets.nameLead')
                  : t('wallets.nameShipped', { name: shippedName(form.name, t) })
              }
              required
              maxLength={100}
              value={form.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
              error={errorOf('name')}
            />
            <SenderField
              value={form.sender_name}
              change={(sender_name) => set({ sender_name })}
              known={providerOf(form.provider)?.sender_names ?? []}
              phone={form.phones[0]?.phone ?? null}
              disabled={wallet?.is_test ?? false}
              error={errorOf('sender_name')}
            />
            {(wallet !== undefined || (phones.data?.results.length ?? 0) > 0) && (
              <PhoneRows
                rows={form.phones}
                phones={phones.data?.results ?? []}
                change={(rows) => set({ phones: rows })}
                errorOf={errorOf}
              />
            )}
            {wallet !== undefined && !wallet.is_test && (
              <Switch
                label={t('wallets.active')}
                description={t('wallets.activeLead')}
                checked={form.active}
                onChange={(event) => set({ active: event.currentTarget.checked })}
              />
            )}
            <Limits form={form} set={set} errorOf={errorOf} collapsed={wallet === undefined} />
            {needed.length > 0 && (
              <AskOwner
                reasons={needed}
                isAsked={asking.isSuccess}
                busy={asking.isPending}
                problem={asking.error}
                ask={() => save(true)}
              />
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {t('part.cancel')}
              </Button>
              <Button type="submit" loading={mutation.isPending}>
                {t(wallet === undefined ? 'wallets.saveNew' : 'part.save')}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
      {wallet !== undefined && (
        <>
          <Divider my="lg" />
          <UniqueAmounts wallet={wallet} />
        </>
      )}
    </SideDrawer>
  )
}

type Form = ReturnType<typeof initialForm>

/** A new wallet has the default limits, so the fields are collapsed. */
const Limits = (props: {
  readonly form: Pick<Form, 'review_above' | 'low_trust_limit' | 'review_broken_chains' | 'review_later_messages'>
  readonly set: (changes: Partial<Form>) => void
  readonly errorOf: (attr: string) => string | undefined
  readonly collapsed: boolean
}) => {
  const { t } = useWords(walletsWords)
  const { form, set, errorOf, collapsed } = props
  const fields = (
    <Stack>
      <TextInput
        label={t('wallets.reviewAbove')}
        description={t('wallets.reviewAboveLead')}
        inputMode="decimal"
        dir="ltr"
        value={form.review_above}
        onChange={(event) => set({ review_above: event.currentTarget.value })}
        error={errorOf('review_above')}
      />
      <TextInput
        label={t('wallets.lowTrust')}
        description={t('wallets.lowTrustLead')}
        inputMode="decimal"
        dir="ltr"
        value={form.low_trust_limit}
        onChange={(event) => set({ low_trust_limit: event.currentTarget.value })}
        error={errorOf('low_trust_limit')}
      />
      <Switch
        label={t('wallets.chains')}
        description={t('wallets.chainsLead')}
        checked={form.review_broken_chains}
        onChange={(event) => set({ review_broken_chains: event.currentTarget.checked })}
      />
      <Switch
        label={t('wallets.laterMessages')}
        description={t('wallets.laterMessagesLead')}
        checked={form.review_later_messages}
        onChange={(event) => set({ review_later_messages: event.currentTarget.checked })}
      />
    </Stack>
  )
  if (!collapsed)
    return (
      <>
        <Title order={3}>{t('wallets.caution')}</Title>
        {fields}
      </>
    )
  return (
    <details>
      <summary style={{ cursor: 'pointer', fontWeight: 600, marginBlockEnd: 12 }}>{t('wallets.caution')}</summary>
      {fields}
    </details>
  )
}
