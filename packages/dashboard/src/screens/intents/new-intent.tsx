/**
 * The form for a new intent: a wallet, an amount, and an order number if there is one. The wallet that was used last is
 * preselected. The test wallet is never preselected, and it is marked.
 */
import { Alert, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { bindText } from '../../parts/form/bind.ts'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { fieldProblem } from '../../parts/form/problem.tsx'
import { Select } from '../../parts/form/select.tsx'
import { NothingReceived } from '../../parts/format/nothing-received.tsx'
import { amountToSend } from '../../parts/format/typed-amount.ts'
import { walletChoices } from '../../parts/format/wallet-name.tsx'
import { useWords } from '../../words/language.ts'
import { readPreference, savePreference } from '../../words/preferences.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { PayerFields } from './set-payer.tsx'

export const NewIntent = ({ close }: { close: () => void }) => {
  const { t } = useWords(intentsWords)
  const { me } = useMe()
  const [, go] = useLocation()
  const wallets = useApi('listWallets', { kinds: ['wallet'] })
  const create = useApiMutation('createIntent', ['intent'])
  const offered = (wallets.data?.results ?? []).filter((wallet) => wallet.offered)
  const [chosen, setChosen] = useState<string | null>(null)
  const [amount, setAmount] = useState('')
  const [order, setOrder] = useState('')
  const [notes, setNotes] = useState('')
  const [payerName, setPayerName] = useState('')
  const [payerPhone, setPayerPhone] = useState('')
  // The same idempotency key for every attempt of this form: a second click does not create a second intent.
  const [key] = useState(() => crypto.randomUUID())
  const real = offered.filter(({ is_test }) => !is_test)
  const lastUsed = `wallet-${me.account?.id}`
  const preselected = real.find(({ id }) => id === readPreference(lastUsed)) ?? real[0]
  const wallet = chosen ?? preselected?.id ?? null
  const isTest = offered.some(({ id, is_test }) => id === wallet && is_test)
  const problem = create.error

  const send = (): void => {
    if (wallet === null) return
    create.mutate(
      {
        headers: { 'SERVICE-IDEMPOTENCY-KEY': key },
        body: {
          wallet,
          amount: amountToSend(amount),
          external_order_id: order,
          notes,
          payer_name: payerName,
          payer_phone: payerPhone,
        },
      },
      {
        onSuccess: ({ id }) => {
          if (!isTest) savePreference(lastUsed, wallet)
          close()
          go(`/intents/${id}`)
        },
      },
    )
  }

  return (
    <FormModal
      title={t('intents.new')}
      submitLabel={t('act.create')}
      ready={wallet !== null}
      call={{ isPending: create.isPending, error: problem }}
      fields={['wallet', 'amount', 'external_order_id', 'notes', 'payer_name', 'payer_phone']}
      send={send}
      close={close}
    >
      {wallets.data !== undefined && real.length === 0 && (
        <Alert color="yellow">{t(offered.length === 0 ? 'newIntent.noWallet' : 'newIntent.onlyTest')}</Alert>
      )}
      <Select
        label={t('field.wallet')}
        placeholder={t('newIntent.choose')}
        data={walletChoices(offered, t)}
        value={wallet}
        onChange={setChosen}
        error={fieldProblem(problem, 'wallet', t)}
      />
      {wallet !== null && <NothingReceived offered={offered} chosen={[wallet]} />}
      {isTest && (
        <Text size="sm" c="var(--sanad-pending)" fw={600}>
          {t('newIntent.isTest')}
        </Text>
      )}
      <TextInput
        label={t('field.amount')}
        inputMode="decimal"
        dir="ltr"
        required
        data-autofocus
        {...bindText(amount, setAmount)}
        error={fieldProblem(problem, 'amount', t)}
      />
      <TextInput
        label={t('field.orderNumber')}
        {...bindText(order, setOrder)}
        error={fieldProblem(problem, 'external_order_id', t)}
      />
      <PayerFields
        name={payerName}
        phone={payerPhone}
        setName={setPayerName}
        setPhone={setPayerPhone}
        nameProblem={fieldProblem(problem, 'payer_name', t)}
        phoneProblem={fieldProblem(problem, 'payer_phone', t)}
      />
      <Textarea label={t('field.note')} {...bindText(notes, setNotes)} error={fieldProblem(problem, 'notes', t)} />
    </FormModal>
  )
}
