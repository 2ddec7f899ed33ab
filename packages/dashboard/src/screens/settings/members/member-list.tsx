/**
 * The members of the account: their role can be changed, and they can be removed. A member whose address is not proved is marked,
 * and can be sent a link that proves it. Cashiers without an address are added here; every member who takes money can have a PIN.
 */

import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../../api/call.ts'
import { useApi, useApiMutation } from '../../../api/use-api.ts'
import { useMe } from '../../../frame/session-context.ts'
import { AddButton } from '../../../parts/form/add-button.tsx'
import { Confirm } from '../../../parts/form/confirm.tsx'
import { FormModal } from '../../../parts/form/form-modal.tsx'
import { fieldProblem, Problem } from '../../../parts/form/problem.tsx'
import { currentTime } from '../../../parts/format/clock.ts'
import { When } from '../../../parts/format/figures.tsx'
import { type Column, Rows } from '../../../parts/list/rows.tsx'
import { Loading } from '../../../parts/page/page.tsx'
import { Section } from '../../../parts/page/section.tsx'
import { inDigits } from '../../../words/digits.ts'
import { useWords } from '../../../words/language.ts'
import { settingsWords } from '../../../words/screens/settings.ts'
import { cashierWords } from '../../../words/till.ts'
import { AddCashier, RenameCashier, SetPin } from '../cashiers/cashier-dialogs.tsx'
import { RoleChoice } from './role-choice.tsx'
import { WalletLimit } from './wallet-limit.tsx'

type Member = Answer<'listMembers'>[number]

/** The others wait for an owner (member-requests.tsx). */
const isMember = ({ request_since }: Member): boolean => request_since === null

const isPaused = ({ pin }: Member): boolean =>
  pin !== null && pin.paused_until !== null && Date.parse(pin.paused_until) > currentTime()

const nameOf = ({ name, email }: Member): string => name || email

export const MemberList = () => {
  const { t, language } = useWords(settingsWords, cashierWords)
  const { me, may } = useMe()
  const prove = useApiMutation('mailMemberProof', [])
  const [mailed, setMailed] = useState<string | undefined>(undefined)
  const members = useApi('listMembers', { kinds: ['member', 'user'] })
  const [dialog, setDialog] = useState<
    'add' | { action: 'role' | 'remove' | 'pin' | 'rename'; member: Member } | undefined
  >(undefined)
  const lift = useApiMutation('liftPinPause', ['member'])
  const takePin = useApiMutation('removePin', ['member', 'counter'])
  const columns: Column<Member>[] = [
    {
      head: t('field.member'),
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
            {member.counter_only && (
              <Badge variant="light" color="gray">
                {t('cashier.noAddress')}
              </Badge>
            )}
            {member.pin !== null && !member.counter_only && (
              <Badge variant="light" color="gray">
                {t('cashier.hasPin')}
              </Badge>
            )}
            {member.pin !== null && member.pin.wrong >= 5 && (
              <Badge variant="light" color="red">
                {t('cashier.wrong', { n: inDigits(String(member.pin.wrong), language) })}
              </Badge>
            )}
            {!member.address_proved && !member.counter_only && (
              <Badge variant="light" color="yellow">
                {t('members.unproved')}
              </Badge>
            )}
          </Group>
          {member.name !== '' && !member.counter_only && (
            <Text size="sm" c="dimmed" fw={400}>
              <bdi>{member.email}</bdi>
            </Text>
          )}
        </Stack>
      ),
    },
    { head: t('members.role'), cell: ({ role }) => t(`role.${role}`) },
    {
      head: t('frame.wallets'),
      cell: ({ wallets }) =>
        wallets === null ? t('field.allWallets') : t('members.walletsMark', { count: wallets.length }),
    },
    {
      head: t('field.factor'),
      cell: ({ second_factor, counter_only }) =>
        counter_only ? t('cashier.hasPin') : t(second_factor ? 'members.factorOn' : 'members.factorOff'),
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
            {!member.address_proved && !member.counter_only && me.sends_mail && (
              <Button
                variant="default"
                size="compact-sm"
                loading={prove.isPending && prove.variables.path?.id === member.id}
                onClick={() => prove.mutate({ path: { id: member.id } }, { onSuccess: () => setMailed(member.email) })}
              >
                {t('members.prove')}
              </Button>
            )}
            {isPaused(member) && (
              <Button variant="default" size="compact-sm" onClick={() => lift.mutate({ path: { id: member.id } })}>
                {t('tills.lift')}
              </Button>
            )}
            {member.role !== 'viewer' && (
              <Button variant="default" size="compact-sm" onClick={() => setDialog({ action: 'pin', member })}>
                {t(member.pin === null ? 'cashier.setPin' : 'cashier.newPin')}
              </Button>
            )}
            {member.pin !== null && !member.counter_only && (
              <Button variant="default" size="compact-sm" onClick={() => takePin.mutate({ path: { id: member.id } })}>
                {t('cashier.takePin')}
              </Button>
            )}
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => setDialog({ action: member.counter_only ? 'rename' : 'role', member })}
            >
              {t(member.counter_only ? 'part.rename' : 'members.change')}
            </Button>
            {!member.you && (
              <Button
                variant="subtle"
                color="red"
                size="compact-sm"
                onClick={() => setDialog({ action: 'remove', member })}
              >
                {t('act.remove')}
              </Button>
            )}
          </Group>
        ),
    },
  ]
  const close = (): void => setDialog(undefined)
  return (
    <Section
      title={t('settings.members')}
      actions={may('members.write') && <AddButton label={t('cashier.add')} onClick={() => setDialog('add')} />}
    >
      {members.isError && <Problem problem={members.error} retry={() => void members.refetch()} />}
      {members.isPending && <Loading rows={3} />}
      {prove.error !== null && <Problem problem={prove.error} />}
      {lift.error !== null && <Problem problem={lift.error} />}
      {takePin.error !== null && <Problem problem={takePin.error} />}
      {mailed !== undefined && prove.isSuccess && (
        <Alert color="green" role="status">
          {t('members.proveSent', { email: mailed })}
        </Alert>
      )}
      {members.data !== undefined && (
        <Rows
          label={t('settings.members')}
          rows={members.data.filter(isMember)}
          columns={columns}
          keyOf={({ id }) => id}
        />
      )}
      {dialog === 'add' && <AddCashier close={close} />}
      {typeof dialog === 'object' && <Dialog {...dialog} close={close} />}
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
      call={change}
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
      submitLabel={t('act.remove')}
      danger
      call={remove}
      no={close}
      yes={() => remove.mutate({ path: { id: member.id } }, { onSuccess: close })}
    >
      <Text>{t('members.removeSure')}</Text>
    </Confirm>
  )
}

const dialogs = { role: ChangeRole, remove: Remove, pin: SetPin, rename: RenameCashier } as const

const Dialog = ({ action, ...props }: { action: keyof typeof dialogs; member: Member; close: () => void }) => {
  const Shown = dialogs[action]
  return <Shown {...props} />
}
