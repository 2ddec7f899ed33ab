/** The form for a new checkout: an amount, and the text for the buyer. Afterwards its page opens, to be shared. */
import { Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useApiMutation } from '../../api/use-api.ts'
import { bindText, bindTick } from '../../parts/form/bind.ts'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { fieldProblem } from '../../parts/form/problem.tsx'
import { Select } from '../../parts/form/select.tsx'
import { amountToSend } from '../../parts/format/typed-amount.ts'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import { WalletField } from './wallet-field.tsx'

const lifetimes_s = [3600, 86_400, 259_200, 604_800] as const

export const NewCheckout = ({ close }: { close: () => void }) => {
  const { t } = useWords(checkoutsWords)
  const [, go] = useLocation()
  const create = useApiMutation('createCheckout', ['checkout'])
  const [amount, setAmount] = useState('')
  const [order, setOrder] = useState('')
  const [description, setDescription] = useState('')
  const [lifetime, setLifetime] = useState<string>('86400')
  const [wallet, setWallet] = useState<string | null>(null)
  const [allowRest, setAllowRest] = useState(false)
  // The same idempotency key for every attempt of this form: a second click does not create a second checkout.
  const [key] = useState(() => crypto.randomUUID())
  const errorOf = (attr: string) => fieldProblem(create.error, attr, t)
  const send = (): void =>
    create.mutate(
      {
        headers: { 'SERVICE-IDEMPOTENCY-KEY': key },
        body: {
          amount: amountToSend(amount),
          external_order_id: order,
          description,
          expires_in: Number(lifetime),
          allow_remaining: allowRest,
          ...(wallet === null ? {} : { wallets: [wallet] }),
        },
      },
      {
        onSuccess: ({ id }) => {
          close()
          go(`/checkouts/${id}`)
        },
      },
    )
  return (
    <FormModal
      title={t('checkouts.new')}
      submitLabel={t('act.create')}
      call={create}
      fields={['amount', 'external_order_id', 'description', 'wallets']}
      send={send}
      close={close}
    >
      <TextInput
        label={t('field.amount')}
        inputMode="decimal"
        dir="ltr"
        required
        data-autofocus
        {...bindText(amount, setAmount)}
        error={errorOf('amount')}
      />
      <TextInput label={t('field.orderNumber')} {...bindText(order, setOrder)} error={errorOf('external_order_id')} />
      <TextInput
        label={t('newCheckout.description')}
        description={t('newCheckout.descriptionLead')}
        {...bindText(description, setDescription)}
        error={errorOf('description')}
      />
      <Select
        label={t('newCheckout.life')}
        data={lifetimes_s.map((seconds) => ({ value: String(seconds), label: t(`newCheckout.life.${seconds}`) }))}
        value={lifetime}
        onChange={(chosen) => setLifetime(chosen ?? '86400')}
      />
      <WalletField value={wallet} onChange={setWallet} error={errorOf('wallets')} />
      <Switch label={t('newCheckout.rest')} {...bindTick(allowRest, setAllowRest)} />
    </FormModal>
  )
}
