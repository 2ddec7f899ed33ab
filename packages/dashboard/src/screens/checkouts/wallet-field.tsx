/** The field for the wallets that the buyer may choose from: all, or one. The test wallet is used only if it is chosen. */
import { Alert } from '@mantine/core'
import { useApi } from '../../api/use-api.ts'
import { Select } from '../../parts/form/select.tsx'
import { NothingReceived } from '../../parts/format/nothing-received.tsx'
import { walletChoices } from '../../parts/format/wallet-name.tsx'
import { useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'

export const WalletField = (props: {
  value: string | null
  onChange: (wallet: string | null) => void
  error: string | undefined
}) => {
  const { t } = useWords(checkoutsWords)
  const wallets = useApi('listWallets', { kinds: ['wallet'] })
  const offered = (wallets.data?.results ?? []).filter((wallet) => wallet.offered)
  const isReady = offered.some((wallet) => !wallet.is_test)
  return (
    <>
      {wallets.data !== undefined && !isReady && (
        <Alert color="yellow">{t(offered.length === 0 ? 'newCheckout.noWallet' : 'newCheckout.onlyTest')}</Alert>
      )}
      <Select
        label={t('field.wallet')}
        placeholder={t('newCheckout.allWallets')}
        clearable
        data={walletChoices(offered, t)}
        value={props.value}
        onChange={props.onChange}
        error={props.error}
      />
      <NothingReceived offered={offered} chosen={[props.value]} />
    </>
  )
}
