/** The section in which a user changes their own password. The current password is required. */
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { NewPasswordField, OldPassword } from '../../parts/form/password-fields.tsx'
import { Section } from '../../parts/page/section.tsx'
import { useWords } from '../../words/language.ts'
import { settingsWords } from '../../words/screens/settings.ts'
import { SavedNote } from './saved-note.tsx'

export const OwnPassword = () => {
  const { t } = useWords(settingsWords)
  const [changing, setChanging] = useState(false)
  const [changed, setChanged] = useState(false)
  const open = (): void => {
    setChanged(false)
    setChanging(true)
  }
  return (
    <Section
      title={t('field.password')}
      lead={t('you.passwordLead')}
      actions={
        <Button variant="default" onClick={open}>
          {t('you.passwordChange')}
        </Button>
      }
    >
      {changed && (
        <Group>
          <SavedNote when>{t('you.passwordChanged')}</SavedNote>
        </Group>
      )}
      {changing && (
        <ChangePassword
          changed={() => {
            setChanging(false)
            setChanged(true)
          }}
          close={() => setChanging(false)}
        />
      )}
    </Section>
  )
}

const ChangePassword = ({ changed, close }: { changed: () => void; close: () => void }) => {
  const { t } = useWords(settingsWords)
  const change = useApiMutation('changePassword', ['session', 'user'])
  const [old, setOld] = useState('')
  const [next, setNext] = useState('')
  return (
    <FormModal
      title={t('you.passwordChange')}
      submitLabel={t('you.passwordChange')}
      call={change}
      fields={['password', 'new_password']}
      send={() => change.mutate({ body: { password: old, new_password: next } }, { onSuccess: changed })}
      close={close}
    >
      <OldPassword value={old} set={setOld} problem={change.error} />
      <NewPasswordField value={next} set={setNext} problem={change.error} />
    </FormModal>
  )
}
