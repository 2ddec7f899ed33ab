/** A few phones on a wide screen: each with its health and its last messages, so that nobody opens a page to see whether it works. */
import { Group, Stack, Text, Title } from '@mantine/core'
import { usualCurrency } from '@sanad/contract/currency'
import { Link } from 'wouter'
import { usePagedList } from '../../api/use-api.ts'
import { Money, When } from '../../parts/format/figures.tsx'
import { shippedName } from '../../parts/format/shipped-name.ts'
import { useWords } from '../../words/language.ts'
import { phonesWords } from '../../words/screens/phones.ts'
import { unmatchedWords } from '../../words/screens/unmatched.ts'
import type { Phone } from './phone.ts'
import { PhoneFacts } from './phone-health.tsx'
import { PhoneProblems } from './phone-problems.tsx'
import { PhoneState } from './phone-state.tsx'
import classes from './phones.module.css'

/** Of more phones, the list shows the state alone: each of these loads its messages. */
export const mostInFull = 4

export const PhonesInFull = ({ phones }: { phones: readonly Phone[] }) => {
  const { t } = useWords(phonesWords)
  return (
    <ul className={classes.phones} aria-label={t('frame.phones')}>
      {phones.map((phone) => (
        <li key={phone.id} className="card">
          <Stack gap="md" p={20}>
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Title order={2} className={classes.name}>
                <Link href={`/phones/${phone.id}`}>
                  <bdi>{shippedName(phone.name, t)}</bdi>
                </Link>
              </Title>
              <PhoneState phone={phone} />
            </Group>
            <PhoneProblems phone={phone} />
            <PhoneFacts phone={phone} />
            <LastMessages id={phone.id} most={phones.length > 2 ? 5 : 12} />
          </Stack>
        </li>
      ))}
    </ul>
  )
}

const LastMessages = ({ id, most }: { id: string; most: number }) => {
  const { t } = useWords(phonesWords, unmatchedWords)
  const list = usePagedList('listPhoneAlerts', { path: { id }, query: { page_size: most }, kinds: ['alert'] })
  if (list.rows === undefined) return null
  return (
    <section>
      <Title order={3} size="sm" mb={4}>
        {t('phones.alerts')}
      </Title>
      {list.rows.length === 0 ? (
        <Text c="dimmed">{t('phones.noAlerts')}</Text>
      ) : (
        <ul className={classes.messages}>
          {list.rows.slice(0, most).map((message) => (
            <li key={message.id}>
              <span>
                {message.amount === null ? (
                  t(message.state === 'hidden' ? 'unmatched.state.hidden' : 'unmatched.notRead')
                ) : (
                  <Money amount={message.amount} currency={message.currency ?? usualCurrency} strong />
                )}
              </span>
              <span className={classes.state}>{t(`unmatched.state.${message.state}`)}</span>
              <When at={message.received_at} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
