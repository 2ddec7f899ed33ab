/** The last step on a poster: what its buyers do after they have sent the money. Pure. */

type Wallet = { readonly id: string; readonly offered: boolean; readonly unique_amounts: string }

/**
 * With unique amounts the buyer only waits; otherwise the page asks for the transaction number. `chosen`: the wallets of the link;
 * empty: all that are offered. Undefined or no wallet: not known, and the words promise neither.
 */
export const lastPosterStep = (
  wallets: readonly Wallet[] | undefined,
  chosen: readonly string[],
): 'poster.step3' | 'poster.step3Wait' | 'poster.step3Either' => {
  const taken = (wallets ?? []).filter(({ id, offered }) => offered && (chosen.length === 0 || chosen.includes(id)))
  if (taken.length === 0) return 'poster.step3Either'
  const unique = taken.filter(({ unique_amounts }) => unique_amounts !== 'off').length
  return unique === taken.length ? 'poster.step3Wait' : unique === 0 ? 'poster.step3' : 'poster.step3Either'
}
