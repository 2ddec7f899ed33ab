/** The layout of a page without a session: centred content and the language switch. */
import { Center, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { LanguageSwitch } from '../../frame/language-switch.tsx'
import { Logo } from '../../frame/logo.tsx'

export const SignedOutPage = ({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) => {
  useEffect(() => {
    document.title = `${title} · Sanad`
  }, [title])
  return (
    <Center mih="100vh" p="md">
      <main>
        <Stack w={360} maw="calc(100vw - 32px)" gap="md">
          <Stack gap={4}>
            <Logo size={40} />
            <Title order={1}>{title}</Title>
            {lead !== undefined && <Text c="dimmed">{lead}</Text>}
          </Stack>
          {children}
          <LanguageSwitch />
        </Stack>
      </main>
    </Center>
  )
}
