/**
 * Sums of money as one table: a group for each wallet, member or total, with its kinds below it. On a wide screen the kinds are
 * columns. Only kinds with money are shown. Every group has one currency.
 */
import { moneyOutcomes as kinds } from '@sanad/contract/kinds'
import type { ReactNode } from 'react'
import type { Answer } from '../../api/call.ts'
import { inDigits } from '../../words/digits.ts'
import { useWords } from '../../words/language.ts'
import { sumWords } from '../../words/shifts.ts'
import { isZero } from '../format/amounts.ts'
import { Money } from '../format/figures.tsx'
import '../print/paper.css'
import classes from './sums-table.module.css'

export type MoneySums = Answer<'showDaySums'>['totals'][number]

export type SumGroup = {
  readonly key: string
  readonly name: ReactNode
  readonly sums: MoneySums
  /** What stands beside the name: everything that arrived, or what was paid. */
  readonly head: 'arrived' | 'verified'
  readonly isTotal?: boolean
}

const Count = ({ count }: { count: number }) => {
  const { language } = useWords()
  return (
    <span className={classes.count}>
      {' '}
      <bdi>{inDigits(`(${count})`, language)}</bdi>
    </span>
  )
}

/** `hasWide`: kinds become columns on a wide screen. */
export const SumsTable = (props: { label: string; groups: readonly SumGroup[]; hasWide?: boolean }) => (
  <>
    <NarrowTable {...props} />
    {props.hasWide && <WideTable {...props} />}
  </>
)

type Props = { label: string; groups: readonly SumGroup[]; hasWide?: boolean }

const NarrowTable = ({ label, groups, hasWide = false }: Props) => {
  const { t } = useWords(sumWords)
  return (
    <table className={`${classes.table} ${classes.narrow} ${hasWide ? classes.hasWide : ''}`} aria-label={label}>
      {groups.map(({ key, name, sums, head }) => (
        <tbody key={key}>
          <tr className={classes.group}>
            <th scope="rowgroup" className={classes.name}>
              {name}
              <Count count={sums[head].count} />
            </th>
            <td className={classes.amount}>
              <Money amount={sums[head].amount} currency={sums.currency} />
            </td>
          </tr>
          {kinds
            .filter((kind) => sums[kind].count > 0)
            .map((kind) => (
              <tr key={kind} className={classes.kind}>
                <th scope="row" className={classes.name}>
                  {t(`sums.${kind}`)}
                  <Count count={sums[kind].count} />
                </th>
                <td className={classes.amount}>
                  <Money amount={sums[kind].amount} currency={sums.currency} />
                </td>
              </tr>
            ))}
          <Beside sums={sums} />
        </tbody>
      ))}
    </table>
  )
}

/** What is no kind of its own: forgiven, too much, not handed over, can be undone. */
const Beside = ({ sums }: { sums: MoneySums }) => {
  const { t } = useWords(sumWords)
  const row = (name: string, amount: string, count?: number, isWrong = false) => (
    <tr className={`${classes.kind} ${isWrong ? classes.wrong : ''}`}>
      <th scope="row" className={classes.name}>
        {name}
        {count !== undefined && <Count count={count} />}
      </th>
      <td className={classes.amount}>
        <Money amount={amount} currency={sums.currency} />
      </td>
    </tr>
  )
  const { forgiven_amount: forgiven, excess_amount: excess, not_handed_over: open, reserved } = sums
  return (
    <>
      {!isZero(forgiven) && row(t('sums.forgiven'), forgiven, undefined, true)}
      {!isZero(excess) && row(t('sums.excess'), excess)}
      {open.count > 0 && row(t('sums.notHandedOver'), open.amount, open.count, true)}
      {reserved.count > 0 && row(t('sums.reserved'), reserved.amount, reserved.count)}
    </>
  )
}

const WideTable = ({ label, groups }: Props) => {
  const { t } = useWords(sumWords)
  const shown = kinds.filter((kind) => groups.some(({ sums }) => sums[kind].count > 0))
  const hasForgiven = groups.some(({ sums }) => !isZero(sums.forgiven_amount))
  const hasOpen = groups.some(({ sums }) => sums.not_handed_over.count > 0)
  const cell = (sum: { count: number; amount: string }, currency: string) =>
    sum.count > 0 && (
      <>
        <Money amount={sum.amount} currency={currency} />
        <Count count={sum.count} />
      </>
    )
  return (
    <table className={`${classes.table} ${classes.wide}`} aria-label={label}>
      <thead>
        <tr>
          <td />
          <th scope="col" className={classes.column}>
            {t(`sums.${groups[0]?.head ?? 'arrived'}`)}
          </th>
          {shown.map((kind) => (
            <th key={kind} scope="col" className={classes.column}>
              {t(`sums.${kind}`)}
            </th>
          ))}
          {hasForgiven && (
            <th scope="col" className={classes.column}>
              {t('sums.forgiven')}
            </th>
          )}
          {hasOpen && (
            <th scope="col" className={classes.column}>
              {t('sums.notHandedOver')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {groups.map(({ key, name, sums, head, isTotal = false }) => (
          <tr key={key} className={`${classes.row} ${isTotal ? classes.total : ''}`}>
            <th scope="row" className={classes.rowName}>
              {name}
            </th>
            <td className={classes.cell}>{cell(sums[head], sums.currency)}</td>
            {shown.map((kind) => (
              <td key={kind} className={classes.cell}>
                {cell(sums[kind], sums.currency)}
              </td>
            ))}
            {hasForgiven && (
              <td className={`${classes.cell} ${classes.wrong}`}>
                {!isZero(sums.forgiven_amount) && <Money amount={sums.forgiven_amount} currency={sums.currency} />}
              </td>
            )}
            {hasOpen && (
              <td className={`${classes.cell} ${classes.wrong}`}>{cell(sums.not_handed_over, sums.currency)}</td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The part of a page that is printed as a slip; the rest of the page is not. */
export const Slip = ({ children, isNarrow = false }: { children: ReactNode; isNarrow?: boolean }) => (
  <div className={classes.slip} data-paper="slip">
    <div className={`card ${classes.card} ${isNarrow ? classes.slipNarrow : ''}`}>{children}</div>
  </div>
)
/** Shown on the screen, and not printed with a slip. */
export const ScreenOnly = ({ children }: { children: ReactNode }) => <div data-screen-only>{children}</div>
