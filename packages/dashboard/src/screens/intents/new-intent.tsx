/** An intent made by hand: a wallet, an amount, and an order number if there is one. */
import { Alert, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAsk, useChange } from '../../api/ask.ts'
import { FormModal } from '../../parts/form-modal.tsx'
import { Select, Textarea } from '../../parts/later.tsx'
import { fieldProblem } from '../../parts/trouble.tsx'
import { useWords } from '../../words/language.ts'

export const NewIntent = ({ done }: { done: () => void }) => {
  const { t } = useWords()
  const [, go] = useLocation()
  const wallets = useAsk('listWallets', { kinds: ['wallet'] })
  const create = useChange('createIntent', ['intent'])
  const offered = (wallets.data?.results ?? []).filter((wallet) => wallet.offered)
  const [chosen, setChosen] = useState<string | null>(null)
  const [amount, setAmount] = useState('')
  const [order, setOrder] = useState('')
  const [notes, setNotes] = useState('')
  // The same key for every try of this form: a second click makes no second intent.
  const [key] = useState(() => crypto.randomUUID())
  const wallet = chosen ?? offered[0]?.id ?? null
  const problem = create.error

  const send = (): void => {
    if (wallet === null) return
    create.mutate(
      {
        headers: { 'SERVICE-IDEMPOTENCY-KEY': key },
        body: { wallet, amount: amount.trim(), external_order_id: order, notes },
      },
      {
        onSuccess: ({ id }) => {
          done()
          go(`/intents/${id}`)
        },
      },
    )
  }

  return (
    <FormModal
      title={t('newIntent.title')}
      go={t('newIntent.go')}
      ready={wallet !== null}
      busy={create.isPending}
      problem={problem}
      fields={['wallet', 'amount', 'external_order_id', 'notes']}
      send={send}
      done={done}
    >
      {wallets.data !== undefined && offered.length === 0 && <Alert color="yellow">{t('newIntent.noWallet')}</Alert>}
      <Select
        label={t('intents.wallet')}
        data={offered.map(({ id, name }) => ({ value: id, label: name }))}
        value={wallet}
        onChange={setChosen}
        allowDeselect={false}
        error={fieldProblem(problem, 'wallet', t)}
      />
      <TextInput
        label={t('newIntent.amount')}
        inputMode="decimal"
        dir="ltr"
        required
        data-autofocus
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
        error={fieldProblem(problem, 'amount', t)}
      />
      <TextInput
        label={t('newIntent.order')}
        value={order}
        onChange={(event) => setOrder(event.currentTarget.value)}
        error={fieldProblem(problem, 'external_order_id', t)}
      />
      <Textarea
        label={t('newIntent.notes')}
        value={notes}
        onChange={(event) => setNotes(event.currentTarget.value)}
        error={fieldProblem(problem, 'notes', t)}
      />
    </FormModal>
  )
}
