/** The form for a new payment link: a fixed amount or bounds, paid once or many times. */
import { Group, SegmentedControl, Switch, Text, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useLocation } from 'wouter'
import { useApiMutation } from '../../api/use-api.ts'
import { bindText, bindTick } from '../../parts/form/bind.ts'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { fieldProblem } from '../../parts/form/problem.tsx'
import { amountToSend } from '../../parts/format/typed-amount.ts'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import { WalletField } from '../checkouts/wallet-field.tsx'

export const NewLink = ({ close }: { close: () => void }) => {
  const { t } = useWords(checkoutsWords)
  const [, go] = useLocation()
  const label = useId()
  const create = useApiMutation('createPaymentLink', ['payment_link'])
  const [description, setDescription] = useState('')
  const [price, setPrice] = useState('fixed')
  const [amount, setAmount] = useState('')
  const [least, setLeast] = useState('')
  const [most, setMost] = useState('')
  const [once, setOnce] = useState(false)
  const [wallet, setWallet] = useState<string | null>(null)
  const errorOf = (attr: string) => fieldProblem(create.error, attr, t)
  const unlessEmpty = (name: string, value: string) => (value.trim() === '' ? {} : { [name]: amountToSend(value) })
  const amounts =
    price === 'fixed'
      ? { amount: amountToSend(amount) }
      : { ...unlessEmpty('min_amount', least), ...unlessEmpty('max_amount', most) }
  const send = (): void =>
    create.mutate(
      { body: { ...amounts, description, once, ...(wallet === null ? {} : { wallets: [wallet] }) } },
      {
        onSuccess: ({ id }) => {
          close()
          go(`/payment-links/${id}`)
        },
      },
    )
  const field = (name: string, text: string, value: string, set: (value: string) => void, required: boolean) => (
    <TextInput
      label={text}
      inputMode="decimal"
      dir="ltr"
      flex={1}
      required={required}
      {...bindText(value, set)}
      error={errorOf(name)}
    />
  )
  return (
    <FormModal
      title={t('links.new')}
      submitLabel={t('act.create')}
      call={create}
      fields={[...(price === 'fixed' ? ['amount'] : ['min_amount', 'max_amount']), 'description', 'wallets']}
      send={send}
      close={close}
    >
      <TextInput
        label={t('field.name')}
        description={t('newLink.descriptionLead')}
        data-autofocus
        {...bindText(description, setDescription)}
        error={errorOf('description')}
      />
      <div>
        <Text size="sm" fw={500} id={label} mb={4}>
          {t('newLink.price')}
        </Text>
        <SegmentedControl
          fullWidth
          aria-labelledby={label}
          data={[
            { value: 'fixed', label: t('newLink.fixed') },
            { value: 'open', label: t('links.anyAmount') },
          ]}
          value={price}
          onChange={setPrice}
        />
      </div>
      {price === 'fixed' ? (
        field('amount', t('field.amount'), amount, setAmount, true)
      ) : (
        <Group align="flex-start">
          {field('min_amount', t('newLink.least'), least, setLeast, false)}
          {field('max_amount', t('newLink.most'), most, setMost, false)}
        </Group>
      )}
      <WalletField value={wallet} onChange={setWallet} error={errorOf('wallets')} />
      <Switch label={t('newLink.once')} {...bindTick(once, setOnce)} />
    </FormModal>
  )
}
