/** Invitations: sent by mail, or, where no mail is set up, by a link that the operator prints. */
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApi, useApiMutation } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { fieldProblem, Problem } from '../../parts/form/problem.tsx'
import { Code, When } from '../../parts/format/figures.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { Loading } from '../../parts/page/page.tsx'
import { Section } from '../../parts/page/section.tsx'
import { dayName } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { settingsWords } from '../../words/screens/settings.ts'
import { type Role, RoleChoice } from './role-choice.tsx'

type Invitation = Answer<'listInvitations'>[number]

export const Invitations = () => {
  const { t, language } = useWords(settingsWords)
  const { me, zone, may } = useMe()
  const invitations = useApi('listInvitations', { kinds: ['invitation', 'member'] })
  const resend = useApiMutation('resendInvitation', ['invitation'])
  const [inviting, setInviting] = useState(false)
  const [withdrawing, setWithdrawing] = useState<Invitation | undefined>(undefined)
  const columns: Column<Invitation>[] = [
    { head: t('members.invited'), cell: ({ email }) => <bdi>{email}</bdi> },
    { head: t('members.role'), cell: ({ role }) => t(`role.${role}`) },
    {
      head: t('members.state'),
      cell: ({ state, expires_at }) =>
        state === 'expired' ? t('members.expired') : t('members.open', { when: dayName(expires_at, language, zone) }),
    },
    { head: t('members.invitedBy'), cell: ({ invited_by }) => <bdi>{invited_by || t('members.operator')}</bdi> },
    { head: t('members.since'), cell: ({ created_at }) => <When at={created_at} />, wideOnly: true },
    {
      head: t('part.actions'),
      quiet: true,
      end: true,
      blank: () => !may('members.write'),
      cell: (invitation) =>
        may('members.write') && (
          <Group gap={4} justify="flex-end">
            {invitation.mailed && (
              <Button
                variant="default"
                size="compact-sm"
                loading={resend.isPending && resend.variables.path?.id === invitation.id}
                onClick={() => resend.mutate({ path: { id: invitation.id } })}
              >
                {t(resend.data?.id === invitation.id ? 'members.resent' : 'members.resend')}
              </Button>
            )}
            <Button variant="subtle" color="red" size="compact-sm" onClick={() => setWithdrawing(invitation)}>
              {t('members.withdraw')}
            </Button>
          </Group>
        ),
    },
  ]
  const unmailed = invitations.data?.find(({ mailed }) => !mailed)
  return (
    <Section
      title={t('members.invitations')}
      actions={
        may('members.write') && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
            {t('members.invite')}
          </Button>
        )
      }
    >
      {invitations.isError && <Problem problem={invitations.error} retry={() => void invitations.refetch()} />}
      {resend.error !== null && <Problem problem={resend.error} />}
      {invitations.isPending && <Loading rows={2} />}
      {invitations.data?.length === 0 && <Text c="dimmed">{t('members.noInvitations')}</Text>}
      {unmailed !== undefined && (
        <Alert color="yellow">
          <Stack gap="xs">
            <Text>{t('members.noMail')}</Text>
            <Code>{`npx sanad member invite --account ${me.account?.id ?? ''} --email ${unmailed.email}`}</Code>
          </Stack>
        </Alert>
      )}
      {invitations.data !== undefined && invitations.data.length > 0 && (
        <Rows label={t('members.invitations')} rows={invitations.data} columns={columns} keyOf={({ id }) => id} />
      )}
      {inviting && <Invite done={() => setInviting(false)} />}
      {withdrawing !== undefined && <Withdraw of={withdrawing} done={() => setWithdrawing(undefined)} />}
    </Section>
  )
}

const Invite = ({ done }: { done: () => void }) => {
  const { t } = useWords(settingsWords)
  const invite = useApiMutation('createInvitation', ['invitation'])
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('cashier')
  return (
    <FormModal
      title={t('members.inviteTitle')}
      go={t('members.invite')}
      busy={invite.isPending}
      problem={invite.error}
      fields={['email']}
      send={() => invite.mutate({ body: { email, role } }, { onSuccess: done })}
      done={done}
    >
      <TextInput
        label={t('members.email')}
        type="email"
        name="invited"
        dir="ltr"
        required
        maxLength={254}
        data-autofocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={fieldProblem(invite.error, 'email', t)}
      />
      <RoleChoice value={role} choose={setRole} />
    </FormModal>
  )
}

const Withdraw = ({ of, done }: { of: Invitation; done: () => void }) => {
  const { t } = useWords(settingsWords)
  const withdraw = useApiMutation('withdrawInvitation', ['invitation'])
  return (
    <Confirm
      title={t('members.withdrawTitle', { email: of.email })}
      go={t('members.withdraw')}
      danger
      busy={withdraw.isPending}
      problem={withdraw.error}
      no={done}
      yes={() => withdraw.mutate({ path: { id: of.id } }, { onSuccess: done })}
    >
      <Text>{t('members.withdrawSure')}</Text>
    </Confirm>
  )
}
