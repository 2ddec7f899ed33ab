/**
 * For an alert that resolved an intent as wrong amount: the difference, and a button that accepts the amount that arrived.
 */

import { Button, Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { bindTick } from '../../parts/form/bind.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { ignoreShownError } from '../../parts/form/problem.tsx'
import { isNegative, subtract, withoutSign } from '../../parts/format/amounts.ts'
import { type OrderName, orderText } from '../../parts/format/order-name.ts'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { isRefusedAsSame } from './doubts.tsx'
import { type Outcome, useOutcome } from './outcome.tsx'
import classes from './unmatched.module.css'

type Amounts = { readonly paid: string; readonly payable: string; readonly currency: string }

/** `1,400 arrived, 1,500 was asked: 100 missing`. */
export const Difference = ({ paid, payable, currency }: Amounts) => {
  const { t, language } = useWords(unmatchedWords)
  const difference = subtract(paid, payable)
  const money = (amount: string): string => moneyText(amount, currency, language)
  return (
    <p className={classes.difference}>
      {t(isNegative(difference) ? 'ended.missing' : 'ended.over', {
        paid: money(paid),
        payable: money(payable),
        difference: money(withoutSign(difference)),
      })}
    </p>
  )
}

export const AcceptPaid = (props: {
  intent: OrderName & { readonly id: string; readonly payable_amount: string }
  alert: Outcome['alert']
  /** The amount that arrived. */
  paid: string
  currency: string
  /** The alert may report a payment that has already paid an order: the user must confirm that it is another payment. */
  doubted?: boolean
}) => {
  const { t, language } = useWords(unmatchedWords)
  const { may } = useMe()
  const showOutcome = useOutcome()
  const accept = useApiMutation('acceptPaid', ['intent', 'alert'])
  const [isConfirming, setConfirming] = useState(false)
  const [another, setAnother] = useState(false)
  if (!may('intents.write')) return null
  const { intent, currency } = props
  const doubted = props.doubted === true || isRefusedAsSame(accept.error)
  const body = { paid_amount: props.paid, ...(doubted ? { another_payment: another } : {}) }
  const paid = moneyText(props.paid, currency, language)
  const order = orderText(intent, t)
  const send = (): void =>
    void accept.mutateAsync({ path: { id: intent.id }, body }).then((accepted) => {
      setConfirming(false)
      showOutcome({ alert: props.alert, text: t('accept.done', { paid, order }), intent: accepted })
    }, ignoreShownError)
  return (
    <>
      <Button size="compact-sm" onClick={() => setConfirming(true)}>
        {t('accept.go', { paid })}
      </Button>
      {isConfirming && (
        <Confirm
          title={t('accept.title', { paid, order })}
          submitLabel={t('accept.go', { paid })}
          danger={doubted}
          ready={!doubted || another}
          call={accept}
          no={() => setConfirming(false)}
          yes={send}
        >
          <Difference paid={props.paid} payable={intent.payable_amount} currency={currency} />
          <Text>{t('accept.what', { paid })}</Text>
          {doubted && <Checkbox label={t('book.anotherPayment')} {...bindTick(another, setAnother)} />}
          <Text fw={600}>{t('book.final')}</Text>
        </Confirm>
      )}
    </>
  )
}
