/** The columns of pictures of money: rows of sums become a column for each day or hour, with a series for each wallet. Pure. */

type Row = { readonly wallet: string; readonly currency: string; readonly sum: string }
type Wallet = { readonly id: string; readonly name: string }

const minor = (amount: string): bigint => BigInt(amount.replace('.', ''))
const decimal = (amount: bigint): string => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`

export const addSums = (sums: readonly string[]): string => decimal(sums.reduce((all, sum) => all + minor(sum), 0n))

/** The currencies that have money, the one with most payments first. */
export const currenciesOf = (rows: readonly { readonly currency: string; readonly count: number }[]): string[] => {
  const counts = new Map<string, number>()
  for (const { currency, count } of rows) counts.set(currency, (counts.get(currency) ?? 0) + count)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([currency]) => currency)
}

/**
 * The wallets that have a series of their own, the one with most money first. Of more than `most` the smallest are one series:
 * `other` is true.
 */
export const seriesOf = (
  rows: readonly Row[],
  wallets: readonly Wallet[],
  most: number,
): { readonly own: readonly Wallet[]; readonly other: boolean } => {
  const total = (id: string): bigint => minor(addSums(rows.filter(({ wallet }) => wallet === id).map(({ sum }) => sum)))
  const withMoney = wallets.filter(({ id }) => total(id) > 0n)
  const sorted = withMoney.toSorted((a, b) => (total(b.id) > total(a.id) ? 1 : total(b.id) < total(a.id) ? -1 : 0))
  const other = sorted.length > most
  return { own: other ? sorted.slice(0, most - 1) : sorted, other }
}

/** The sums of a column, one for each series, the other wallets last. */
export const valuesOf = (rows: readonly Row[], { own, other }: ReturnType<typeof seriesOf>): string[] => {
  const named = own.map(({ id }) => addSums(rows.filter(({ wallet }) => wallet === id).map(({ sum }) => sum)))
  if (!other) return named.length > 0 ? named : ['0.00']
  const isOwn = (wallet: string): boolean => own.some(({ id }) => id === wallet)
  return [...named, addSums(rows.filter(({ wallet }) => !isOwn(wallet)).map(({ sum }) => sum))]
}
