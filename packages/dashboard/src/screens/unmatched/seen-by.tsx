/** The phones that reported a payment. Shown if there were several reports: two phones, or an SMS and a notification. */
import { Stack, Text, Title } from '@mantine/core'
import { Clock } from '../../parts/format/figures.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { Card } from '../../parts/page/page.tsx'
import { inDigits } from '../../words/digits.ts'
import { useWords } from '../../words/language.ts'
import { phoneHealthWords } from '../../words/screens/phone-health.ts'
import type { QueueAlert } from './queue-alert.ts'

type Sighting = QueueAlert['seen_by'][number]

const phonesIn = (seen: readonly Sighting[]): number => new Set(seen.map(({ phone }) => phone.id)).size

/** One line, such as `seen by 2 phones`. */
export const SeenBy = ({ seen }: { seen: readonly Sighting[] }) => {
  const { t } = useWords(phoneHealthWords)
  if (seen.length < 2) return null
  const phones = phonesIn(seen)
  return <Quiet>{phones > 1 ? t('seen.by', { count: phones }) : t('seen.twice')}</Quiet>
}

export const Sightings = ({ seen }: { seen: readonly Sighting[] }) => {
  const { t, language } = useWords(phoneHealthWords)
  if (seen.length < 2) return null
  return (
    <Card>
      <Title order={2} mb="xs">
        {t('seen.title')}
      </Title>
      <Stack gap={4}>
        {seen.map(({ phone, kind, received_at, after_s }, at) => (
          <Text key={`${phone.id} ${kind}`} size="sm">
            <bdi>{shippedName(phone.name, t)}</bdi> · {t(`seen.${kind}`)} ·{' '}
            {at === 0 ? (
              <Clock at={received_at} />
            ) : (
              <bdi className="figure">{t('seen.after', { seconds: inDigits(String(after_s), language) })}</bdi>
            )}
          </Text>
        ))}
      </Stack>
    </Card>
  )
}
