/** A provider of one's own: only its name is needed. */
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/ask.ts'
import { ColorInput, Modal } from '../../parts/later.tsx'
import { fieldProblem, Trouble } from '../../parts/trouble.tsx'
import { useWords } from '../../words/language.ts'
import type { Provider } from './template.ts'

export const NewProvider = ({ made, done }: { made: (provider: Provider) => void; done: () => void }) => {
  const { t } = useWords()
  const create = useChange('createProvider', ['provider'])
  const [name, setName] = useState('')
  const [colour, setColour] = useState('#0F5C63')
  const wrong = (attr: string) => fieldProblem(create.error, attr, t)
  const send = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate({ body: { name, display_name: name, theme_color: colour } }, { onSuccess: made })
  }
  return (
    <Modal opened onClose={done} title={t('templates.newProvider')}>
      <form onSubmit={send}>
        <Stack>
          {create.error !== null && !['name', 'theme_color'].some(wrong) && <Trouble problem={create.error} />}
          <TextInput
            label={t('templates.providerName')}
            description={t('templates.providerNameLead')}
            required
            maxLength={100}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={wrong('name')}
          />
          <ColorInput
            label={t('templates.colour')}
            dir="ltr"
            value={colour}
            onChange={setColour}
            error={wrong('theme_color')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={done}>
              {t('part.cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t('part.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
