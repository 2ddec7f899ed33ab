/** A row of the shop's wallets by their companies: one touch chooses. */
import { providerName } from '../../../parts/format/provider-name.ts'
import { TestMark } from '../../../parts/format/wallet-name.tsx'
import { useWords } from '../../../words/language.ts'
import classes from './sale.module.css'

export type RowWallet = {
  readonly id: string
  readonly name: string
  readonly is_test: boolean
  readonly provider: { readonly display_name: string; readonly display_name_ar: string; readonly theme_color: string }
}

export const WalletRow = (props: {
  /** The legend of the group. */
  label: string
  wallets: readonly RowWallet[]
  chosen: string | null
  choose: (id: string) => void
  disabled?: boolean
  error?: string | undefined
}) => {
  const { language } = useWords()
  return (
    <fieldset className={classes.wallets} disabled={props.disabled === true}>
      <legend>{props.label}</legend>
      <div className={classes.row}>
        {props.wallets.map((wallet) => (
          <label
            key={wallet.id}
            className={classes.wallet}
            style={{ borderInlineStartColor: wallet.provider.theme_color }}
          >
            <input
              type="radio"
              name="sale-wallet"
              value={wallet.id}
              checked={wallet.id === props.chosen}
              onChange={() => props.choose(wallet.id)}
            />
            <span>
              <bdi className={classes.company}>{providerName(wallet.provider, language)}</bdi>
              {!wallet.is_test && <bdi className={classes.walletName}>{wallet.name}</bdi>}
            </span>
            {wallet.is_test && <TestMark />}
          </label>
        ))}
      </div>
      {props.error !== undefined && (
        <p className={classes.error} role="alert">
          {props.error}
        </p>
      )}
    </fieldset>
  )
}
