/** The user's own settings, for every role: name, address, password, second factor, notifications, sessions, accounts. */
import { Stack } from '@mantine/core'
import { useMe } from '../../frame/session-context.ts'
import { Notifications } from './notifications/notifications.tsx'
import { OwnAccounts } from './own-accounts.tsx'
import { OwnAddress } from './own-address.tsx'
import { OwnName } from './own-name.tsx'
import { OwnPassword } from './own-password.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { Passkeys } from './passkeys.tsx'
import { SecondFactor } from './second-factor.tsx'

export const OwnSettings = () => {
  const { may } = useMe()
  return (
    <Stack gap="md">
      <OwnName />
      <OwnAddress />
      <OwnPassword />
      <SecondFactor />
      <Passkeys />
      {may('notifications.own') && <Notifications />}
      <OwnSessions />
      <OwnAccounts />
    </Stack>
  )
}
