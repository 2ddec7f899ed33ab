/**
 * The confirmation before a booking. It shows the order, both amounts and the payer, and warns that a booking is final.
 * If the amounts differ, its button is red and works only after the user has typed the amount that arrived.
 */

import { Alert, Checkbox, Text, TextInput } from '@mantine/core'
import { usualCurrency } from '@sanad/contract/currency'
import { IconAlertTriangle } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { bindText, bindTick } from '../../parts/form/bind.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { ignoreShownError } from '../../parts/form/problem.tsx'
import { isNegative, isSameAmount, subtract, withoutSign } from '../../parts/format/amounts.ts'
import { useArrivalText } from '../../parts/format/arrival.tsx'
import { Code, type IntentState, Moment, Money } from '../../parts/format/figures.tsx'
import { orderText } from '../../parts/format/order-name.ts'
import { PayerText } from '../../parts/format/payer-text.tsx'
import { DetailRow } from '../../parts/list/detail-row.tsx'
import { moneyText } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { Doubts, isRefusedAsSame, mayBeSame } from './doubts.tsx'
import { useOutcome } from './outcome.tsx'
import type { QueueAlert } from './queue-alert.ts'
import classes from './unmatched.module.css'

/** The intent to book to. */
export type Target = {
  readonly id: string
  readonly code: string
  readonly external_order_id: string
  readonly status: IntentState
  readonly payable_amount: string
  readonly currency: string
  /** The claimed payer of the order; null or undefined: none. */
  readonly payer?: { readonly name: string; readonly phone: string } | null
}

export const BookingConfirmation = ({
  alert,
  target,
  close,
  note,
}: {
  alert: QueueAlert
  target: Target
  close: () => void
  /** Shown above the amounts: what the user should compare first. */
  note?: ReactNode
}) => {
  const { t, language } = useWords(unmatchedWords)
  const showOutcome = useOutcome()
  const arrivalText = useArrivalText()
  const copies = target.status === 'EXPIRED'
  const book = useApiMutation(copies ? 'bookOntoCopy' : 'bookUnmatched', ['alert', 'intent'])
  const [typed, setTyped] = useState('')
  const [another, setAnother] = useState(false)
  const doubted = mayBeSame(alert) || isRefusedAsSame(book.error)
  const arrived = alert.amount ?? ''
  const currency = alert.currency ?? usualCurrency
  const differs = arrived !== target.payable_amount
  const difference = subtract(arrived, target.payable_amount)
  const paid = moneyText(arrived, currency, language)
  const order = orderText(target, t)
  const send = (): void =>
    void book
      .mutateAsync({
        path: { id: alert.id },
        body: {
          intent: target.id,
          alert_amount: arrived,
          intent_amount: target.payable_amount,
          ...(doubted ? { another_payment: another } : {}),
        },
      })
      .then(({ intent }) => {
        close()
        const note = arrivalText(intent, currency)
        const text = t('book.done', { paid, order })
        showOutcome({ alert, text: note === undefined ? text : `${text} ${note}`, intent })
      }, ignoreShownError)
  return (
    <Confirm
      title={t('book.title', { paid, order })}
      submitLabel={t(copies ? 'book.copy' : 'act.book')}
      danger={differs || doubted}
      ready={(!differs || isSameAmount(typed, arrived)) && (!doubted || another)}
      call={book}
      no={close}
      yes={send}
    >
      {note}
      <dl className={classes.question}>
        <DetailRow name={t('field.arrived')} value={<Money amount={arrived} currency={currency} strong />} />
        <DetailRow
          name={t('field.payer')}
          value={<bdi>{alert.payer === '' ? t('unmatched.noPayer') : alert.payer}</bdi>}
        />
        {alert.reference !== '' && <DetailRow name={t('field.reference')} value={<Code>{alert.reference}</Code>} />}
        <DetailRow name={t('book.when')} value={<Moment at={alert.received_at} />} />
        {target.payer !== undefined && target.payer !== null && (
          <DetailRow name={t('book.claimed')} value={<PayerText payer={target.payer} />} />
        )}
        <DetailRow
          name={t('book.asked')}
          value={<Money amount={target.payable_amount} currency={target.currency} strong />}
        />
        <DetailRow name={t('field.order')}>
          {target.external_order_id !== '' && <Code free>{target.external_order_id}</Code>}{' '}
          <span className={`${classes.small} ${classes.quiet}`}>
            <Code>{target.code}</Code>
          </span>
        </DetailRow>
      </dl>
      <Doubts doubts={alert.doubts} currency={currency} />
      {doubted && <Checkbox label={t('book.anotherPayment')} {...bindTick(another, setAnother)} />}
      {copies && <Text>{t('book.isCopy')}</Text>}
      {differs && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
          <Text fw={600}>
            {t(isNegative(difference) ? 'book.less' : 'book.more', {
              difference: moneyText(withoutSign(difference), currency, language),
            })}
          </Text>
          <TextInput
            mt="sm"
            label={t('book.type')}
            description={t('book.typeLead')}
            inputMode="decimal"
            dir="ltr"
            autoComplete="off"
            {...bindText(typed, setTyped)}
          />
        </Alert>
      )}
      <Text fw={600}>{t('book.final')}</Text>
    </Confirm>
  )
}
