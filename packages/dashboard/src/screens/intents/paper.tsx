/** The voucher: order, amount, payer and reference, and in place of the stamp what an unpaid intent waits for. */
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useMe } from '../../frame/session-context.ts'
import { useNow } from '../../parts/format/clock.ts'
import { Clock, Code, State } from '../../parts/format/figures.tsx'
import { receivedAmount } from '../../parts/format/received-amount.ts'
import { chimeSoon } from '../../speech/audio.ts'
import { isSoundOn } from '../../speech/sound-switch.ts'
import { clockTime, momentText, spanLeft } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { voucherWords } from '../../words/voucher.ts'
import { HandOver, useHandedOverText } from '../counter/hand-over.tsx'
import classes from '../voucher/voucher.module.css'
import { VoucherActions } from '../voucher/voucher-actions.tsx'
import { amountParts, isRound, stateTime } from '../voucher/voucher-facts.ts'
import { FittingMoney } from './fitting-money.tsx'
import type { ShownIntent } from './intent.ts'
import { byText } from './intent-details.tsx'
import { WhyPending } from './why-pending.tsx'
import { WrongAmount } from './wrong-amount.tsx'

export const Paper = ({ intent }: { intent: ShownIntent }) => {
  const { t, language } = useWords(intentsWords)
  const amount = amountParts(receivedAmount(intent), intent.currency, language)
  const payer = intent.alert?.payer ?? ''
  const reference = intent.reference === '' ? (intent.alert?.reference ?? '') : intent.reference
  return (
    <section className={`card ${classes.paper}`} style={{ '--edge': intent.provider.theme_color } as object}>
      <div className={classes.head}>
        <h1>
          {intent.external_order_id === '' ? t('intents.code') : t('field.order')}{' '}
          <bdi>{intent.external_order_id === '' ? intent.code : intent.external_order_id}</bdi>
        </h1>
        {intent.external_order_id !== '' && (
          <span className={classes.code}>
            <Code>{intent.code}</Code>
          </span>
        )}
        <span className={classes.time}>
          <Clock at={stateTime(intent)} />
        </span>
      </div>
      <p className={`figure ${classes.amount}`} data-amount data-long={amount.whole.length > 9}>
        <bdi>
          {amount.whole}
          <span className={isRound(amount) ? classes.dim : ''}>{amount.decimals}</span>
        </bdi>{' '}
        <small>{amount.currency}</small>
      </p>
      {(payer !== '' || reference !== '') && <Who payer={payer} reference={reference} />}
      <Mark intent={intent} />
      <VoucherActions intent={intent} />
    </section>
  )
}

const Who = ({ payer, reference }: { payer: string; reference: string }) => {
  const { t } = useWords(voucherWords)
  return (
    <p className={classes.who}>
      {payer !== '' && (
        <>
          {t('voucher.from')} <bdi>{payer}</bdi>
        </>
      )}
      {payer !== '' && reference !== '' && ' · '}
      {reference !== '' && (
        <>
          {t('field.reference')} <Code>{reference}</Code>
        </>
      )}
    </p>
  )
}

const Mark = ({ intent }: { intent: ShownIntent }) => {
  switch (intent.status) {
    case 'VERIFIED':
      return <Stamp intent={intent} />
    case 'PENDING':
      return <Waiting intent={intent} />
    case 'WRONG_AMOUNT':
      return (
        <>
          <div className={classes.mark}>
            <State state="WRONG_AMOUNT" />
          </div>
          <WrongAmount key={intent.id} intent={intent} />
        </>
      )
    default:
      return <Ended intent={intent} />
  }
}

const Stamp = ({ intent }: { intent: ShownIntent }) => {
  const { t, language } = useWords(voucherWords)
  const { zone } = useMe()
  const handedOverText = useHandedOverText()
  const isTest = intent.wallet.is_test
  const lands = useLanding(intent)
  useLandingSound(lands, intent.id)
  return (
    <div className={classes.mark} aria-live="polite">
      <span className={classes.stamp} data-test={isTest} data-lands={lands}>
        <span>{t(isTest ? 'voucher.testStamp' : 'voucher.stamp')}</span>{' '}
        <bdi>{clockTime(stateTime(intent), language, zone)}</bdi>
      </span>
      {intent.taken_as_sale && <p className={classes.quiet}>{t('voucher.sale')}</p>}
      {intent.handed_over === null ? (
        <HandOver intent={intent.id} />
      ) : (
        <p className={classes.quiet}>{handedOverText(intent.handed_over)}</p>
      )}
    </div>
  )
}

/** Whether the money arrived while the page was open, a moment ago: then the stamp lands. */
const useLanding = ({ verified_at }: ShownIntent): boolean => {
  const now = useNow()
  const opened = useRef(now)
  return verified_at !== null && Date.parse(verified_at) >= opened.current - landing_ms
}
const landing_ms = 3_000

/** The stamp that lands is heard once, if the sound is on (the switch of the counter). */
const useLandingSound = (lands: boolean, id: string): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each payment
  useEffect(() => {
    if (lands && isSoundOn()) chimeSoon()
  }, [lands, id])
}

const Waiting = ({ intent }: { intent: ShownIntent }) => {
  const { t, language } = useWords(voucherWords)
  const now = useNow()
  return (
    <>
      <div className={classes.mark}>
        <State state="PENDING" />
        <p className={classes.note}>{t('voucher.waiting', { left: spanLeft(intent.expires_at, now, language) })}</p>
      </div>
      <WhyPending intent={intent} />
      <FittingMoney intent={intent} />
    </>
  )
}

const Ended = ({ intent }: { intent: ShownIntent }) => {
  const { t, language } = useWords(voucherWords, intentsWords)
  const { zone } = useMe()
  const now = useNow()
  const cancelled = intent.timeline.findLast(({ kind }) => kind === 'cancelled')
  const when = momentText(stateTime(intent), now, language, zone)
  return (
    <>
      <div className={classes.mark}>
        <State state={intent.status} />
        <p className={classes.note}>
          {cancelled === undefined
            ? t('voucher.ended', { when })
            : t('voucher.cancelled', { by: byText(cancelled.by, t), when })}
        </p>
        {intent.checkout !== null && (
          <p className={classes.quiet}>
            <Link href={`/checkouts/${intent.checkout}`}>{t('rest.open')}</Link>
          </p>
        )}
      </div>
      <FittingMoney intent={intent} />
    </>
  )
}
