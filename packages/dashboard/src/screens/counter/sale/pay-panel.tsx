/**
 * What the buyer needs to pay, large enough to be read over a counter: the exact amount, the account number with its holder, and
 * the payment page as a QR code beside them. The buyer needs no connection of his own.
 */

import { providerName } from '../../../parts/format/provider-name.ts'
import { svgAddress } from '../../../parts/format/qr-image.tsx'
import { shippedName } from '../../../parts/format/shipped-name.ts'
import { TestMark } from '../../../parts/format/wallet-name.tsx'
import { moneyText } from '../../../words/format.ts'
import { useWords } from '../../../words/language.ts'
import { counterWords, saleWords } from '../../../words/screens/counter.ts'
import { BigAmount } from '../answer-card.tsx'
import { groupedNumber } from './account-number.ts'
import classes from './sale.module.css'
import type { RowWallet } from './wallet-row.tsx'

export const PayPanel = (props: {
  payable: string
  /** The amount of the sale; it differs from `payable` where the wallet tells payments apart by amount. */
  base: string
  currency: string
  wallet: (RowWallet & { readonly account_number: string }) | undefined
  qr: string | null
}) => {
  const { t, language } = useWords(counterWords, saleWords)
  const { payable, base, currency, wallet, qr } = props
  const money = (amount: string): string => moneyText(amount, currency, language)
  return (
    <div className={classes.panel}>
      <dl className={classes.details}>
        <div className={classes.toSend}>
          <dt>{t('sale.toSend')}</dt>
          <dd>
            <BigAmount amount={payable} currency={currency} />
          </dd>
        </div>
        {wallet !== undefined && (
          <>
            {wallet.account_number !== '' && (
              <div className={classes.number}>
                <dt>{t('field.accountNumber')}</dt>
                <dd>
                  <bdi className="code" dir="ltr">
                    {groupedNumber(wallet.account_number)}
                  </bdi>
                </dd>
              </div>
            )}
            <div className={classes.who}>
              <dt>{t('sale.holder')}</dt>
              <dd>
                <bdi>{shippedName(wallet.name, t)}</bdi>
              </dd>
              <dt>{t('sale.company')}</dt>
              <dd>
                <bdi>{providerName(wallet.provider, language)}</bdi> {wallet.is_test && <TestMark />}
              </dd>
            </div>
          </>
        )}
      </dl>
      {qr !== null && (
        <figure className={classes.qr}>
          <img src={svgAddress(qr)} alt={t('sale.qr')} />
          <figcaption>{t('sale.scan')}</figcaption>
        </figure>
      )}
      {payable !== base && (
        <p className={classes.exactly}>{t('sale.exactly', { amount: money(payable), base: money(base) })}</p>
      )}
    </div>
  )
}
