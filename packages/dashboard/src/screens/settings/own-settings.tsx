/** The user's own settings, for every role: name, address, password, second factor, notifications, sessions, accounts. */
import { Stack } from '@mantine/core'
import { useMe } from '../../frame/session-context.ts'
import { Passkeys } from './factor/passkeys.tsx'
import { SecondFactor } from './factor/second-factor.tsx'
import { Notifications } from './notifications/notifications.tsx'
import { OwnAccounts } from './own-accounts.tsx'
import { OwnAddress } from './own-address.tsx'
import { OwnName } from './own-name.tsx'
import { OwnPassword } from './own-password.tsx'
import { OwnSessions } from './own-sessions.tsx'

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
