/**
 * Takes money as a sale from its card, with an order number and a note. Money with a doubt shows its message, and the message of a
 * payment that it may repeat, before it can be taken.
 */
import { Button, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { fieldProblem, ignoreShownError } from '../../parts/form/problem.tsx'
import { useWords } from '../../words/language.ts'
import { counterWords } from '../../words/screens/counter.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { isRefusedAsSame, mayBeSame } from '../unmatched/doubts.tsx'
import type { WholeAlert } from '../unmatched/queue-alert.ts'
import classes from './counter.module.css'
import { TakeProblem } from './roll-line.tsx'

/** Reasons that say nothing against the money, as on the server. */
const usual: Readonly<Record<string, string>> = { waiting: 'no_intent', review: 'no_reference' }

const isDoubtful = ({ state, reason, doubts }: WholeAlert): boolean => usual[state] !== reason.code || doubts.length > 0

export const TakeSale = ({ alert, done }: { alert: WholeAlert; done: () => void }) => {
  const { t } = useWords(counterWords, unmatchedWords)
  const { may } = useMe()
  const take = useApiMutation('takeSale', ['alert', 'intent'])
  const [order, setOrder] = useState('')
  const [note, setNote] = useState('')
  const [another, setAnother] = useState(false)
  const isSame = mayBeSame(alert) || isRefusedAsSame(take.error)
  const needsLook = isDoubtful(alert) || isSame
  // Asked once: the second touch says that the money is not for the order that waits.
  const waiting = take.error?.has('sale_order_waits') ? take.error.facts : undefined
  const other = take.error?.facts?.alert ?? alert.doubts.find(({ facts }) => facts.other !== undefined)?.facts.other
  if (!may('sales.write') || alert.amount === null || (alert.state !== 'waiting' && alert.state !== 'review'))
    return null
  const body = {
    amount: alert.amount,
    external_order_id: order.trim(),
    note: note.trim(),
    ...(needsLook ? { looked: true } : {}),
    ...(isSame ? { another_payment: another } : {}),
    ...(waiting === undefined ? {} : { not_for_order: true }),
  }
  return (
    <form
      className={classes.book}
      onSubmit={(event) => {
        event.preventDefault()
        void take.mutateAsync({ path: { id: alert.id }, body }).then(done, ignoreShownError)
      }}
    >
      {needsLook && (
        <>
          <Message title={t('counter.message')} text={alert.text} />
          {other !== undefined && <OtherMessage id={other} />}
        </>
      )}
      {isSame && (
        <Checkbox
          label={t('book.anotherPayment')}
          checked={another}
          onChange={(event) => setAnother(event.currentTarget.checked)}
        />
      )}
      <div className={classes.saleFields}>
        <TextInput
          label={t('sale.order')}
          dir="auto"
          maxLength={128}
          value={order}
          error={fieldProblem(take.error, 'external_order_id', t)}
          onChange={(event) => setOrder(event.currentTarget.value)}
        />
        <TextInput
          label={t('counter.note')}
          dir="auto"
          maxLength={300}
          value={note}
          error={fieldProblem(take.error, 'note', t)}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </div>
      <Button
        type="submit"
        size="lg"
        fullWidth
        variant={needsLook ? 'default' : 'filled'}
        loading={take.isPending}
        disabled={isSame && !another}
      >
        {t(waiting !== undefined ? 'counter.takeNotFor' : needsLook ? 'counter.takeLooked' : 'counter.takeSale')}
      </Button>
      {waiting !== undefined && (
        <p className={classes.lineProblem} role="alert">
          {t('counter.orderWaits', { order: waiting.order || waiting.payment || '' })}
        </p>
      )}
      {take.error !== null && waiting === undefined && <TakeProblem problem={take.error} />}
    </form>
  )
}

const Message = ({ title, text }: { title: string; text: string }) => (
  <figure className={classes.message}>
    <figcaption>{title}</figcaption>
    <blockquote dir="auto">{text}</blockquote>
  </figure>
)

const OtherMessage = ({ id }: { id: string }) => {
  const { t } = useWords(counterWords)
  const other = useApi('showAlert', { path: { id }, kinds: ['alert'] })
  return other.data === undefined ? null : <Message title={t('counter.otherMessage')} text={other.data.text} />
}
