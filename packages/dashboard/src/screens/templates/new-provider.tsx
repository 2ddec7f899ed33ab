/** A provider of one's own: only its name is needed. */
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { FormModal } from '../../parts/form-modal.tsx'
import { ColorInput } from '../../parts/later.tsx'
import { fieldProblem } from '../../parts/trouble.tsx'
import { useWords } from '../../words/language.ts'
import type { Provider } from './template.ts'

export const NewProvider = ({ made, done }: { made: (provider: Provider) => void; done: () => void }) => {
  const { t } = useWords()
  const create = useChange('createProvider', ['provider'])
  const [name, setName] = useState('')
  const [colour, setColour] = useState('#0F5C63')
  const wrong = (attr: string) => fieldProblem(create.error, attr, t)
  return (
    <FormModal
      title={t('templates.newProvider')}
      go={t('part.save')}
      busy={create.isPending}
      problem={create.error}
      fields={['name', 'theme_color']}
      send={() => create.mutate({ body: { name, display_name: name, theme_color: colour } }, { onSuccess: made })}
      done={done}
    >
      <TextInput
        label={t('templates.providerName')}
        description={t('templates.providerNameLead')}
        required
        maxLength={100}
        dir="auto"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={wrong('name')}
      />
      <ColorInput
        label={t('templates.colour')}
        format="hex"
        dir="ltr"
        withEyeDropper={false}
        value={colour}
        onChange={setColour}
        error={wrong('theme_color')}
      />
    </FormModal>
  )
}
