/** Invitations: each is a link that the inviting member passes on. If mail is set up, it is also sent by mail. */

import { Button, Group, Text, TextInput } from '@mantine/core'
import type { MemberRole } from '@sanad/contract/kinds'
import { useState } from 'react'
import type { Answer } from '../../../api/call.ts'
import { useApi, useApiMutation } from '../../../api/use-api.ts'
import { useMe } from '../../../frame/session-context.ts'
import { AddButton } from '../../../parts/form/add-button.tsx'
import { bindText } from '../../../parts/form/bind.ts'
import { Confirm } from '../../../parts/form/confirm.tsx'
import { FormModal } from '../../../parts/form/form-modal.tsx'
import { fieldProblem, Problem } from '../../../parts/form/problem.tsx'
import { When } from '../../../parts/format/figures.tsx'
import { type Column, Rows } from '../../../parts/list/rows.tsx'
import { Empty, Loading } from '../../../parts/page/page.tsx'
import { Section } from '../../../parts/page/section.tsx'
import { dayName } from '../../../words/format.ts'
import { useWords } from '../../../words/language.ts'
import { settingsWords } from '../../../words/screens/settings.ts'
import { InvitationLink } from './invitation-link.tsx'
import { RoleChoice } from './role-choice.tsx'
import { type GivenWallets, WalletLimit } from './wallet-limit.tsx'

type Invitation = Answer<'listInvitations'>[number]

export const Invitations = () => {
  const { t, language } = useWords(settingsWords)
  const { zone, may } = useMe()
  const invitations = useApi('listInvitations', { kinds: ['invitation', 'member'] })
  const resend = useApiMutation('resendInvitation', ['invitation'])
  const [inviting, setInviting] = useState(false)
  const [created, setCreated] = useState<Answer<'createInvitation'> | undefined>(undefined)
  const [withdrawing, setWithdrawing] = useState<Invitation | undefined>(undefined)
  const columns: Column<Invitation>[] = [
    { head: t('members.invited'), cell: ({ email }) => <bdi>{email}</bdi> },
    { head: t('members.role'), cell: ({ role }) => t(`role.${role}`) },
    {
      head: t('frame.wallets'),
      cell: ({ wallets }) =>
        wallets === null ? t('field.allWallets') : t('members.walletsMark', { count: wallets.length }),
    },
    {
      head: t('field.link'),
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
            <Button
              variant="default"
              size="compact-sm"
              loading={resend.isPending && resend.variables.path?.id === invitation.id}
              onClick={() => resend.mutate({ path: { id: invitation.id } }, { onSuccess: setCreated })}
            >
              {t('members.resend')}
            </Button>
            <Button variant="subtle" color="red" size="compact-sm" onClick={() => setWithdrawing(invitation)}>
              {t('members.withdraw')}
            </Button>
          </Group>
        ),
    },
  ]
  const invite = may('members.write') && <AddButton label={t('members.invite')} onClick={() => setInviting(true)} />
  const isEmpty = invitations.data?.length === 0
  return (
    <Section title={t('members.invitations')} actions={!isEmpty && invite}>
      {invitations.isError && <Problem problem={invitations.error} retry={() => void invitations.refetch()} />}
      {resend.error !== null && <Problem problem={resend.error} />}
      {invitations.isPending && <Loading rows={2} />}
      {isEmpty && <Empty action={invite}>{t('members.noInvitations')}</Empty>}
      {invitations.data !== undefined && invitations.data.length > 0 && (
        <Rows label={t('members.invitations')} rows={invitations.data} columns={columns} keyOf={({ id }) => id} />
      )}
      {inviting && (
        <Invite
          onSuccess={(invitation) => {
            setInviting(false)
            setCreated(invitation)
          }}
          close={() => setInviting(false)}
        />
      )}
      {created !== undefined && <InvitationLink invitation={created} close={() => setCreated(undefined)} />}
      {withdrawing !== undefined && <Withdraw invitation={withdrawing} close={() => setWithdrawing(undefined)} />}
    </Section>
  )
}

const Invite = ({
  onSuccess,
  close,
}: {
  onSuccess: (invitation: Answer<'createInvitation'>) => void
  close: () => void
}) => {
  const { t } = useWords(settingsWords)
  const invite = useApiMutation('createInvitation', ['invitation'])
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<MemberRole>('cashier')
  const [wallets, setWallets] = useState<GivenWallets>(null)
  return (
    <FormModal
      title={t('members.invite')}
      submitLabel={t('members.invite')}
      call={invite}
      fields={['email', 'wallets']}
      send={() => invite.mutate({ body: { email, role, wallets: role === 'owner' ? null : wallets } }, { onSuccess })}
      close={close}
    >
      <TextInput
        label={t('field.email')}
        type="email"
        name="invited"
        dir="ltr"
        required
        maxLength={254}
        data-autofocus
        {...bindText(email, setEmail)}
        error={fieldProblem(invite.error, 'email', t)}
      />
      <RoleChoice value={role} choose={setRole} />
      <WalletLimit role={role} value={wallets} choose={setWallets} error={fieldProblem(invite.error, 'wallets', t)} />
    </FormModal>
  )
}

const Withdraw = ({ invitation, close }: { invitation: Invitation; close: () => void }) => {
  const { t } = useWords(settingsWords)
  const withdraw = useApiMutation('withdrawInvitation', ['invitation'])
  return (
    <Confirm
      title={t('members.withdrawTitle', { email: invitation.email })}
      submitLabel={t('members.withdraw')}
      danger
      call={withdraw}
      no={close}
      yes={() => withdraw.mutate({ path: { id: invitation.id } }, { onSuccess: close })}
    >
      <Text>{t('members.withdrawSure')}</Text>
    </Confirm>
  )
}
