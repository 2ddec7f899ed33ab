/**
 * A sale: what the buyer pays and where, the money that arrived and may be its payment, and the payment with its stamp. It needs
 * nothing of the buyer's page, but follows it: another wallet that the buyer chooses there is shown here.
 */
import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Problem } from '../../parts/form/problem.tsx'
import { isZero } from '../../parts/format/amounts.ts'
import { useNow } from '../../parts/format/clock.ts'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { TestMark } from '../../parts/format/wallet-name.tsx'
import { BackTo } from '../../parts/page/back-to.tsx'
import { LoadFailed } from '../../parts/page/load-failed.tsx'
import { Loading, Page } from '../../parts/page/page.tsx'
import { momentText, moneyText, spanLeft } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import { counterWords, saleWords } from '../../words/screens/counter.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { AcceptPaid, Difference } from '../unmatched/accept-paid.tsx'
import { type Outcome, OutcomeContext, OutcomeLine } from '../unmatched/outcome.tsx'
import { AnswerCard, DetailLine } from './answer-card.tsx'
import classes from './counter.module.css'
import type { Counter } from './counter-data.ts'
import { WaitsFor } from './one-answer.tsx'
import { PhoneLine } from './phone-line.tsx'
import { offeredWallets } from './sale/first-wallet.ts'
import { rememberWallet } from './sale/last-wallet.ts'
import { PayPanel } from './sale/pay-panel.tsx'
import saleClasses from './sale/sale.module.css'
import { SaleMoney } from './sale/sale-money.tsx'
import { WalletRow } from './sale/wallet-row.tsx'

type ShownCheckout = Answer<'showCheckout'>

export const Sale = ({ id, counter }: { id: string; counter: Counter | undefined }) => {
  const { t } = useWords(counterWords, saleWords)
  const sale = useApi('showCheckout', { path: { id }, kinds: ['checkout', 'intent'], every_ms: 15_000 })
  if (sale.isError)
    return (
      <LoadFailed list="/counter" title={t('frame.counter')} problem={sale.error} retry={() => void sale.refetch()} />
    )
  if (sale.data === undefined) return <Loading rows={8} />
  return (
    <Page
      title={t('counter.sale')}
      actions={
        sale.data.status !== 'OPEN' && (
          <Button component={Link} href="/counter/new" leftSection={<IconPlus size={18} aria-hidden />}>
            {t('sale.title')}
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
    <AnswerCard tone="paid" title={t('state.VERIFIED')} amount={sale.paid} currency={sale.currency}>
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
          <Link href={`/intents/${paid.id}`}>{t('act.openIntent')}</Link>
        </p>
      )}
    </AnswerCard>
  )
}

const OpenSale = ({ sale, counter }: { sale: ShownCheckout; counter: Counter | undefined }) => {
  const { t, language } = useWords(counterWords, saleWords)
  const now = useNow()
  const wallets = useApi('listWallets', { kinds: ['wallet'] }).data?.results ?? []
  const other = useChooseWallet(sale, wallets)
  const last = sale.intents.at(-1)
  const openIntent = last?.status === 'PENDING' ? last : undefined
  const details = useApi('showIntent', {
    path: { id: openIntent?.id ?? '' },
    kinds: ['intent', 'alert', 'phone'],
    when: openIntent !== undefined,
  })
  if (openIntent === undefined) return <UnaskedSale sale={sale} wallets={wallets} />
  const { wallet, payable_amount: payable } = openIntent
  const shown = details.data?.id === openIntent.id ? details.data : undefined
  return (
    <AnswerCard tone="waiting" title={t('counter.waiting')}>
      <SaleMoney
        intent={
          shown ?? {
            ...openIntent,
            external_order_id: sale.external_order_id,
            currency: sale.currency,
            base_amount: payable,
          }
        }
        since={sale.created_at}
        move={openIntent.reference === '' ? other.choose : undefined}
      >
        <PayPanel
          payable={payable}
          base={shown?.base_amount ?? payable}
          currency={sale.currency}
          wallet={wallets.find(({ id }) => id === wallet.id)}
          qr={sale.qr_svg}
        />
        <div className={saleClasses.waits}>
          <OrderLine sale={sale} />
          <p role="status">
            {t('sale.waiting', {
              amount: moneyText(payable, sale.currency, language),
              wallet: shippedName(wallet.name, t),
            })}
            {shown !== undefined && ` ${t(shown.amount_unique ? 'sale.byItself' : 'sale.byTouch')}`}
          </p>
          <PhoneLine wallet={counter?.wallets.find(({ id }) => id === wallet.id)} />
        </div>
      </SaleMoney>
      {other.problem !== null && <Problem problem={other.problem} />}
      {shown !== undefined && <WaitsFor intent={shown} />}
      {openIntent.reference === '' && (
        <OtherWallet
          offered={walletsOf(sale, wallets)}
          current={wallet.id}
          choose={other.choose}
          busy={other.isPending}
        />
      )}
      <p className={classes.small}>{t('sale.left', { left: spanLeft(sale.expires_at, now, language) })}</p>
      <OpenSaleButtons sale={sale} />
    </AnswerCard>
  )
}

const OrderLine = ({ sale }: { sale: ShownCheckout }) => {
  const { t } = useWords(unmatchedWords)
  return <DetailLine>{[orderOf(sale, (values) => t('order.named', values))]}</DetailLine>
}

type Wallets = Answer<'listWallets'>['results']

/** The wallets that the checkout can be paid into. */
const walletsOf = (sale: ShownCheckout, wallets: Wallets): Wallets =>
  offeredWallets(wallets).filter(({ id, is_test }) =>
    sale.wallets.length === 0 ? !is_test : sale.wallets.includes(id),
  )

const useChooseWallet = (sale: ShownCheckout, wallets: Wallets) => {
  const choose = useApiMutation('chooseSaleWallet', ['checkout', 'intent'])
  return {
    problem: choose.error,
    isPending: choose.isPending,
    choose: (wallet: string): void => {
      rememberWallet(wallets.find(({ id }) => id === wallet))
      choose.mutate({ path: { id: sale.id }, body: { wallet } })
    },
  }
}

const OtherWallet = (props: { offered: Wallets; current: string; choose: (wallet: string) => void; busy: boolean }) => {
  const { t } = useWords(counterWords, saleWords)
  const { may } = useMe()
  const { offered, current, choose, busy } = props
  if (!may('checkouts.write') || offered.every(({ id }) => id === current)) return null
  return (
    <details className={saleClasses.change}>
      <summary>{t('sale.otherWallet')}</summary>
      <WalletRow label={t('field.wallet')} wallets={offered} chosen={current} choose={choose} disabled={busy} />
    </details>
  )
}

/** Nothing is asked for now: another amount arrived, or no wallet was chosen yet. */
const UnaskedSale = ({ sale, wallets }: { sale: ShownCheckout; wallets: Wallets }) => {
  const { t } = useWords(counterWords, saleWords)
  const { may } = useMe()
  const { choose, problem, isPending } = useChooseWallet(sale, wallets)
  const last = sale.intents.at(-1)
  const wrongIntent = last?.status === 'WRONG_AMOUNT' && last.paid_amount !== null ? last : undefined
  const details = useApi('showIntent', {
    path: { id: wrongIntent?.id ?? '' },
    kinds: ['intent', 'alert'],
    when: wrongIntent !== undefined,
  })
  const spendable = details.data?.spendable ?? null
  const alert = details.data?.alert ?? null
  const offered = walletsOf(sale, wallets)
  return (
    <AnswerCard
      tone={wrongIntent === undefined ? 'waiting' : 'money'}
      title={t(wrongIntent === undefined ? 'counter.waiting' : 'counter.wrong')}
      amount={wrongIntent?.paid_amount ?? sale.amount}
      currency={sale.currency}
    >
      {wrongIntent !== undefined && (
        <Difference
          paid={wrongIntent.paid_amount ?? ''}
          payable={wrongIntent.payable_amount}
          currency={sale.currency}
        />
      )}
      <OrderLine sale={sale} />
      {details.data !== undefined && spendable !== null && alert !== null && (
        <div className={classes.buttons}>
          <AcceptPaid intent={details.data} alert={alert} paid={spendable} currency={sale.currency} />
        </div>
      )}
      {wrongIntent === undefined && <p role="status">{t('sale.notOpened')}</p>}
      {may('checkouts.write') && offered.length > 0 && (
        <WalletRow label={t('sale.askAgain')} wallets={offered} chosen={null} choose={choose} disabled={isPending} />
      )}
      {problem !== null && <Problem problem={problem} />}
      <OpenSaleButtons sale={sale} />
    </AnswerCard>
  )
}

const OpenSaleButtons = ({ sale }: { sale: ShownCheckout }) => {
  const { t, language } = useWords(checkoutsWords, counterWords)
  const { may } = useMe()
  const cancel = useApiMutation('cancelCheckout', ['checkout', 'intent'])
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
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
          call={cancel}
          no={() => setConfirming(false)}
          yes={() => cancel.mutate({ path: { id: sale.id } }, { onSuccess: () => setConfirming(false) })}
        >
          <Text>{t('checkouts.cancelSure', { amount: moneyText(sale.amount, sale.currency, language) })}</Text>
        </Confirm>
      )}
    </>
  )
}

/** Over without a payment. Money that came late is booked to a copy of its intent. */
const EndedSale = ({ sale }: { sale: ShownCheckout }) => {
  const { t } = useWords(counterWords)
  const [outcome, showOutcome] = useState<Outcome>()
  const last = sale.intents.at(-1)
  const isExpired = sale.status === 'EXPIRED' && last?.status === 'EXPIRED'
  const details = useApi('showIntent', {
    path: { id: last?.id ?? '' },
    kinds: ['intent', 'alert'],
    when: isExpired,
  })
  return (
    <OutcomeContext.Provider value={showOutcome}>
      <AnswerCard
        tone="none"
        title={t(sale.status === 'CANCELLED' ? 'sale.cancelled' : 'sale.expired')}
        amount={sale.amount}
        currency={sale.currency}
      >
        <OrderLine sale={sale} />
        {outcome !== undefined && <OutcomeLine outcome={outcome} />}
        {isExpired && outcome === undefined && details.data !== undefined && (
          <SaleMoney intent={details.data} since={sale.created_at} />
        )}
        <p className={classes.small}>
          <Link href={`/checkouts/${sale.id}`}>{t('sale.open')}</Link>
        </p>
      </AnswerCard>
    </OutcomeContext.Provider>
  )
}
