/**
 * Memberships that wait for an owner: the address was proved after the user had joined, so the role was given to somebody who may
 * not own it. One touch confirms or declines.
 */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useApi, useApiMutation } from '../../../api/use-api.ts'
import { useMe } from '../../../frame/session-context.ts'
import { Problem } from '../../../parts/form/problem.tsx'
import { When } from '../../../parts/format/figures.tsx'
import { Quiet } from '../../../parts/format/quiet.tsx'
import { Section } from '../../../parts/page/section.tsx'
import { useWords } from '../../../words/language.ts'
import { settingsWords } from '../../../words/screens/settings.ts'

export const MemberRequests = () => {
  const { t } = useWords(settingsWords)
  const { may } = useMe()
  const members = useApi('listMembers', { kinds: ['member', 'user'] })
  const confirm = useApiMutation('confirmMember', ['member', 'notice'])
  const decline = useApiMutation('removeMember', ['member', 'invitation', 'notice'])
  const requests = members.data?.filter(({ request_since }) => request_since !== null) ?? []
  if (requests.length === 0) return null
  const problem = confirm.error ?? decline.error
  const isBusy = confirm.isPending || decline.isPending
  return (
    <Section title={t('members.requests')} lead={t('members.requestsLead')}>
      {problem !== null && <Problem problem={problem} />}
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {requests.map(({ id, email, name, role, request_since }) => (
          <Group component="li" key={id} justify="space-between" gap="sm">
            <Stack gap={0} flex={1} miw={200}>
              <Text>
                <bdi>{name || email}</bdi>
              </Text>
              <Quiet>
                {name !== '' && (
                  <>
                    <bdi>{email}</bdi> ·{' '}
                  </>
                )}
                {t(`role.${role}`)} · <When at={request_since!} />
              </Quiet>
            </Stack>
            {may('members.write') && (
              <Group gap={4}>
                <Button
                  size="compact-md"
                  disabled={isBusy}
                  aria-label={`${t('act.confirm')}: ${email}`}
                  onClick={() => confirm.mutate({ path: { id } })}
                >
                  {t('act.confirm')}
                </Button>
                <Button
                  variant="subtle"
                  color="red"
                  size="compact-md"
                  disabled={isBusy}
                  aria-label={`${t('act.decline')}: ${email}`}
                  onClick={() => decline.mutate({ path: { id } })}
                >
                  {t('act.decline')}
                </Button>
              </Group>
            )}
          </Group>
        ))}
      </Stack>
    </Section>
  )
}
