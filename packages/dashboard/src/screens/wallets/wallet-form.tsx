/** The form of a wallet: what the buyer sees, its phones and sender, and the limits of review. */
import { Button, Group, Stack, Switch, TextInput, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { Drawer } from '../../parts/form/lazy-overlays.tsx'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { Select } from '../../parts/form/select.tsx'
import { useIsNarrow } from '../../parts/list/is-narrow.ts'
import { useWords } from '../../words/language.ts'
import { walletsWords } from '../../words/screens/wallets.ts'
import { type PhoneRow, PhoneRows } from './phone-rows.tsx'

type Wallet = Answer<'showWallet'>

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
export type Beginning = { readonly sender: string; readonly phone: string | null }

/** There is always a first row to fill in. */
const rowsOf = (wallet: Wallet | undefined, known: Beginning | undefined): PhoneRow[] => {
  const rows = (wallet?.phones ?? []).map(({ id, sim_slot }, row) => ({ row, phone: id, sim_slot }))
  return rows.length === 0 ? [{ row: 0, phone: known?.phone ?? null, sim_slot: '' }] : rows
}

const begin = (wallet: Wallet | undefined, known: Beginning | undefined) => ({
  name: wallet?.name ?? '',
  account_number: wallet?.account_number ?? '',
  provider: wallet?.provider.id ?? null,
  phones: rowsOf(wallet, known),
  sender_name: wallet?.sender_name ?? known?.sender ?? '',
  active: wallet?.active ?? true,
  review_above: wallet?.review_above ?? '',
  low_trust_limit: wallet?.low_trust_limit ?? '0.00',
  review_broken_chains: wallet?.review_broken_chains ?? true,
})

type Props = {
  readonly wallet: Wallet | undefined
  readonly known?: Beginning | undefined
  readonly done: () => void
}

export const WalletForm = ({ wallet, known, done }: Props) => {
  const { t } = useWords(walletsWords)
  const narrow = useIsNarrow()
  const providers = useApi('listProviders', { kinds: ['provider'] })
  const phones = useApi('listPhones', { kinds: ['phone'] })
  const create = useApiMutation('createWallet', ['wallet'])
  const change = useApiMutation('changeWallet', ['wallet'])
  const [form, setForm] = useState(() => begin(wallet, known))
  const doing = wallet === undefined ? create : change
  const problem = doing.error
  const set = (changes: Partial<typeof form>): void => setForm((before) => ({ ...before, ...changes }))
  const wrong = (attr: string) => fieldProblem(problem, attr, t)

  const send = (event: FormEvent): void => {
    event.preventDefault()
    const { provider, review_above, phones: rows, ...more } = form
    const bound = rows.flatMap(({ phone, sim_slot }) => (phone === null ? [] : [{ phone, sim_slot }]))
    const body = { ...more, phones: bound, review_above: review_above.trim() === '' ? null : review_above.trim() }
    if (wallet === undefined) {
      if (provider !== null) create.mutate({ body: { ...body, provider } }, { onSuccess: done })
    } else {
      // The provider and the sender of the test wallet cannot be changed.
      const { sender_name, active, ...free } = body
      const sent = wallet.is_test ? free : { ...free, sender_name, active, ...(provider === null ? {} : { provider }) }
      change.mutate({ path: { id: wallet.id }, body: sent }, { onSuccess: done })
    }
  }

  return (
    <Drawer
      opened
      onClose={done}
      position={narrow ? 'bottom' : 'right'}
      size={narrow ? '92%' : 480}
      title={wallet === undefined ? t('wallets.new') : wallet.name}
    >
      <form onSubmit={send}>
        <Stack>
          {problem !== null && !fields.some(wrong) && <Problem problem={problem} />}
          <TextInput
            label={t('wallets.name')}
            description={t('wallets.nameLead')}
            required
            maxLength={100}
            data-autofocus
            value={form.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            error={wrong('name')}
          />
          <Select
            label={t('wallets.provider')}
            required
            disabled={wallet?.is_test ?? false}
            data={(providers.data?.results ?? []).map(({ id, display_name }) => ({ value: id, label: display_name }))}
            value={form.provider}
            onChange={(provider) => set({ provider })}
            error={wrong('provider')}
          />
          <TextInput
            label={t('wallets.number')}
            description={t('wallets.numberLead')}
            required
            maxLength={64}
            dir="ltr"
            value={form.account_number}
            onChange={(event) => set({ account_number: event.currentTarget.value })}
            error={wrong('account_number')}
          />
          <PhoneRows
            rows={form.phones}
            phones={phones.data?.results ?? []}
            change={(rows) => set({ phones: rows })}
            wrong={wrong}
          />
          <TextInput
            label={t('wallets.sender')}
            description={t('wallets.senderLead')}
            maxLength={64}
            dir="ltr"
            disabled={wallet?.is_test ?? false}
            value={form.sender_name}
            onChange={(event) => set({ sender_name: event.currentTarget.value })}
            error={wrong('sender_name')}
          />
          {wallet !== undefined && !wallet.is_test && (
            <Switch
              label={t('wallets.active')}
              description={t('wallets.activeLead')}
              checked={form.active}
              onChange={(event) => set({ active: event.currentTarget.checked })}
            />
          )}
          <Title order={3}>{t('wallets.caution')}</Title>
          <TextInput
            label={t('wallets.reviewAbove')}
            description={t('wallets.reviewAboveLead')}
            inputMode="decimal"
            dir="ltr"
            value={form.review_above}
            onChange={(event) => set({ review_above: event.currentTarget.value })}
            error={wrong('review_above')}
          />
          <TextInput
            label={t('wallets.lowTrust')}
            description={t('wallets.lowTrustLead')}
            inputMode="decimal"
            dir="ltr"
            value={form.low_trust_limit}
            onChange={(event) => set({ low_trust_limit: event.currentTarget.value })}
            error={wrong('low_trust_limit')}
          />
          <Switch
            label={t('wallets.chains')}
            description={t('wallets.chainsLead')}
            checked={form.review_broken_chains}
            onChange={(event) => set({ review_broken_chains: event.currentTarget.checked })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={done}>
              {t('part.cancel')}
            </Button>
            <Button type="submit" loading={doing.isPending}>
              {t('wallets.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  )
}
