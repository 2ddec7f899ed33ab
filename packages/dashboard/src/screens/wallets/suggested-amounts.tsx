/**
 * Suggests unique amounts for a wallet whose payments carry no reference. It shows how many payments and how many of the
 * provider's templates are without a reference. The server decides whether unique amounts are suggested.
 */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconBulb } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { useApi } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Quiet } from '../../parts/format/quiet.tsx'
import { useWords } from '../../words/language.ts'
import { amountsWords } from '../../words/screens/amounts.ts'

const Sentences = ({ facts }: { facts: Answer<'showUniqueAmounts'> }) => {
  const { t } = useWords(amountsWords)
  const { days, credits, without_reference, templates, templates_without_reference } = facts
  return (
    <>
      {credits > 0 && (
        <Text size="sm">
          {without_reference === 0
            ? t('amounts.allNumbered', { days, count: credits })
            : t('amounts.arrived', { days, credits, without: without_reference })}
        </Text>
      )}
      {templates > 0 && (
        <Text size="sm">{t('amounts.templates', { without: templates_without_reference, templates })}</Text>
      )}
    </>
  )
}

/** Beside the setting: the figures, and whether they suggest unique amounts. */
export const AmountFigures = ({ id }: { id: string }) => {
  const { t } = useWords(amountsWords)
  const { data: facts } = useApi('showUniqueAmounts', { path: { id }, kinds: ['wallet', 'alert'] })
  if (facts === undefined) return null
  if (!facts.suggested) return <Sentences facts={facts} />
  return (
    <Alert icon={<IconBulb size={18} aria-hidden />} title={t('amounts.suggested')}>
      <Sentences facts={facts} />
    </Alert>
  )
}

/**
 * On other screens: the figures, the reason (unless `brief`), and for an owner a button that opens the setting. `open`: opens
 * the setting on this screen instead of linking to it. `otherwise`: shown if nothing is suggested for this wallet.
 */
export const SuggestedAmounts = (props: {
  readonly wallet: { readonly id: string; readonly name: string }
  readonly open?: () => void
  readonly brief?: boolean
  readonly otherwise?: ReactNode
}) => {
  const { wallet, open, brief = false, otherwise = null } = props
  const { t } = useWords(amountsWords)
  const { may } = useMe()
  const { data: facts } = useApi('showUniqueAmounts', { path: { id: wallet.id }, kinds: ['wallet'] })
  if (facts === undefined) return null
  if (!facts.suggested) return otherwise
  const title = t('amounts.suggestedFor', { wallet: wallet.name })
  return (
    <Alert role="note" aria-label={title} icon={<IconBulb size={18} aria-hidden />} title={title}>
      <Stack gap="xs">
        <Sentences facts={facts} />
        {!brief && <Text size="sm">{t('amounts.why')}</Text>}
        {!may('wallets.amounts') && <Quiet>{t('amounts.owner')}</Quiet>}
        {may('wallets.amounts') && (
          <Group>
            {open === undefined ? (
              <Button component={Link} href={`/wallets?amounts=${wallet.id}`} variant="default">
                {t('amounts.open')}
              </Button>
            ) : (
              <Button variant="default" onClick={open}>
                {t('amounts.open')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

/** Each wallet costs a request. For the other wallets of an account, the suggestion is on the page of each wallet. */
const shownWallets = 3

type ListedWallet = {
  readonly id: string
  readonly name: string
  readonly is_test?: boolean
  readonly active?: boolean
}

const firstCollecting = (wallets: readonly ListedWallet[]): readonly ListedWallet[] =>
  wallets.filter(({ is_test, active }) => is_test !== true && active !== false).slice(0, shownWallets)

/** The suggestions for the first wallets of a list that collect real money. */
export const SuggestedForWallets = ({ wallets }: { wallets: readonly ListedWallet[] }) => (
  <>
    {firstCollecting(wallets).map((wallet) => (
      <SuggestedAmounts key={wallet.id} wallet={wallet} />
    ))}
  </>
)

/** Only the first suggestion, without the reason. */
export const FirstSuggested = ({ wallets }: { wallets: readonly ListedWallet[] }) => {
  const [wallet, ...others] = firstCollecting(wallets)
  if (wallet === undefined) return null
  return <SuggestedAmounts brief wallet={wallet} otherwise={<FirstSuggested wallets={others} />} />
}
