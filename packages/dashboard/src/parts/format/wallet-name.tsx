/** The name of a wallet. The test wallet is marked wherever it is named: nobody takes its payments for money. */
import { type Translate, useWords } from '../../words/language.ts'
import classes from './wallet-name.module.css'

export const TestMark = () => {
  const { t } = useWords()
  return <span className={classes.test}>{t('part.test')}</span>
}

export const WalletName = ({ wallet }: { wallet: { readonly name: string; readonly is_test: boolean } }) => (
  <>
    <bdi>{wallet.name}</bdi>
    {wallet.is_test && (
      <>
        {' '}
        <TestMark />
      </>
    )}
  </>
)

type Named = { readonly id: string; readonly name: string; readonly is_test: boolean }

/** Wallets for a choice, where only text can stand. */
export const walletChoices = (wallets: readonly Named[], t: Translate): { value: string; label: string }[] =>
  wallets.map(({ id, name, is_test }) => ({ value: id, label: is_test ? `${name} (${t('part.test')})` : name }))
