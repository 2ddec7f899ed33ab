/** The facts of an intent, a line each. */
import { Text } from '@mantine/core'
import { Code, Count, Money, When } from '../../parts/format/figures.tsx'
import { personOf } from '../../parts/format/user-name.ts'
import { WalletName } from '../../parts/format/wallet-name.tsx'
import { Line } from '../../parts/list/detail-row.tsx'
import { Card } from '../../parts/page/page.tsx'
import { type Translate, useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import type { Shown } from './shown-intent.ts'

/** From here on a person should wonder whether somebody is guessing. */
const manyReferences = 5

export const byText = ({ kind, name }: Shown['created_by'], t: Translate<typeof intentsWords>): string =>
  t(`by.${kind}`, { name: kind === 'person' ? personOf(name) : name })

export const Facts = ({ intent }: { intent: Shown }) => {
  const { t } = useWords(intentsWords)
  return (
    <Card>
      <dl style={{ margin: 0, display: 'grid', gap: 8 }}>
        <Line name={t('intents.wallet')}>
          <WalletName wallet={intent.wallet} />
        </Line>
        {intent.paid_amount !== null && (
          <Line name={t('intent.paid')}>
            <Money amount={intent.paid_amount} currency={intent.currency} strong />
          </Line>
        )}
        {intent.external_order_id !== '' && (
          <Line name={t('intents.order')}>
            <Code free>{intent.external_order_id}</Code>
          </Line>
        )}
        {intent.reference !== '' && (
          <Line name={t('intents.reference')}>
            <Code>{intent.reference}</Code>
          </Line>
        )}
        {intent.references_tried >= manyReferences && (
          <Line name={t('intent.tried')}>
            <Text span c="var(--sanad-wrong)" fw={600}>
              <Count>{intent.references_tried}</Count>
            </Text>
          </Line>
        )}
        <Line name={t('intent.by')}>{byText(intent.created_by, t)}</Line>
        <Line name={t('intents.created')}>
          <When at={intent.created_at} />
        </Line>
        {intent.status === 'PENDING' && (
          <Line name={t('intent.expires')}>
            <When at={intent.expires_at} />
          </Line>
        )}
        {intent.verified_at !== null && (
          <Line name={t('intent.verified')}>
            <When at={intent.verified_at} />
          </Line>
        )}
        {intent.manual_override && <Line name={t('intent.manual')}>{t('part.yes')}</Line>}
        {intent.notes !== '' && <Line name={t('intent.notes')}>{intent.notes}</Line>}
      </dl>
    </Card>
  )
}
