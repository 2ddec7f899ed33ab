/** A sale: the buyer's page as a QR code, what it waits for, and the payment as soon as it arrives. */
import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { isZero } from '../../parts/format/amounts.ts'
import { useNow } from '../../parts/format/clock.ts'
import { QrImage } from '../../parts/format/qr-image.tsx'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { TestMark } from '../../parts/format/wallet-name.tsx'
import { BackTo } from '../../parts/page/back-to.tsx'
import { LoadFailed } from '../../parts/page/load-failed.tsx'
import { Loading, Page } from '../../parts/page/page.tsx'
import { momentText, moneyText, spanLeft } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import { counterWords } from '../../words/screens/counter.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { Difference } from '../unmatched/accept-paid.tsx'
import { AnswerCard, DetailLine } from './answer-card.tsx'
import classes from './counter.module.css'
import type { Counter } from './counter-data.ts'
import { PhoneLine } from './phone-line.tsx'

type ShownCheckout = Answer<'showCheckout'>

export const Sale = ({ id, counter }: { id: string; counter: Counter | undefined }) => {
  const { t } = useWords(counterWords)
  const sale = useApi('showCheckout', { path: { id }, kinds: ['checkout', 'intent'], every_ms: 15_000 })
  if (sale.isError)
    return (
      <LoadFailed list="/counter" title={t('frame.counter')} problem={sale.error} retry={() => void sale.refetch()} />
    )
  if (sale.data === undefined) return <Loading rows={8} />
  return (
    <Page
      title={t('sale.title')}
      actions={
        sale.data.status !== 'OPEN' && (
          <Button component={Link} href="/counter/new" leftSection={<IconPlus size={18} aria-hidden />}>
            {t('counter.newSale')}
          </Button>
        )
      }
    >
      <BackTo href="/counter" name={t('counter.back')} />
      <State sale={sale.data} counter={counter} />
    </Page>
  )
}

const State = ({ sale, counter }: { sale: ShownCheckout; counter: Counter | undefined }) => {
  if (sale.status === 'COMPLETE') return <PaidSale sale={sale} counter={counter} />
  if (sale.status === 'OPEN') return <OpenSale sale={sale} counter={counter} />
  return <EndedSale sale={sale} />
}

const orderOf = (sale: ShownCheckout, order: (values: { order: string }) => string): string =>
  sale.external_order_id === '' ? '' : order({ order: sale.external_order_id })

const PaidSale = ({ sale, counter }: { sale: ShownCheckout; counter: Counter | undefined }) => {
  const { t, language } = useWords(counterWords, unmatchedWords)
  const { zone } = useMe()
  const now = useNow()
  const paid = sale.intents.findLast(({ status }) => status === 'VERIFIED')
  const payer = counter?.roll.results.find(({ intent }) => intent?.id === paid?.id)?.payer ?? ''
  return (
    <AnswerCard tone="paid" title={t('counter.paid')} amount={sale.paid} currency={sale.currency}>
      {sale.is_test && <TestMark />}
      {!isZero(sale.forgiven_amount) && (
        <p className={classes.strong}>
          {t('part.forgivenSum', { amount: moneyText(sale.forgiven_amount, sale.currency, language) })}
        </p>
      )}
      <DetailLine>{[orderOf(sale, (values) => t('order.named', values))]}</DetailLine>
      <DetailLine>
        {[
          sale.ended_at !== null && momentText(sale.ended_at, now, language, zone),
          paid && shippedName(paid.wallet.name, t),
          payer,
        ]}
      </DetailLine>
      {paid !== undefined && (
        <p className={classes.small}>
          <Link href={`/intents/${paid.id}`}>{t('counter.openOrder')}</Link>
        </p>
      )}
    </AnswerCard>
  )
}

const OpenSale = ({ sale, counter }: { sale: ShownCheckout; counter: Counter | undefined }) => {
  const { t, language } = useWords(checkoutsWords, counterWords, unmatchedWords)
  const { may } = useMe()
  const now = useNow()
  const cancel = useApiMutation('cancelCheckout', ['checkout', 'intent'])
  const [isConfirming, setConfirming] = useState(false)
  const last = sale.intents.at(-1)
  const openIntent = last?.status === 'PENDING' ? last : undefined
  const wrongIntent = last?.status === 'WRONG_AMOUNT' && last.paid_amount !== null ? last : undefined
  const money = (amount: string): string => moneyText(amount, sale.currency, language)
  const counterWallet = counter?.wallets.find(({ id }) => id === (openIntent?.wallet.id ?? sale.wallets[0]))
  return (
    <AnswerCard
      tone={wrongIntent === undefined ? 'waiting' : 'money'}
      title={t(wrongIntent === undefined ? 'counter.waiting' : 'counter.wrong')}
      amount={openIntent?.payable_amount ?? sale.amount}
      currency={sale.currency}
    >
      {wrongIntent !== undefined && (
        <Difference
          paid={wrongIntent.paid_amount ?? ''}
          payable={wrongIntent.payable_amount}
          currency={sale.currency}
        />
      )}
      {openIntent !== undefined && openIntent.payable_amount !== sale.amount && (
        <p className={classes.strong}>{t('counter.exactly', { amount: money(openIntent.payable_amount) })}</p>
      )}
      <DetailLine>{[orderOf(sale, (values) => t('order.named', values))]}</DetailLine>
      {sale.qr_svg !== null && (
        <div className={classes.qr}>
          <p>{t('sale.scan')}</p>
          <QrImage svg={sale.qr_svg} alt={t('sale.qr')} size={256} />
        </div>
      )}
      <p role="status">
        {openIntent === undefined
          ? t('sale.notOpened')
          : t('sale.waiting', {
              amount: money(openIntent.payable_amount),
              wallet: shippedName(openIntent.wallet.name, t),
            })}
      </p>
      <PhoneLine wallet={counterWallet} />
      <p className={classes.small}>{t('sale.left', { left: spanLeft(sale.expires_at, now, language) })}</p>
      <div className={classes.buttons}>
        <Link href={`/checkouts/${sale.id}`}>{t('sale.open')}</Link>
        {may('checkouts.write') && (
          <Button variant="default" onClick={() => setConfirming(true)}>
            {t('sale.cancel')}
          </Button>
        )}
      </div>
      {isConfirming && (
        <Confirm
          title={t('sale.cancel')}
          submitLabel={t('sale.cancel')}
          danger
          busy={cancel.isPending}
          problem={cancel.error}
          no={() => setConfirming(false)}
          yes={() => cancel.mutate({ path: { id: sale.id } }, { onSuccess: () => setConfirming(false) })}
        >
          <Text>{t('checkouts.cancelSure', { amount: money(sale.amount) })}</Text>
        </Confirm>
      )}
    </AnswerCard>
  )
}

const EndedSale = ({ sale }: { sale: ShownCheckout }) => {
  const { t } = useWords(counterWords, unmatchedWords)
  return (
    <AnswerCard
      tone="none"
      title={t(sale.status === 'CANCELLED' ? 'sale.cancelled' : 'sale.expired')}
      amount={sale.amount}
      currency={sale.currency}
    >
      <DetailLine>{[orderOf(sale, (values) => t('order.named', values))]}</DetailLine>
      <p className={classes.small}>
        <Link href={`/checkouts/${sale.id}`}>{t('sale.open')}</Link>
      </p>
    </AnswerCard>
  )
}
