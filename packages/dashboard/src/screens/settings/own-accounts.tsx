/** The accounts of the user, and those that have not confirmed them yet, with a button to leave each. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Section } from '../../parts/page/section.tsx'
import { useWords } from '../../words/language.ts'
import { settingsWords } from '../../words/screens/settings.ts'

export const OwnAccounts = () => {
  const { t } = useWords(settingsWords)
  const { me } = useMe()
  const client = useQueryClient()
  const leave = useApiMutation('leaveAccount', [])
  const [leaving, setLeaving] = useState<{ id: string; name: string } | undefined>(undefined)
  const close = (): void => {
    leave.reset()
    setLeaving(undefined)
  }
  const accounts = [
    ...me.accounts.map((account) => ({ ...account, waits: false })),
    ...me.requests.map((account) => ({ ...account, waits: true })),
  ]
  if (accounts.length === 0) return null
  return (
    <Section title={t('you.accounts')}>
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {accounts.map(({ id, name, role, waits }) => (
          <Group component="li" key={id} justify="space-between" wrap="nowrap">
            <span>
              <bdi>{name}</bdi> · {t(`role.${role}`)}
              {waits && ` · ${t('you.request')}`}
            </span>
            <Button
              variant="subtle"
              color="red"
              size="compact-sm"
              flex="none"
              aria-label={`${t('you.leave')}: ${name}`}
              onClick={() => setLeaving({ id, name })}
            >
              {t('you.leave')}
            </Button>
          </Group>
        ))}
      </Stack>
      {leaving !== undefined && (
        <Confirm
          title={t('you.leaveTitle', { name: leaving.name })}
          submitLabel={t('you.leave')}
          danger
          call={leave}
          no={close}
          // The page may show the account that was left: everything is fetched again.
          yes={() => leave.mutate({ body: { account: leaving.id } }, { onSuccess: () => void client.resetQueries() })}
        >
          <Text>{t('you.leaveSure')}</Text>
        </Confirm>
      )}
    </Section>
  )
}
