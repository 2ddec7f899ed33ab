/** The devices of a member that get notifications, with a button to remove each. */
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../../api/call.ts'
import { forgetPush } from '../../../api/push-subscription.ts'
import { useApiMutation } from '../../../api/use-api.ts'
import { Confirm } from '../../../parts/form/confirm.tsx'
import { When } from '../../../parts/format/figures.tsx'
import { type Column, Rows } from '../../../parts/list/rows.tsx'
import { useWords } from '../../../words/language.ts'
import { notificationsWords } from '../../../words/notifications.ts'
import { settingsWords } from '../../../words/screens/settings.ts'

type Device = Answer<'showNotifications'>['devices'][number]

export const NotificationDevices = ({ devices, own }: { devices: readonly Device[]; own: string | undefined }) => {
  const { t } = useWords(notificationsWords, settingsWords)
  const remove = useApiMutation('removeDevice', ['user'])
  const [removing, setRemoving] = useState<Device | undefined>(undefined)
  const close = (): void => {
    remove.reset()
    setRemoving(undefined)
  }
  const nameOf = ({ browser, system }: Device): string => {
    if (browser !== '' && system !== '') return t('you.sessionOf', { browser, system })
    return browser || system || t('you.sessionUnknown')
  }
  const columns: Column<Device>[] = [
    {
      head: t('push.device'),
      cell: (device) => (
        <Group gap="xs">
          <span>{nameOf(device)}</span>
          {device.id === own && <Badge variant="light">{t('push.deviceThis')}</Badge>}
        </Group>
      ),
    },
    { head: t('field.since'), cell: ({ created_at }) => <When at={created_at} /> },
    {
      head: t('push.deviceSent'),
      cell: ({ last_sent_at }) => (last_sent_at === null ? t('push.deviceNever') : <When at={last_sent_at} />),
    },
    {
      head: t('part.actions'),
      quiet: true,
      end: true,
      cell: (device) => (
        <Button variant="default" size="compact-sm" onClick={() => setRemoving(device)}>
          {t('act.remove')}
        </Button>
      ),
    },
  ]
  return (
    <Stack gap="xs">
      <Title order={3} fz={14}>
        {t('push.devices')}
      </Title>
      {devices.length === 0 ? (
        <Text c="dimmed">{t('push.deviceNone')}</Text>
      ) : (
        <Rows label={t('push.devices')} rows={[...devices]} columns={columns} keyOf={({ id }) => id} />
      )}
      {removing !== undefined && (
        <Confirm
          title={t('act.remove')}
          submitLabel={t('act.remove')}
          danger
          call={remove}
          no={close}
          yes={() =>
            remove.mutate(
              { path: { id: removing.id } },
              {
                onSuccess: () => {
                  if (removing.id === own) void forgetPush()
                  close()
                },
              },
            )
          }
        >
          <Text>{t('push.deviceRemoveSure', { device: nameOf(removing) })}</Text>
        </Confirm>
      )}
    </Stack>
  )
}
