/** The answer about one order or one payment, as a card that fills the screen. */
import { List } from '@mantine/core'
import { usualCurrency } from '@sanad/contract/currency'
import { lazy, Suspense } from 'react'
import { Link, useLocation } from 'wouter'
import { loadFile } from '../../api/load-file.ts'
import { useApi } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { useArrivalText } from '../../parts/format/arrival.tsx'
import { useNow } from '../../parts/format/clock.ts'
import { Code } from '../../parts/format/figures.tsx'
import { orderText } from '../../parts/format/order-name.ts'
import { noArrival } from '../../parts/format/received-amount.ts'
import { userName } from '../../parts/format/user-name.ts'
import { WalletName } from '../../parts/format/wallet-name.tsx'
import { Loading } from '../../parts/page/page.tsx'
import { hasText } from '../../words/catalogue.ts'
import { momentText, moneyText, relativeTime, spanLeft } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { counterWords, saleWords } from '../../words/screens/counter.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { AttachReference } from '../intents/attach-reference.tsx'
import type { ShownIntent } from '../intents/intent.ts'
import { AcceptPaid, Difference } from '../unmatched/accept-paid.tsx'
import { Doubts } from '../unmatched/doubts.tsx'
import { type CounterWallet, type Hit, isJustNow, isUnspent } from './answer.ts'
import { AnswerCard, DetailLine } from './answer-card.tsx'
import classes from './counter.module.css'
import { BookTo, CounterBooking } from './counter-booking.tsx'
import { type Counter, moneyPath } from './counter-data.ts'
import { EqualMoney } from './equal-money.tsx'
import { HandOver, useHandedOverText } from './hand-over.tsx'
import { PhoneLine } from './phone-line.tsx'
import { TakeSale } from './take-sale.tsx'

const CounterVoucher = lazy(() => loadFile(() => import('../voucher/counter-voucher.tsx')))

export const OneAnswer = ({ hit, counter }: { hit: Hit; counter: Counter }) => {
  if (hit.kind === 'paid') return <Paid hit={hit} counter={counter} />
  if (hit.kind === 'money' || hit.kind === 'aside' || hit.kind === 'taken') return <MoneyHere hit={hit} />
  if (hit.kind === 'wrong_amount') return <WrongAmount hit={hit} />
  if (hit.intent === undefined) return null
  return <Unpaid hit={hit} counter={counter} />
}

const useFacts = (hit: Hit) => {
  const { t, language } = useWords(counterWords, unmatchedWords)
  const { zone } = useMe()
  const now = useNow()
  return {
    now,
    when: momentText(hit.at, now, language, zone),
    order: hit.order === undefined ? '' : orderText(hit.order, t),
    wallet: hit.wallet === null ? '' : <WalletName wallet={hit.wallet} />,
  }
}

const Reference = ({ reference }: { reference: string }) => {
  const { t } = useWords(intentsWords)
  return (
    <>
      {t('field.reference')} <Code>{reference}</Code>
    </>
  )
}

const Paid = ({ hit, counter }: { hit: Hit; counter: Counter }) => {
  const { t, language } = useWords(counterWords)
  const { now, when, order, wallet } = useFacts(hit)
  const arrivalText = useArrivalText()(hit.arrival ?? noArrival, hit.currency)
  const handedOverText = useHandedOverText()
  const { handedOver } = hit
  const lastPayment = counter.roll.results.find(({ intent }) => intent?.id === hit.intentId)
  // The payer is in the message. The search and the roll often have it already.
  const knownPayer = hit.payer === '' ? (lastPayment?.payer ?? '') : hit.payer
  const details = useApi('showIntent', {
    path: { id: hit.intentId ?? '' },
    kinds: ['intent'],
    when: hit.intentId !== undefined && knownPayer === '',
  })
  const payer = knownPayer === '' ? (details.data?.alert?.payer ?? '') : knownPayer
  const paidAt = hit.intent?.verified_at ?? hit.at
  return (
    <AnswerCard
      tone={handedOver === undefined ? 'paid' : 'done'}
      title={t(handedOver === undefined ? 'state.VERIFIED' : 'counter.paidBefore')}
      amount={hit.amount}
      currency={hit.currency}
    >
      {handedOver !== undefined && <p className={classes.strong}>{handedOverText(handedOver)}</p>}
      {arrivalText !== undefined && <p className={classes.strong}>{arrivalText}</p>}
      {handedOver === undefined && !isJustNow({ at: paidAt }, now) && (
        <p className={classes.loud}>{t('counter.earlier', { when: relativeTime(paidAt, now, language) })}</p>
      )}
      <DetailLine>{[order]}</DetailLine>
      <DetailLine>{[when, wallet, payer]}</DetailLine>
      {hit.intent?.manual_override === true && <p className={classes.small}>{t('field.byHand')}</p>}
      <DetailLine>{[hit.reference !== '' && <Reference key="reference" reference={hit.reference} />]}</DetailLine>
      {hit.alert !== undefined && hit.alert.doubts.length > 0 && (
        <div className={classes.onCard}>
          <Doubts doubts={hit.alert.doubts} currency={hit.currency} />
        </div>
      )}
      {handedOver === undefined && hit.intentId !== undefined && <HandOver intent={hit.intentId} large />}
      {hit.intentId !== undefined && (
        <div className={classes.onCard}>
          <Suspense fallback={null}>
            <CounterVoucher id={hit.intentId} />
          </Suspense>
        </div>
      )}
      <p className={classes.small}>
        <Link href={`/intents/${hit.intentId}`}>{t('act.openIntent')}</Link>
      </p>
    </AnswerCard>
  )
}

export const MoneyHere = ({ hit }: { hit: Hit }) => {
  const { t, language } = useWords(counterWords, unmatchedWords)
  const { now, when, wallet } = useFacts(hit)
  const [, go] = useLocation()
  const id = hit.alert?.id ?? ''
  const whole = useApi('showAlert', { path: { id }, kinds: ['alert', 'intent'], when: isUnspent(hit) })
  const dismissed = hit.alert?.dismissed ?? null
  const sale = hit.kind === 'taken' ? (hit.alert?.sale ?? null) : null
  const isOver = dismissed !== null || sale !== null
  const code = hit.alert?.reason.code ?? ''
  const isHeld = hit.alert?.state === 'held'
  const lead = (): string => {
    if (sale !== null) return t('counter.takenBy', { by: userName(sale.by) })
    if (dismissed !== null) return t('counter.asideLead', { by: userName(dismissed.by), reason: dismissed.reason })
    return isHeld ? t('counter.held') : t('counter.moneyLead', { when: relativeTime(hit.at, now, language) })
  }
  return (
    <AnswerCard
      tone={isOver ? 'done' : 'money'}
      title={t(sale !== null ? 'counter.sale' : isOver ? 'counter.aside' : 'counter.money')}
      amount={hit.amount}
      currency={hit.currency}
    >
      <p>{lead()}</p>
      <DetailLine>{[when, wallet, hit.payer]}</DetailLine>
      <DetailLine>{[hit.reference !== '' && <Reference key="reference" reference={hit.reference} />]}</DetailLine>
      {code !== '' && code !== 'no_intent' && hasText(unmatchedWords, `reason.${code}`) && (
        <p className={classes.small}>{t(`reason.${code}`)}</p>
      )}
      {hit.alert !== undefined && <Doubts doubts={hit.alert.doubts} currency={hit.currency} />}
      {whole.isLoading && <Loading rows={2} />}
      {whole.data !== undefined && (
        <>
          <TakeSale alert={whole.data} done={() => go('/counter')} />
          {whole.data.amount !== null && whole.data.wallet !== null && (
            <EqualMoney
              amount={whole.data.amount}
              wallet={whole.data.wallet.id}
              except={id}
              title={(count) => t('counter.equalToo', { count })}
              action={(other) => <Link href={moneyPath(other.id)}>{t('act.show')}</Link>}
            />
          )}
          <CounterBooking alert={whole.data} />
        </>
      )}
      <p className={classes.small}>
        <Link href={`/unmatched/${id}`}>{t('act.openMessage')}</Link>
      </p>
    </AnswerCard>
  )
}

export const WrongAmount = ({ hit }: { hit: Hit }) => {
  const { t } = useWords(counterWords)
  const { when, order, wallet } = useFacts(hit)
  const id = hit.intentId ?? ''
  const details = useApi('showIntent', { path: { id }, kinds: ['intent', 'alert'], when: id !== '' })
  const payable = details.data?.payable_amount
  const spendable = details.data?.spendable ?? null
  const alert = details.data?.alert ?? null
  return (
    <AnswerCard tone="money" title={t('counter.wrong')} amount={hit.amount} currency={hit.currency}>
      {payable !== undefined && hit.amount !== null && (
        <Difference paid={hit.amount} payable={payable} currency={hit.currency} />
      )}
      <DetailLine>{[order]}</DetailLine>
      <DetailLine>{[when, wallet, hit.payer === '' ? (alert?.payer ?? '') : hit.payer]}</DetailLine>
      {details.data !== undefined && spendable !== null && alert !== null && (
        <div className={classes.buttons}>
          <AcceptPaid intent={details.data} alert={alert} paid={spendable} currency={hit.currency} />
        </div>
      )}
      <p className={classes.small}>
        <Link href={`/intents/${id}`}>{t('act.openIntent')}</Link>
      </p>
    </AnswerCard>
  )
}

/** An order without a payment: waiting, expired or cancelled. */
const Unpaid = ({ hit, counter }: { hit: Hit; counter: Counter }) => {
  const { t, language } = useWords(counterWords, saleWords)
  const { now, order, wallet } = useFacts(hit)
  const { zone } = useMe()
  const intent = hit.intent!
  const isWaiting = hit.kind === 'waiting'
  const details = useApi('showIntent', { path: { id: intent.id }, kinds: ['intent', 'alert', 'phone'] })
  const isUnique = intent.payable_amount !== intent.base_amount
  const counterWallet: CounterWallet | undefined = counter.wallets.find(({ id }) => id === intent.wallet.id)
  const leads = {
    waiting: t('counter.since', {
      when: relativeTime(intent.created_at, now, language),
      // The time that is left: the span from now to the end.
      left: spanLeft(intent.expires_at, now, language),
    }),
    expired: t('counter.expiredLead', { when: momentText(intent.expires_at, now, language, zone) }),
    cancelled: t('counter.cancelledLead'),
  }
  const kind = hit.kind === 'expired' || hit.kind === 'cancelled' ? hit.kind : 'waiting'
  return (
    <AnswerCard
      tone={isWaiting ? 'waiting' : 'none'}
      title={t(`counter.${kind}`)}
      amount={intent.payable_amount}
      currency={intent.currency}
    >
      {isWaiting && isUnique && (
        <>
          <p className={classes.strong}>
            {t('counter.exactly', { amount: moneyText(intent.payable_amount, intent.currency, language) })}
          </p>
          <p className={classes.small}>
            {t('counter.exactlyLead', { base: moneyText(intent.base_amount, intent.currency, language) })}
          </p>
        </>
      )}
      <DetailLine>{[order, wallet]}</DetailLine>
      <p>{leads[kind]}</p>
      {kind !== 'cancelled' && <PhoneLine wallet={counterWallet} />}
      {kind !== 'cancelled' && (
        <EqualMoney
          amount={intent.payable_amount}
          wallet={intent.wallet.id}
          title={(count) => t('counter.equalHere', { count })}
          action={(alert) => (
            <>
              <Doubts doubts={alert.doubts} currency={alert.currency ?? usualCurrency} />
              <BookTo alert={alert} order={{ ...intent, payer: details.data?.payer ?? null }} />
              <Link href={moneyPath(alert.id)}>{t('act.openMessage')}</Link>
            </>
          )}
        />
      )}
      {details.data !== undefined && isWaiting && <WaitsFor intent={details.data} />}
      {details.data !== undefined && details.data.checkout !== null && details.data.created_by.kind === 'person' && (
        <p className={classes.strong}>
          <Link href={`/counter/sale/${details.data.checkout}`}>{t('sale.openOne')}</Link>
        </p>
      )}
      <p className={classes.small}>
        <Link href={`/intents/${intent.id}`}>{t('act.openIntent')}</Link>
      </p>
    </AnswerCard>
  )
}

/** Reasons that the card shows elsewhere: in the line about the phone, or as the exact amount to send. */
const shownElsewhere: readonly string[] = ['wallet_unmonitored', 'phone_off', 'phone_silent', 'amount_awaited']

/** What the intent waits for, what arrived without matching, and the field for the reference if one is needed. */
export const WaitsFor = ({ intent }: { intent: ShownIntent }) => {
  const { t, language } = useWords(counterWords, intentsWords, unmatchedWords)
  const { may } = useMe()
  const why = intent.why ?? []
  const lines = why
    .filter(({ code }) => !shownElsewhere.includes(code))
    .map(({ code, facts }) => t(`why.${code}`, { reference: facts.reference ?? '' }))
  const notMatched = intent.timeline
    .filter(({ kind }) => kind === 'not_matched')
    .map(({ facts }) => {
      const key = `reason.${facts.reason}`
      return t('line.not_matched', {
        amount: moneyText(facts.amount ?? '', intent.currency, language),
        reason: hasText(unmatchedWords, key) ? t(key) : '',
      })
    })
  const sentences = [...new Set([...lines, ...notMatched])]
  const needsReference = !why.some(({ code }) => code === 'amount_awaited')
  return (
    <>
      {sentences.length > 0 && (
        <List spacing={4} className={classes.why}>
          {sentences.map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      )}
      {needsReference && may('intents.write') && (
        <div className={classes.attach}>
          <AttachReference id={intent.id} />
        </div>
      )}
    </>
  )
}
