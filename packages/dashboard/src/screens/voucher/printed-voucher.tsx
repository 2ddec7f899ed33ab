/**
 * The voucher on paper of 58 mm, 80 mm or A6: beside the frame of the app, shown only by a printer. While it is on a screen, the
 * browser prints it and nothing else of the page.
 */
import { createPortal } from 'react-dom'
import '../../parts/print/paper.css'
// The public page prints by the same rules.
import '../../../../server/src/http/voucher/browser/voucher-paper.css'
import { isRound, type VoucherFacts } from './voucher-facts.ts'

/** More characters do not fit in large letters on paper of 58 mm. */
const mostLarge = 9

export const PrintedVoucher = (props: { facts: VoucherFacts; shop: string; note: string }) => {
  const { state, tone, amount, stamp, rows } = props.facts
  return createPortal(
    <div className="paper" data-paper="voucher" data-tone={tone} aria-hidden="true">
      <p className="state">{state}</p>
      <p className="shop">
        <bdi>{props.shop}</bdi>
      </p>
      {amount !== null && (
        <p className={amount.whole.length > mostLarge ? 'amount long' : 'amount'}>
          <bdi>
            {amount.whole}
            <span className={isRound(amount) ? 'dim' : ''}>{amount.decimals}</span>
          </bdi>{' '}
          <small>{amount.currency}</small>
        </p>
      )}
      {stamp !== '' && (
        <p className="mark">
          <span className="stamp">{stamp}</span>
        </p>
      )}
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {props.note !== '' && <p className="check">{props.note}</p>}
    </div>,
    document.body,
  )
}
