/** What does not work on a phone, as its app reports it, and what to do about it. */
import { Alert, List } from '@mantine/core'
import { useWords } from '../../words/language.ts'
import { phoneHealthWords } from '../../words/screens/phone-health.ts'
import type { Phone } from './phone.ts'

/** The codes that have a text. */
const known = [
  'sms_missing',
  'sms_refused',
  'sms_silent',
  'sms_unreadable',
  'notifications_missing',
  'notifications_refused',
  'notifications_silent',
  'notifications_unreadable',
  'notifications_missed',
  'queue_full',
  'reports_refused',
] as const
type KnownProblem = (typeof known)[number]
const isKnown = (code: string): code is KnownProblem => (known as readonly string[]).includes(code)

/** The inbox changed while it was read: it is read again within a minute. */
const temporary = 'sms_changing'

export const PhoneProblems = ({ phone }: { phone: Phone }) => {
  const { t } = useWords(phoneHealthWords)
  const codes = phone.health.problems.filter((code) => code !== temporary)
  if (codes.length === 0) return null
  return (
    <Alert color="yellow" title={t('phoneProblem.title')} role="status">
      <List spacing={4} listStyleType={codes.length === 1 ? 'none' : 'disc'}>
        {codes.map((code) => (
          <List.Item key={code}>
            {isKnown(code) ? t(`phoneProblem.${code}`) : t('phoneProblem.other', { code })}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
