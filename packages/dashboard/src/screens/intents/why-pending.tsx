/** Why an intent is still waiting, what would resolve it, and the alerts that almost match. */
import { List, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { useMe } from '../../frame/session-context.ts'
import { useNow } from '../../parts/format/clock.ts'
import { Code, Money, When } from '../../parts/format/figures.tsx'
import { orderText } from '../../parts/format/order-name.ts'
import { Card } from '../../parts/page/page.tsx'
import { moneyText, relativeTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { AttachReference } from './attach-reference.tsx'
import { hasItsReference, type NearAlert, type ShownIntent } from './intent.ts'

export const WhyPending = ({ intent }: { intent: ShownIntent }) => {
  const { t, language } = useWords(intentsWords, unmatchedWords)
  const { may } = useMe()
  const now = useNow()
  const reasons = intent.why ?? []
  const reasonText = ({ code, facts }: (typeof reasons)[number]): string => {
    const lastSeen = facts.last_seen_at ?? ''
    if (code === 'phone_silent' && lastSeen === '') return t('why.phone_never', { name: facts.name ?? '' })
    const isHere = code === 'reference_without_alert' && intent.nearest.some(hasItsReference)
    return t(isHere ? 'why.reference_not_counted' : `why.${code}`, {
      reference: facts.reference ?? '',
      name: facts.name ?? '',
      order:
        facts.payment === undefined ? '' : orderText({ code: facts.payment, external_order_id: facts.order ?? '' }, t),
      amount: facts.amount === undefined ? '' : moneyText(facts.amount, intent.currency, language),
      when: lastSeen === '' ? '' : relativeTime(lastSeen, now, language),
    })
  }
  const difference = ({ code, facts }: NearAlert['differs'][number]): string => {
    const shown = (value: string | undefined): string =>
      code === 'amount' && value !== undefined ? moneyText(value, intent.currency, language) : (value ?? '')
    return t(`differs.${code}`, { arrived: shown(facts.arrived), expected: shown(facts.expected) })
  }
  return (
    <Card>
      <Stack gap="sm">
        <Title order={2}>{t('intent.why')}</Title>
        <List spacing={4}>
          {reasons.map((entry) => (
            <List.Item key={`${entry.code} ${entry.facts.reference} ${entry.facts.intent}`}>
              {reasonText(entry)}
            </List.Item>
          ))}
        </List>
        {may('intents.write') &&
          (reasons.some(({ code }) => code === 'amount_awaited') ? (
            // Behind a disclosure: with a reference attached, the unique amount alone no longer verifies the intent.
            <details>
              <summary style={{ cursor: 'pointer', fontWeight: 600, marginBlockEnd: 12 }}>{t('intent.attach')}</summary>
              <Text size="sm" mb="xs">
                {t('intent.attachInstead')}
              </Text>
              <AttachReference id={intent.id} />
            </details>
          ) : (
            <AttachReference id={intent.id} />
          ))}
        {intent.nearest.length > 0 && (
          <>
            <Title order={3}>{t('intent.nearest')}</Title>
            {intent.nearest.map((alert) => (
              <div key={alert.id} className="card" style={{ padding: 12, display: 'grid', gap: 4 }}>
                <div style={{ display: 'flex', gap: 12, flexWrap: 'wrap', alignItems: 'baseline' }}>
                  {alert.amount === null ? (
                    <Text fw={600}>{t('unmatched.notRead')}</Text>
                  ) : (
                    <Money amount={alert.amount} currency={alert.currency ?? intent.currency} strong />
                  )}
                  {may('unmatched.read') && <Link href={`/unmatched/${alert.id}`}>{t('unmatched.open')}</Link>}
                  {alert.reference !== '' && <Code>{alert.reference}</Code>}
                  <Text c="dimmed" size="sm">
                    <bdi>{alert.sender}</bdi> · <When at={alert.received_at} />
                  </Text>
                </div>
                <Text size="sm">
                  {alert.differs
                    // An alert that ended another intent as wrong amount has paid nothing yet.
                    .map((entry) =>
                      entry.code === 'taken' && alert.state === 'wrong_amount' ? t('differs.ended') : difference(entry),
                    )
                    .join(' · ')}
                </Text>
              </div>
            ))}
          </>
        )}
      </Stack>
    </Card>
  )
}
