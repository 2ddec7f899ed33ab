/** The wallet with which a new sale begins, and the wallets that a cashier can choose. Pure. */

export type SaleWallet = {
  readonly id: string
  readonly is_test: boolean
  readonly active: boolean
  readonly offered: boolean
}

/** The wallets that can collect money now: real ones first, the test wallet last. */
export const offeredWallets = <W extends SaleWallet>(wallets: readonly W[]): W[] =>
  wallets.filter(({ offered }) => offered).sort((a, b) => Number(a.is_test) - Number(b.is_test))

/**
 * The last wallet that was used on this device, or the only real one. Null: the cashier chooses. The test wallet is taken by
 * itself only in a shop that has no real wallet.
 */
export const firstWallet = (wallets: readonly SaleWallet[], remembered: string | null): string | null => {
  const offered = offeredWallets(wallets)
  const real = offered.filter(({ is_test }) => !is_test)
  const last = real.find(({ id }) => id === remembered)
  if (last !== undefined) return last.id
  const [only, ...others] = real
  if (only !== undefined) return others.length === 0 ? only.id : null
  const hasReal = wallets.some(({ is_test, active }) => !is_test && active)
  return hasReal ? null : (offered[0]?.id ?? null)
}
