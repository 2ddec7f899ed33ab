/**
 * The only page of a user who must have a second factor and has none: set one up, act for another account, leave, or sign out. It stays
 * until the user goes on, because the recovery codes are shown once.
 */
import { Alert, Button, Group, Stack, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useApiMutation } from '../../../api/use-api.ts'
import { LanguageSwitch } from '../../../frame/language-switch.tsx'
import { Logo } from '../../../frame/logo.tsx'
import { useMe } from '../../../frame/session-context.ts'
import { useWords } from '../../../words/language.ts'
import { settingsWords } from '../../../words/screens/settings.ts'
import { OwnAccounts } from '../own-accounts.tsx'
import { Passkeys } from './passkeys.tsx'
import { SecondFactor } from './second-factor.tsx'

const FactorGate = ({ goOn }: { goOn: () => void }) => {
  const { t } = useWords(settingsWords)
  const { me } = useMe()
  const title = t('frame.factorSetUp')
  useEffect(() => {
    document.title = `${title} · Sanad`
  }, [title])
  return (
    <main id="content">
      <Stack maw={720} mx="auto" p="md" gap="md">
        <Group justify="space-between">
          <Logo size={40} />
          <LanguageSwitch />
        </Group>
        <Title order={1}>{title}</Title>
        {me.user.second_factor ? (
          <Alert color="green" role="status">
            <Stack gap="sm" align="flex-start">
              {t('gate.done')}
              <Button onClick={goOn}>{t('gate.goOn')}</Button>
            </Stack>
          </Alert>
        ) : (
          <Alert color="yellow">
            {me.second_factor_due === null ? t('gate.operator') : t('gate.account', { name: me.account?.name ?? '' })}
          </Alert>
        )}
        <SecondFactor />
        <Passkeys />
        {!me.user.second_factor && <OtherWays />}
      </Stack>
    </main>
  )
}

/** What else is possible without a second factor. */
const OtherWays = () => {
  const { t } = useWords(settingsWords)
  const { me } = useMe()
  const client = useQueryClient()
  const signOut = useApiMutation('signOut', [])
  const switchAccount = useApiMutation('switchAccount', [])
  return (
    <>
      <OwnAccounts />
      <Group gap="xs">
        {me.accounts
          .filter(({ id }) => id !== me.account?.id)
          .map(({ id, name }) => (
            <Button
              key={id}
              variant="default"
              onClick={() =>
                switchAccount.mutate({ body: { account: id } }, { onSuccess: () => void client.resetQueries() })
              }
            >
              {t('gate.switch', { name })}
            </Button>
          ))}
        <Button
          variant="default"
          onClick={() => signOut.mutate({}, { onSettled: () => void client.resetQueries({ queryKey: ['showMe'] }) })}
        >
          {t('frame.signOut')}
        </Button>
      </Group>
    </>
  )
}

export default FactorGate
