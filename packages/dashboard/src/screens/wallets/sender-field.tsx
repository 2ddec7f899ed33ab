/** The sender of a wallet's messages: typed, or chosen from those of the provider and those that the phone received. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { firstPage } from '@sanad/contract/dashboard/first-queries'
import { useApi } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { bindText } from '../../parts/form/bind.ts'
import { useWords } from '../../words/language.ts'
import { walletsWords } from '../../words/screens/wallets.ts'
import { senderChoices, similarSender } from './sender-choice.ts'

type Props = {
  readonly value: string
  readonly change: (sender: string) => void
  /** The senders of the chosen provider. */
  readonly known: readonly string[]
  /** The phone whose received senders are offered. */
  readonly phone: string | null
  readonly disabled: boolean
  readonly error: string | undefined
}

export const SenderField = ({ value, change, known, phone, disabled, error }: Props) => {
  const { t } = useWords(walletsWords)
  const received = useReceivedSenders(disabled ? null : phone)
  const choices = senderChoices(known, received).filter((sender) => sender !== value)
  const similar = similarSender(value, [...known, ...received])
  return (
    <Stack gap={6}>
      <TextInput
        label={t('wallets.sender')}
        description={t('wallets.senderLead')}
        maxLength={64}
        dir="ltr"
        disabled={disabled}
        {...bindText(value, change)}
        error={error}
      />
      {similar !== undefined && (
        <Text size="sm" role="status" style={{ color: 'var(--sanad-pending)' }}>
          {t('wallets.senderMeant', { sender: similar })}
        </Text>
      )}
      {!disabled && choices.length > 0 && (
        <Group gap={6} role="group" aria-label={t('wallets.senderChoices')}>
          <Text size="sm" c="dimmed" aria-hidden>
            {t('wallets.senderChoices')}
          </Text>
          {choices.map((sender) => (
            <Button key={sender} variant="default" size="compact-sm" onClick={() => change(sender)}>
              <bdi>{sender}</bdi>
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  )
}

/** The senders of the phone's last messages, without hidden messages. */
const useReceivedSenders = (phone: string | null): string[] => {
  const { may } = useMe()
  const alerts = useApi('listPhoneAlerts', {
    path: { id: phone ?? '' },
    query: firstPage.phoneAlerts,
    kinds: ['alert'],
    when: phone !== null && may('phones.read'),
  })
  const rows = phone === null ? [] : (alerts.data?.results ?? [])
  return [...new Set(rows.filter(({ state }) => state !== 'hidden').map(({ sender }) => sender))]
}
