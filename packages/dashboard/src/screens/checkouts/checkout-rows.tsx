/** Checkouts as a table or as cards. */
import { Text } from '@mantine/core'
import { Code, Money, State, When } from '../../parts/format/figures.tsx'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import { type Listed, shownState } from './checkout.ts'

const ListedState = ({ checkout: { status, arrived, currency } }: { checkout: Listed }) => {
  const { t } = useWords(checkoutsWords)
  return (
    <>
      <State state={shownState(status, arrived)} />
      {arrived !== null && (
        <Text component="span" size="sm" c="dimmed" display="block">
          {t('checkouts.arrived')} <Money amount={arrived} currency={currency} />
        </Text>
      )}
    </>
  )
}

/** `ofLink`: those of one payment link, which all have its order number and description. */
export const CheckoutRows = (props: { rows: readonly Listed[]; label: string; ofLink?: boolean }) => {
  const { rows, label, ofLink = false } = props
  const { t } = useWords(checkoutsWords)
  const named: Column<Listed>[] = [
    {
      head: t('checkouts.order'),
      cell: (one) => <Code free>{one.external_order_id}</Code>,
      blank: (one) => one.external_order_id === '',
    },
    {
      head: t('checkouts.description'),
      cell: (one) => <bdi>{one.description}</bdi>,
      blank: (one) => one.description === '',
    },
  ]
  const columns: Column<Listed>[] = [
    { head: t('checkouts.amount'), cell: (one) => <Money amount={one.amount} currency={one.currency} strong /> },
    { head: t('checkouts.status'), cell: (one) => <ListedState checkout={one} /> },
    ...(ofLink ? [] : named),
    {
      head: t('checkouts.wallet'),
      cell: (one) => <bdi>{shippedName(one.wallet, t)}</bdi>,
      blank: (one) => one.wallet === '',
    },
    { head: t('checkouts.created'), cell: (one) => <When at={one.created_at} />, end: true, whole: true },
  ]
  return (
    <Rows label={label} rows={rows} columns={columns} keyOf={({ id }) => id} linkOf={({ id }) => `/checkouts/${id}`} />
  )
}
