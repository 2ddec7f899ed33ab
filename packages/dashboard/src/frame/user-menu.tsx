/**
 * The user menu: the account to act for, preferences, and sign-out. It is loaded on the first click on its button, and then
 * opens itself.
 */
import { Box, Menu, Text } from '@mantine/core'
import { IconCheck, IconLanguage, IconLogout } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useApiMutation } from '../api/use-api.ts'
import { setLanguage, useWords } from '../words/language.ts'
import { Switches } from './preferences-switches.tsx'
import { endPush } from './push-agreement.ts'
import { useMe } from './session-context.ts'
import { UserButton } from './user-button.tsx'

const UserMenu = () => {
  const { t, language } = useWords()
  const { me } = useMe()
  const client = useQueryClient()
  const signOut = useApiMutation('signOut', [])
  const switchAccount = useApiMutation('switchAccount', [])
  const other = language === 'ar' ? 'en' : 'ar'
  const [opened, setOpened] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  // It replaces the button that was clicked: the focus moves to its own button.
  useEffect(() => {
    target.current?.focus()
    setOpened(true)
  }, [])
  return (
    <Menu position="bottom-end" width={280} shadow="md" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <UserButton ref={target} />
      </Menu.Target>
      <Menu.Dropdown>
        <Box px="sm" py={8}>
          <Text fw={600} truncate dir="auto" className="named">
            {me.user.name || me.user.email}
          </Text>
          <Text size="sm" c="dimmed" truncate dir="ltr" className="named">
            {me.user.email}
          </Text>
        </Box>
        {me.accounts.length > 1 && (
          <>
            <Menu.Divider />
            <Menu.Label>{t('frame.account')}</Menu.Label>
            {me.accounts.map(({ id, name, role }) => (
              <Menu.Item
                key={id}
                leftSection={
                  id === me.account?.id ? <IconCheck size={16} aria-hidden /> : <span style={{ width: 16 }} />
                }
                onClick={() =>
                  switchAccount.mutate({ body: { account: id } }, { onSuccess: () => void client.resetQueries() })
                }
              >
                <bdi>{name}</bdi> · {t(`role.${role}`)}
              </Menu.Item>
            ))}
          </>
        )}
        <Menu.Divider />
        <Box px="sm" py={8}>
          <Switches />
        </Box>
        <Menu.Divider />
        <Menu.Item lang={other} leftSection={<IconLanguage size={16} aria-hidden />} onClick={() => setLanguage(other)}>
          {t('frame.language')}
        </Menu.Item>
        <Menu.Item
          leftSection={
            <span className="mirrored">
              <IconLogout size={16} aria-hidden />
            </span>
          }
          onClick={() => {
            endPush()
            signOut.mutate({}, { onSettled: () => void client.resetQueries({ queryKey: ['showMe'] }) })
          }}
        >
          {t('frame.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

export default UserMenu
