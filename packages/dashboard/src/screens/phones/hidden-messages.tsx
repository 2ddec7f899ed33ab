/** The hidden messages of a phone: one-time codes, masked, which the owner may reveal; messages of other senders as a count. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Modal } from '../../parts/form/lazy-overlays.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { Card } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { hiddenWords } from '../../words/screens/hidden.ts'

type PhoneAlert = Answer<'listPhoneAlerts'>['results'][number]
type ShownAlert = Pick<PhoneAlert, 'id' | 'text' | 'hidden' | 'revealable' | 'state'>

/** The text of a message, or the placeholder of a hidden one. */
export const MessageText = ({ alert }: { alert: ShownAlert }) => {
  const { t } = useWords(hiddenWords)
  const { may } = useMe()
  const [isRevealing, setRevealing] = useState(false)
  if (alert.hidden === '')
    return (
      <Text size="sm" lineClamp={2} maw={360} dir="auto">
        {alert.text}
      </Text>
    )
  const key = alert.state === 'duplicate' ? 'hidden.repeated' : alert.revealable ? 'hidden.code' : 'hidden.deleted'
  return (
    <Stack gap={4} maw={360} align="flex-start">
      <Quiet>{t(key)}</Quiet>
      {alert.text !== '' && (
        <Text size="sm" lineClamp={2} dir="auto">
          {alert.text}
        </Text>
      )}
      {alert.revealable && may('phones.secrets') && (
        <Button variant="default" size="compact-sm" onClick={() => setRevealing(true)}>
          {t('hidden.reveal')}
        </Button>
      )}
      {isRevealing && <Reveal id={alert.id} close={() => setRevealing(false)} />}
    </Stack>
  )
}

/** Asks for confirmation, because revealing is logged; then shows the message until it is closed. It is not stored. */
const Reveal = ({ id, close }: { id: string; close: () => void }) => {
  const { t } = useWords(hiddenWords)
  const reveal = useApiMutation('revealCode', ['alert'])
  if (reveal.data === undefined)
    return (
      <Confirm
        title={t('hidden.revealTitle')}
        submitLabel={t('hidden.reveal')}
        danger
        call={reveal}
        no={close}
        yes={() => reveal.mutate({ path: { id } })}
      >
        <Text>{t('hidden.revealSure')}</Text>
      </Confirm>
    )
  const { title, text } = reveal.data
  return (
    <Modal opened onClose={close} title={t('hidden.revealed')}>
      <Stack>
        {title !== '' && (
          <Text fw={600} dir="auto">
            {title}
          </Text>
        )}
        <Text dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
          {text}
        </Text>
        <Group justify="flex-end">
          <Button onClick={close}>{t('hidden.hide')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** Messages of senders that belong to no wallet and no provider. */
export const OtherMessages = ({ id }: { id: string }) => {
  const { t } = useWords(hiddenWords)
  const hidden = useApi('countHiddenMessages', { path: { id }, kinds: ['alert'] })
  if (hidden.data === undefined || hidden.data.other_messages === 0) return null
  const { other_messages: count, more } = hidden.data
  return (
    <Card>
      <Text>{more ? t('hidden.othersMore', { count }) : t('hidden.others', { count })}</Text>
      <Quiet>{t('hidden.othersLead')}</Quiet>
    </Card>
  )
}
