/**
 * The members of the account: their role can be changed, and they can be removed. A member whose address is not proved is marked,
 * and can be sent a link that proves it.
 */
import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../../api/call.ts'
import { useApi, useApiMutation } from '../../../api/use-api.ts'
import { useMe } from '../../../frame/session-context.ts'
import { Confirm } from '../../../parts/form/confirm.tsx'
import { FormModal } from '../../../parts/form/form-modal.tsx'
import { fieldProblem, Problem } from '../../../parts/form/problem.tsx'
import { When } from '../../../parts/format/figures.tsx'
import { type Column, Rows } from '../../../parts/list/rows.tsx'
import { Loading } from '../../../parts/page/page.tsx'
import { Section } from '../../../parts/page/section.tsx'
import { useWords } from '../../../words/language.ts'
import { settingsWords } from '../../../words/screens/settings.ts'
import { RoleChoice } from './role-choice.tsx'
import { WalletLimit } from './wallet-limit.tsx'

type Member = Answer<'listMembers'>[number]

/** The others wait for an owner (member-requests.tsx). */
const isMember = ({ request_since }: Member): boolean => request_since === null

const nameOf = ({ name, email }: Member): string => name || email

export const MemberList = () => {
  const { t } = useWords(settingsWords)
  const { me, may } = useMe()
  const prove = useApiMutation('mailMemberProof', [])
  const [mailed, setMailed] = useState<string | undefined>(undefined)
  const members = useApi('listMembers', { kinds: ['member', 'user'] })
  const [dialog, setDialog] = useState<{ action: 'role' | 'remove'; member: Member } | undefined>(undefined)
  const columns: Column<Member>[] = [
    {
      head: t('members.who'),
      cell: (member) => (
        <Stack gap={0} py={6}>
          <Group gap="xs">
            <bdi>{nameOf(member)}</bdi>
            {member.you && <Badge variant="light">{t('members.you')}</Badge>}
            {member.disabled && (
              <Badge variant="light" color="red">
                {t('members.disabled')}
              </Badge>
            )}
            {!member.address_proved && (
              <Badge variant="light" color="yellow">
                {t('members.unproved')}
              </Badge>
            )}
          </Group>
          {member.name !== '' && (
            <Text size="sm" c="dimmed" fw={400}>
              <bdi>{member.email}</bdi>
            </Text>
          )}
        </Stack>
      ),
    },
    { head: t('members.role'), cell: ({ role }) => t(`role.${role}`) },
    {
      head: t('members.wallets'),
      cell: ({ wallets }) =>
        wallets === null ? t('members.walletsAll') : t('members.walletsMark', { count: wallets.length }),
    },
    {
      head: t('members.factor'),
      cell: ({ second_factor }) => t(second_factor ? 'members.factorOn' : 'members.factorOff'),
    },
    {
      head: t('members.used'),
      cell: ({ last_used_at }) => (last_used_at === null ? t('members.never') : <When at={last_used_at} />),
    },
    { head: t('members.since'), cell: ({ since }) => <When at={since} />, wideOnly: true },
    {
      head: t('part.actions'),
      quiet: true,
      end: true,
      blank: () => !may('members.write'),
      cell: (member) =>
        may('members.write') && (
          <Group gap={4} justify="flex-end">
            {!member.address_proved && me.sends_mail && (
              <Button
                variant="default"
                size="compact-sm"
                loading={prove.isPending && prove.variables.path?.id === member.id}
                onClick={() => prove.mutate({ path: { id: member.id } }, { onSuccess: () => setMailed(member.email) })}
              >
                {t('members.prove')}
              </Button>
            )}
            <Button variant="default" size="compact-sm" onClick={() => setDialog({ action: 'role', member })}>
              {t('members.change')}
            </Button>
            {!member.you && (
              <Button
                variant="subtle"
                color="red"
                size="compact-sm"
                onClick={() => setDialog({ action: 'remove', member })}
              >
                {t('members.remove')}
              </Button>
            )}
          </Group>
        ),
    },
  ]
  const close = (): void => setDialog(undefined)
  return (
    <Section title={t('members.title')}>
      {members.isError && <Problem problem={members.error} retry={() => void members.refetch()} />}
      {members.isPending && <Loading rows={3} />}
      {prove.error !== null && <Problem problem={prove.error} />}
      {mailed !== undefined && prove.isSuccess && (
        <Alert color="green" role="status">
          {t('members.proveSent', { email: mailed })}
        </Alert>
      )}
      {members.data !== undefined && (
        <Rows
          label={t('members.title')}
          rows={members.data.filter(isMember)}
          columns={columns}
          keyOf={({ id }) => id}
        />
      )}
      {dialog?.action === 'role' && <ChangeRole member={dialog.member} close={close} />}
      {dialog?.action === 'remove' && <Remove member={dialog.member} close={close} />}
    </Section>
  )
}

const ChangeRole = ({ member, close }: { member: Member; close: () => void }) => {
  const { t } = useWords(settingsWords)
  const change = useApiMutation('changeMember', ['member', 'invitation'])
  const [role, setRole] = useState(member.role)
  const [wallets, setWallets] = useState(member.wallets)
  return (
    <FormModal
      title={t('members.changeTitle', { name: nameOf(member) })}
      submitLabel={t('members.change')}
      busy={change.isPending}
      problem={change.error}
      fields={['wallets']}
      send={() =>
        change.mutate(
          { path: { id: member.id }, body: { role, wallets: role === 'owner' ? null : wallets } },
          { onSuccess: close },
        )
      }
      close={close}
    >
      <RoleChoice value={role} choose={setRole} />
      <WalletLimit role={role} value={wallets} choose={setWallets} error={fieldProblem(change.error, 'wallets', t)} />
    </FormModal>
  )
}

const Remove = ({ member, close }: { member: Member; close: () => void }) => {
  const { t } = useWords(settingsWords)
  const remove = useApiMutation('removeMember', ['member', 'invitation'])
  return (
    <Confirm
      title={t('members.removeTitle', { name: nameOf(member) })}
      submitLabel={t('members.remove')}
      danger
      busy={remove.isPending}
      problem={remove.error}
      no={close}
      yes={() => remove.mutate({ path: { id: member.id } }, { onSuccess: close })}
    >
      <Text>{t('members.removeSure')}</Text>
    </Confirm>
  )
}
