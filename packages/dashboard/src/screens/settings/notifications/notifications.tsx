/** Notifications: this browser switched on by one touch, what the member is notified of, quiet hours, and their devices. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../../api/call.ts'
import { ProblemAnswer } from '../../../api/call.ts'
import { forgetPush, ownDevice, type PushAbility, pushAbility, switchPushOn } from '../../../api/push-subscription.ts'
import { useApi, useApiMutation } from '../../../api/use-api.ts'
import { useMe } from '../../../frame/session-context.ts'
import { Problem } from '../../../parts/form/problem.tsx'
import { Loading } from '../../../parts/page/page.tsx'
import { Section } from '../../../parts/page/section.tsx'
import { useWords } from '../../../words/language.ts'
import { notificationsWords } from '../../../words/notifications.ts'
import { SavedNote } from '../saved-note.tsx'
import { NotificationDevices } from './notification-devices.tsx'
import { NotificationWishes } from './notification-wishes.tsx'

type ShownNotifications = Answer<'showNotifications'>

export const Notifications = () => {
  const { t } = useWords(notificationsWords)
  const { me } = useMe()
  const shown = useApi('showNotifications', { kinds: ['user', 'session'] })
  const owner = { user: me.user.id, account: me.account?.id ?? '' }
  const own = ownDevice(owner)
  const device = shown.data?.devices.find(({ id }) => id === own)
  return (
    <Section title={t('push.title')} lead={t('push.lead')}>
      {shown.isError && <Problem problem={shown.error} retry={() => void shown.refetch()} />}
      {shown.isPending && <Loading rows={2} />}
      {shown.data !== undefined && (
        <Stack gap="lg">
          <ThisBrowser shown={shown.data} device={device?.id} refetch={shown.refetch} owner={owner} />
          <NotificationWishes key={`${shown.data.quiet_from} ${shown.data.quiet_until}`} shown={shown.data} />
          <NotificationDevices devices={shown.data.devices} own={device?.id} />
        </Stack>
      )}
    </Section>
  )
}

const ThisBrowser = ({
  shown,
  device,
  refetch,
  owner,
}: {
  shown: ShownNotifications
  /** The device of this browser; undefined: it is off. */
  device: string | undefined
  refetch: () => Promise<unknown>
  owner: { readonly user: string; readonly account: string }
}) => {
  const { t, language } = useWords(notificationsWords)
  const remove = useApiMutation('removeDevice', ['user'])
  const test = useApiMutation('testDevice', [])
  const [ability, setAbility] = useState<PushAbility>(pushAbility)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<ProblemAnswer | 'failed' | undefined>(undefined)
  const switchOn = async (): Promise<void> => {
    setBusy(true)
    setFault(undefined)
    try {
      setAbility(await switchPushOn(owner, shown.public_key, language))
      await refetch()
    } catch (error) {
      setFault(error instanceof ProblemAnswer ? error : 'failed')
    } finally {
      setBusy(false)
    }
  }
  const switchOff = (id: string): void =>
    remove.mutate({ path: { id } }, { onSuccess: () => void forgetPush().then(refetch) })
  if (ability !== 'able')
    return (
      <Alert color="yellow" variant="light">
        {t(`push.${ability}`)}
      </Alert>
    )
  return (
    <Stack gap="sm">
      {fault === 'failed' && (
        <Alert color="red" variant="light" role="alert">
          {t('push.failed')}
        </Alert>
      )}
      {fault instanceof ProblemAnswer && <Problem problem={fault} />}
      {remove.error !== null && <Problem problem={remove.error} />}
      {test.error !== null && <Problem problem={test.error} />}
      <Text fw={600} role="status">
        {t(device === undefined ? 'push.isOff' : 'push.isOn')}
      </Text>
      <Group gap="xs">
        {device === undefined ? (
          <Button loading={busy} onClick={() => void switchOn()}>
            {t('push.on')}
          </Button>
        ) : (
          <>
            <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ path: { id: device } })}>
              {t('push.test')}
            </Button>
            <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => switchOff(device)}>
              {t('push.off')}
            </Button>
            <SavedNote when={test.isSuccess}>{t('push.tested')}</SavedNote>
          </>
        )}
      </Group>
    </Stack>
  )
}
