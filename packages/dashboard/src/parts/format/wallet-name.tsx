/** The name of a wallet. The test wallet is marked everywhere, so that its payments are not mistaken for money. */
import { type Translate, useWords } from '../../words/language.ts'
import { shippedName } from './shipped-name.ts'
import classes from './wallet-name.module.css'

export const TestMark = () => {
  const { t } = useWords()
  return <span className={classes.test}>{t('part.test')}</span>
}

export const WalletName = ({ wallet }: { wallet: { readonly name: string; readonly is_test: boolean } }) => {
  const { t } = useWords()
  return (
    <>
      <bdi>{shippedName(wallet.name, t)}</bdi>
      {wallet.is_test && (
        <>
          {' '}
          <TestMark />
        </>
      )}
    </>
  )
}

type WalletChoice = { readonly id: string; readonly name: string; readonly is_test: boolean }

/** Wallets as options of a select, which can only contain text. */
export const walletChoices = (wallets: readonly WalletChoice[], t: Translate): { value: string; label: string }[] =>
  wallets.map(({ id, name, is_test }) => ({
    value: id,
    label: is_test ? `${shippedName(name, t)} (${t('part.test')})` : name,
  }))
