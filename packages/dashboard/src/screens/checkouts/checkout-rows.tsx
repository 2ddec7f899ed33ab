/** Checkouts as a table or as cards. */
import { Text } from '@mantine/core'
import { isZero } from '../../parts/format/amounts.ts'
import { ForgivenSum } from '../../parts/format/arrival.tsx'
import { Code, Money, State, When } from '../../parts/format/figures.tsx'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { TestMark } from '../../parts/format/wallet-name.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import { type ListedCheckout, otherAmount, shownState } from './checkout.ts'

const ListedState = ({ checkout }: { checkout: ListedCheckout }) => {
  const { status, arrived, currency } = checkout
  const { t } = useWords(checkoutsWords)
  const other = otherAmount(checkout)
  return (
    <>
      <State state={shownState(status, arrived)} />
      {other !== null && (
        <Text component="span" size="sm" display="block">
          {t('field.arrived')} <Money amount={other} currency={currency} />
        </Text>
      )}
      {status === 'COMPLETE' && !isZero(checkout.forgiven_amount) && (
        <ForgivenSum amount={checkout.forgiven_amount} currency={currency} />
      )}
    </>
  )
}

/** `ofLink`: all rows belong to one payment link, so their order number and description are the same and left out. */
export const CheckoutRows = (props: { rows: readonly ListedCheckout[]; label: string; ofLink?: boolean }) => {
  const { rows, label, ofLink = false } = props
  const { t } = useWords(checkoutsWords)
  const orderColumns: Column<ListedCheckout>[] = [
    {
      head: t('field.order'),
      cell: (checkout) => <Code free>{checkout.external_order_id}</Code>,
      blank: (checkout) => checkout.external_order_id === '',
    },
    {
      head: t('checkouts.description'),
      cell: (checkout) => <bdi>{checkout.description}</bdi>,
      blank: (checkout) => checkout.description === '',
    },
  ]
  const columns: Column<ListedCheckout>[] = [
    {
      head: t('field.amount'),
      cell: (checkout) => <Money amount={checkout.amount} currency={checkout.currency} strong />,
    },
    { head: t('field.state'), cell: (checkout) => <ListedState checkout={checkout} /> },
    ...(ofLink ? [] : orderColumns),
    {
      head: t('field.wallet'),
      cell: ({ wallet, is_test }) => (
        <>
          <bdi>{shippedName(wallet, t)}</bdi> {is_test && <TestMark />}
        </>
      ),
      blank: ({ wallet, is_test }) => wallet === '' && !is_test,
    },
    { head: t('checkouts.created'), cell: (checkout) => <When at={checkout.created_at} />, end: true, whole: true },
  ]
  return (
    <Rows label={label} rows={rows} columns={columns} keyOf={({ id }) => id} linkOf={({ id }) => `/checkouts/${id}`} />
  )
}
