/** The user's passkeys: added in this browser, named, renamed and removed. The first brings recovery codes, which are shown once. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../../api/call.ts'
import { hasPasskeys, makePasskey, PasskeyNotUsed } from '../../../api/passkey.ts'
import { useApi, useApiMutation } from '../../../api/use-api.ts'
import { bindText } from '../../../parts/form/bind.ts'
import { Confirm } from '../../../parts/form/confirm.tsx'
import { FormModal } from '../../../parts/form/form-modal.tsx'
import { NameModal } from '../../../parts/form/name-modal.tsx'
import { fieldProblem, Problem } from '../../../parts/form/problem.tsx'
import { useNow } from '../../../parts/format/clock.ts'
import { Quiet } from '../../../parts/format/quiet.tsx'
import { Loading } from '../../../parts/page/page.tsx'
import { Section } from '../../../parts/page/section.tsx'
import { relativeTime } from '../../../words/format.ts'
import { useWords } from '../../../words/language.ts'
import { settingsWords } from '../../../words/screens/settings.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

type Passkey = Answer<'listPasskeys'>[number]

export const Passkeys = () => {
  const { t, language } = useWords(settingsWords)
  const now = useNow()
  const passkeys = useApi('listPasskeys', { kinds: ['user', 'session'] })
  const rename = useApiMutation('renamePasskey', ['user'])
  const remove = useApiMutation('removePasskey', ['user', 'session'])
  const [adding, setAdding] = useState(false)
  const [renaming, setRenaming] = useState<Passkey>()
  const [removing, setRemoving] = useState<Passkey>()
  const [codes, setCodes] = useState<readonly string[]>()
  return (
    <Section title={t('passkeys.title')} lead={t('passkeys.lead')}>
      {passkeys.isError && <Problem problem={passkeys.error} retry={() => void passkeys.refetch()} />}
      {passkeys.isPending && <Loading rows={1} />}
      <Stack gap="sm">
        {passkeys.data?.map((passkey) => (
          <Group key={passkey.id} justify="space-between">
            <Stack gap={0}>
              <Text fw={600} dir="auto">
                {passkey.name}
              </Text>
              <Quiet>
                {passkey.last_used_at === null
                  ? t('passkeys.neverUsed')
                  : t('passkeys.used', { when: relativeTime(passkey.last_used_at, now, language) })}
              </Quiet>
            </Stack>
            <Group gap="xs">
              <Button
                variant="default"
                aria-label={`${t('part.rename')}: ${passkey.name}`}
                onClick={() => setRenaming(passkey)}
              >
                {t('part.rename')}
              </Button>
              <Button
                variant="subtle"
                color="red"
                aria-label={`${t('act.delete')}: ${passkey.name}`}
                onClick={() => setRemoving(passkey)}
              >
                {t('act.delete')}
              </Button>
            </Group>
          </Group>
        ))}
        {passkeys.data?.length === 0 && <Text>{t('passkeys.none')}</Text>}
        {hasPasskeys() ? (
          <Group>
            <Button onClick={() => setAdding(true)}>{t('passkeys.add')}</Button>
          </Group>
        ) : (
          <Text c="dimmed">{t('passkeys.notHere')}</Text>
        )}
      </Stack>
      {adding && (
        <AddPasskey
          close={() => setAdding(false)}
          onSuccess={({ recovery_codes }) => {
            setAdding(false)
            setCodes(recovery_codes ?? undefined)
          }}
        />
      )}
      {renaming !== undefined && (
        <NameModal
          title={t('part.rename')}
          submitLabel={t('part.rename')}
          label={t('field.name')}
          currentName={renaming.name}
          call={rename}
          send={(name) =>
            rename.mutate({ path: { id: renaming.id }, body: { name } }, { onSuccess: () => setRenaming(undefined) })
          }
          close={() => setRenaming(undefined)}
        />
      )}
      {removing !== undefined && (
        <Confirm
          title={t('passkeys.removeTitle')}
          submitLabel={t('act.delete')}
          danger
          call={remove}
          yes={() => remove.mutate({ path: { id: removing.id } }, { onSuccess: () => setRemoving(undefined) })}
          no={() => setRemoving(undefined)}
        >
          <Text>{t('passkeys.removeLead', { name: removing.name })}</Text>
        </Confirm>
      )}
      {codes !== undefined && <RecoveryCodes codes={codes} close={() => setCodes(undefined)} />}
    </Section>
  )
}

const AddPasskey = (props: { close: () => void; onSuccess: (answer: Answer<'addPasskey'>) => void }) => {
  const { t } = useWords(settingsWords)
  const add = useApiMutation('addPasskey', ['user', 'session'])
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Error | null>(null)
  const send = async (): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      props.onSuccess(await add.mutateAsync({ body: { name, passkey: await makePasskey() } }))
    } catch (fault) {
      setProblem(fault as Error)
      setBusy(false)
    }
  }
  const notMade = problem instanceof PasskeyNotUsed
  return (
    <FormModal
      title={t('passkeys.add')}
      submitLabel={t('passkeys.add')}
      ready={name.trim() !== ''}
      call={{ isPending: busy, error: notMade ? null : problem }}
      fields={['name']}
      send={() => void send()}
      close={props.close}
    >
      <Text>{t('passkeys.addLead')}</Text>
      {notMade && (
        <Text c="red" role="alert">
          {t('passkeys.notMade')}
        </Text>
      )}
      <TextInput
        label={t('field.name')}
        description={t('passkeys.nameLead')}
        name="name"
        required
        maxLength={100}
        data-autofocus
        {...bindText(name, setName)}
        error={fieldProblem(problem, 'name', t)}
      />
    </FormModal>
  )
}
