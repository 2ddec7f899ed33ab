/** The unmatched money that fits an intent: the same amount, its wallet, in its window. Each has a button that books it. */
import { Button, Title } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Code, Money, When } from '../../parts/format/figures.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { useWords } from '../../words/language.ts'
import { voucherWords } from '../../words/voucher.ts'
import { BookingConfirmation } from '../unmatched/booking-confirmation.tsx'
import classes from '../voucher/voucher.module.css'
import type { ShownIntent } from './intent.ts'

type Fitting = ShownIntent['fits'][number]

export const FittingMoney = ({ intent }: { intent: ShownIntent }) => {
  const { t } = useWords(voucherWords)
  const isLate = intent.status === 'EXPIRED'
  if (intent.fits.length === 0)
    return intent.status !== 'PENDING' ? null : <p className={classes.quiet}>{t('voucher.fitsNone')}</p>
  return (
    <div className={classes.fits}>
      <Title order={3}>{t(isLate ? 'voucher.fitsLate' : 'voucher.fits')}</Title>
      {intent.fits.map((alert) => (
        <Fit key={alert.id} alert={alert} intent={intent} />
      ))}
    </div>
  )
}

const Fit = ({ alert, intent }: { alert: Fitting; intent: ShownIntent }) => {
  const { t } = useWords(voucherWords)
  const { may } = useMe()
  const [books, setBooks] = useState(false)
  return (
    <div className={`card ${classes.fit}`}>
      <div>
        <Money amount={alert.amount} currency={alert.currency} strong />{' '}
        {alert.payer !== '' && <bdi>{alert.payer}</bdi>}
        <Quiet>
          <bdi>{alert.sender}</bdi> · <When at={alert.received_at} />
          {alert.reference !== '' && (
            <>
              {' · '}
              <Code>{alert.reference}</Code>
            </>
          )}
        </Quiet>
      </div>
      {may('unmatched.write') && (
        <Button onClick={() => setBooks(true)} loading={false}>
          {t(intent.status === 'EXPIRED' ? 'voucher.bookCopy' : 'act.book')}
        </Button>
      )}
      {books && <Booking id={alert.id} intent={intent} close={() => setBooks(false)} />}
    </div>
  )
}

/** The question needs the whole message, with its doubts. */
const Booking = ({ id, intent, close }: { id: string; intent: ShownIntent; close: () => void }) => {
  const alert = useApi('showAlert', { path: { id }, kinds: ['alert'] })
  return alert.data === undefined ? null : <BookingConfirmation alert={alert.data} target={intent} close={close} />
}
