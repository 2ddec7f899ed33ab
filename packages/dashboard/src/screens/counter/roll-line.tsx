/** One line of the roll: the amount, the payer, the company, the end of the reference, its age, and what became of it. */
import { Button } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import type { ProblemAnswer } from '../../api/call.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { ignoreShownError, Problem, problemText } from '../../parts/form/problem.tsx'
import { ArrivalNote } from '../../parts/format/arrival.tsx'
import { Code, When } from '../../parts/format/figures.tsx'
import { orderText } from '../../parts/format/order-name.ts'
import { userName } from '../../parts/format/user-name.ts'
import { hasText } from '../../words/catalogue.ts'
import { inDigits } from '../../words/digits.ts'
import { currencyName, grouped } from '../../words/format.ts'
import { type Translate, useWords } from '../../words/language.ts'
import { counterWords } from '../../words/screens/counter.ts'
import { doubtsWords } from '../../words/screens/doubts.ts'
import { shortReasonWords } from '../../words/short-reasons.ts'
import classes from './counter.module.css'
import { isReserved, moneyPath, type RollEntry, referenceEnd } from './counter-data.ts'
import { HandOver, useHandedOverText } from './hand-over.tsx'

/** What the line is about, for its colour: the words say the same. */
const toneOf = (entry: RollEntry): 'new' | 'look' | 'paid' | 'done' => {
  if (entry.state === 'unmatched') return 'new'
  if (entry.state === 'look') return 'look'
  return entry.state === 'paid' && entry.handed_over === null ? 'paid' : 'done'
}

export const RollLine = ({ entry }: { entry: RollEntry }) => {
  const { language } = useWords()
  const company = language === 'ar' && entry.company.name_ar !== '' ? entry.company.name_ar : entry.company.name
  return (
    <article className={classes.line} data-tone={toneOf(entry)}>
      <span className={classes.lineAmount}>
        <bdi className="figure">
          {inDigits(grouped(entry.amount.replace(/\.00$/, '')), language)}
          <span className={classes.lineCurrency}> {currencyName(entry.currency, language)}</span>
        </bdi>
      </span>
      <span className={classes.lineWhen}>
        <When at={entry.received_at} />
      </span>
      <p className={classes.lineAbout}>
        {entry.payer !== '' && (
          <>
            <bdi>{entry.payer}</bdi>
            {' · '}
          </>
        )}
        <bdi>{company}</bdi>
        {entry.reference !== '' && (
          <>
            {' · '}
            <Code>{`··${referenceEnd(entry.reference)}`}</Code>
          </>
        )}
      </p>
      <LineState entry={entry} />
    </article>
  )
}

/** The doubt, or the reason why the money needs a look, as a short text. */
const lookText = (
  { doubts, reason }: RollEntry,
  t: Translate<typeof counterWords | typeof shortReasonWords | typeof doubtsWords>,
): string => {
  const [doubt] = doubts
  if (doubt?.code === 'same_payment') return t('doubt.samePaymentSome')
  if (doubt?.code === 'many_references') return t('doubt.many')
  if (doubt !== undefined) return t(`doubt.${doubt.code}`)
  const key = `short.${reason.code}`
  return hasText(shortReasonWords, key) ? t(key) : t('counter.lookAny')
}

/** Where a line leads: to the counter, or to the pages of money and orders for a member who has no counter. */
const usePaths = () => {
  const hasCounter = useMe().may('intents.write')
  return {
    money: (alert: string): string => (hasCounter ? moneyPath(alert) : `/unmatched/${alert}`),
    order: (intent: { readonly id: string; readonly code: string }): string =>
      hasCounter ? `/counter?q=${intent.code}` : `/intents/${intent.id}`,
  }
}

const LineState = ({ entry }: { entry: RollEntry }) => {
  const { t } = useWords(counterWords, shortReasonWords, doubtsWords)
  const handedOverText = useHandedOverText()
  const paths = usePaths()
  const { intent, sale } = entry
  if (entry.state === 'unmatched') return <TakeNow entry={entry} />
  if (entry.state === 'look')
    return (
      <>
        <p className={classes.lineState}>
          {entry.alert_state === 'wrong_amount' ? t('counter.wrong') : lookText(entry, t)}
        </p>
        <Button component={Link} href={paths.money(entry.id)} variant="default" className={classes.lineAction ?? ''}>
          {t('counter.look')}
        </Button>
      </>
    )
  if (sale !== null)
    return (
      <p className={classes.lineState}>
        {t('counter.sale')}
        {sale.external_order_id !== '' && (
          <>
            {' · '}
            <bdi>{t('order.named', { order: sale.external_order_id })}</bdi>
          </>
        )}
        {' · '}
        <bdi>{userName(sale.by)}</bdi>
        {!isReserved(entry) && <> · {t('counter.handedOverShort')}</>}{' '}
        {intent !== null && <Link href={paths.order(intent)}>{t('act.show')}</Link>}
      </p>
    )
  if (entry.state === 'aside' || intent === null) return <p className={classes.lineState}>{t('counter.aside')}</p>
  return (
    <>
      <p className={classes.lineState}>
        <Link href={paths.order(intent)}>{t('counter.forOrder', { order: orderText(intent, t) })}</Link>
        <ArrivalNote of={intent} currency={entry.currency} />
        {entry.handed_over !== null && <> · {handedOverText(entry.handed_over)}</>}
      </p>
      {entry.handed_over === null && <HandOver intent={intent.id} />}
    </>
  )
}

/** Money without a doubt: one touch takes it as a sale. If the service has a doubt by now, its card is opened instead. */
const TakeNow = ({ entry }: { entry: RollEntry }) => {
  const { t } = useWords(counterWords)
  const { may } = useMe()
  const paths = usePaths()
  const [, go] = useLocation()
  const take = useApiMutation('takeSale', ['alert', 'intent'])
  const send = (): void =>
    void take
      .mutateAsync({ path: { id: entry.id }, body: { amount: entry.amount } })
      .then(ignoreShownError, (problem: ProblemAnswer) => {
        if (problem.has('sale_needs_look') || problem.has('may_be_same_payment') || problem.has('sale_order_waits'))
          go(paths.money(entry.id))
      })
  return (
    <>
      <p className={classes.lineState}>
        {t('counter.noOrderYet')} <Link href={paths.money(entry.id)}>{t('act.show')}</Link>
      </p>
      {may('sales.write') && (
        <Button className={classes.lineAction ?? ''} loading={take.isPending} onClick={send}>
          {t('counter.takeSale')}
        </Button>
      )}
      {take.error !== null && <TakeProblem problem={take.error} />}
    </>
  )
}

/** Why money was not taken. What is over the member's limit can be asked for here, with one touch. */
export const TakeProblem = ({ problem }: { problem: ProblemAnswer }) => {
  const { t } = useWords(counterWords)
  return problem.ask === undefined ? (
    <p className={classes.lineProblem} role="alert">
      {takeProblemText(problem, t)}
    </p>
  ) : (
    <div className={classes.lineAsk}>
      <Problem problem={problem} />
    </div>
  )
}

/** Who was first, if another member was. */
const takeProblemText = (problem: ProblemAnswer, t: Translate<typeof counterWords>): string => {
  const { by = '', state } = problem.facts ?? {}
  if (!problem.has('alert_not_open') || by === '') return problemText(problem, t)
  return t(state === 'taken' ? 'counter.takenBy' : 'counter.usedBy', { by: userName(by) })
}
