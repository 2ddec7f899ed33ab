/** The last payments, newest first, live. A payment that arrives while the screen is open is announced. */
import { Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { ArrivalNote } from '../../parts/format/arrival.tsx'
import { Money, When } from '../../parts/format/figures.tsx'
import { orderText } from '../../parts/format/order-name.ts'
import { TestMark } from '../../parts/format/wallet-name.tsx'
import { useWords } from '../../words/language.ts'
import { counterWords } from '../../words/screens/counter.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { spokenAmount, toAnnounce } from './announce.ts'
import classes from './counter.module.css'
import { announce } from './sound.ts'

export type Counter = Answer<'showCounter'>

export const useAnnouncements = (counter: Counter | undefined, isOn: boolean): void => {
  const { t, language } = useWords(counterWords)
  const seen = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    if (counter === undefined) return
    const newPayments = toAnnounce(seen.current, counter)
    seen.current = new Set([...(seen.current ?? []), ...counter.payments.map(({ intent }) => intent)].slice(-200))
    if (!isOn) return
    const sentences = newPayments.map(({ amount, wallet }) =>
      t(wallet.is_test ? 'say.test' : 'say.received', { amount: spokenAmount(amount) }),
    )
    announce(sentences, language)
  }, [counter, isOn, t, language])
}

export const LastPayments = ({ counter }: { counter: Counter }) => {
  const { t } = useWords(counterWords, unmatchedWords)
  return (
    <section aria-labelledby="last-payments">
      <Title order={2} id="last-payments" mb="xs">
        {t('counter.roll')}
      </Title>
      {counter.payments.length === 0 ? (
        <p className={`card ${classes.empty}`}>{t('counter.rollEmpty')}</p>
      ) : (
        <ol className={`card ${classes.roll}`}>
          {counter.payments.map((payment) => (
            <li key={payment.intent}>
              <Link href={`/counter?q=${payment.code}`} className={classes.payment}>
                <span className={classes.paymentAmount}>
                  <Money amount={payment.amount} currency={payment.currency} />
                  {payment.wallet.is_test && (
                    <>
                      {' '}
                      <TestMark />
                    </>
                  )}
                  <ArrivalNote of={payment} currency={payment.currency} />
                </span>
                <span className={classes.paymentWhen}>
                  <When at={payment.verified_at} />
                </span>
                <span className={classes.paymentAbout}>
                  <bdi>{orderText(payment, t)}</bdi>
                  {payment.payer !== '' && (
                    <>
                      {' · '}
                      <bdi>{payment.payer}</bdi>
                    </>
                  )}
                </span>
              </Link>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
