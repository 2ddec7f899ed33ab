/** Why an intent is still waiting, and the field for its reference. A message with its reference that did not count is linked. */
import { List, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { useMe } from '../../frame/session-context.ts'
import { useNow } from '../../parts/format/clock.ts'
import { orderText } from '../../parts/format/order-name.ts'
import { moneyText, relativeTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { intentsWords } from '../../words/screens/intents.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import { AttachReference } from './attach-reference.tsx'
import { hasItsReference, type ShownIntent } from './intent.ts'

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
  return (
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
      {may('unmatched.read') &&
        intent.nearest.filter(hasItsReference).map(({ id }) => (
          <Link key={id} href={`/unmatched/${id}`}>
            {t('act.openMessage')}
          </Link>
        ))}
    </Stack>
  )
}
