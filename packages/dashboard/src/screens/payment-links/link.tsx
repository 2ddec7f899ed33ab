/** The API types of payment links, and how their amount and state are shown. */
import { IconCircleCheck, IconPower } from '@tabler/icons-react'
import type { Answer } from '../../api/call.ts'
import { Money } from '../../parts/format/figures.tsx'
import type { Language } from '../../words/catalogue.ts'
import { moneyText } from '../../words/format.ts'
import { type Translate, useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'

export type ListedLink = Answer<'listPaymentLinks'>['results'][number]
export type ShownLink = Answer<'showPaymentLink'>

const longestTitle = 60

/** The name of a link as a title; a long name is cut. */
export const linkTitle = (
  { description }: Pick<ListedLink, 'description'>,
  t: Translate<typeof checkoutsWords>,
): string => {
  if (description === '') return t('links.unnamed')
  const letters = [...description]
  return letters.length <= longestTitle ? description : `${letters.slice(0, longestTitle).join('')}…`
}

type Priced = Pick<ListedLink, 'amount' | 'min_amount' | 'max_amount' | 'currency'>

/** The bounds that the server sets if the user sets none. */
const unbounded = { least: '1.00', most: '999999999999.99' }

/** The bounds as text; undefined: none were set, or the amount is fixed. */
const boundsText = (
  { min_amount: least, max_amount: most, currency }: Priced,
  t: Translate<typeof checkoutsWords>,
  language: Language,
): string | undefined => {
  if (least === null || most === null) return undefined
  const money = (amount: string): string => moneyText(amount, currency, language)
  if (most !== unbounded.most) return t('links.between', { least: money(least), most: money(most) })
  return least === unbounded.least ? undefined : t('links.from', { least: money(least) })
}

export const LinkAmount = ({ link }: { link: Priced }) => {
  const { t, language } = useWords(checkoutsWords)
  if (link.amount !== null) return <Money amount={link.amount} currency={link.currency} strong />
  return boundsText(link, t, language) ?? t('links.anyAmount')
}

export const LinkState = ({ active }: { active: boolean }) => {
  const { t } = useWords(checkoutsWords)
  const Picture = active ? IconCircleCheck : IconPower
  const colour = active ? 'var(--sanad-verified)' : 'var(--sanad-quiet)'
  return (
    <span style={{ display: 'inline-flex', gap: 4, alignItems: 'center', color: colour, fontWeight: 600 }}>
      <Picture size={16} aria-hidden style={{ flexShrink: 0 }} />
      {t(active ? 'links.on' : 'links.off')}
    </span>
  )
}
