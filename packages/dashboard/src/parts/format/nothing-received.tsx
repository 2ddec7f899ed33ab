/**
 * Wallets into which no money has come yet, shown where buyers are sent to them: a wrong digit in the account number is noticed
 * before a buyer pays a stranger.
 */
import { Alert } from '@mantine/core'
import { useWords } from '../../words/language.ts'

type Wallet = {
  readonly id: string
  readonly name: string
  readonly account_number: string
  readonly is_test: boolean
  readonly first_received_at: string | null
}

/** More wallets than this are not named one by one. */
const mostNamed = 3

/** `chosen`: the wallets that buyers are sent to. Empty: all of `offered`. */
export const NothingReceived = (props: { offered: readonly Wallet[]; chosen: readonly (string | null)[] }) => {
  const { t } = useWords()
  const chosen = props.chosen.filter((id) => id !== null)
  const shown = props.offered.filter(
    ({ id, is_test, first_received_at }) =>
      first_received_at === null && !is_test && (chosen.length === 0 || chosen.includes(id)),
  )
  if (shown.length === 0) return null
  return (
    <Alert color="yellow" role="note">
      {shown.slice(0, mostNamed).map(({ id, name, account_number }) => (
        <div key={id}>{t('part.nothingReceivedIn', { wallet: name, number: account_number })}</div>
      ))}
      {shown.length > mostNamed && '…'}
    </Alert>
  )
}
