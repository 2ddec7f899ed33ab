/** An intent made by hand: a wallet, an amount, and an order number if there is one. */
import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { useAsk, useChange } from '../../api/ask.ts'
import { Modal, Select, Textarea } from '../../parts/later.tsx'
import { fieldProblem, Trouble } from '../../parts/trouble.tsx'
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
  const known = ['wallet', 'amount', 'external_order_id', 'notes']

  const send = (event: FormEvent): void => {
    event.preventDefault()
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
    <Modal opened onClose={done} title={t('newIntent.title')}>
      <form onSubmit={send}>
        <Stack>
          {wallets.data !== undefined && offered.length === 0 && (
            <Alert color="yellow">{t('newIntent.noWallet')}</Alert>
          )}
          {problem !== null && !known.some((attr) => fieldProblem(problem, attr, t)) && <Trouble problem={problem} />}
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
          <Group justify="flex-end">
            <Button variant="default" onClick={done}>
              {t('part.cancel')}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={wallet === null}>
              {t('newIntent.go')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
