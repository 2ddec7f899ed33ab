/** The button that opens the user menu. */
import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'
import { useMe } from './session-context.ts'

type Props = ActionIconProps & Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps>

export const UserButton = (props: Props) => {
  const { me } = useMe()
  return (
    <ActionIcon variant="default" size={36} radius={18} aria-label={me.user.name || me.user.email} {...props}>
      <IconUser size={18} aria-hidden />
    </ActionIcon>
  )
}
