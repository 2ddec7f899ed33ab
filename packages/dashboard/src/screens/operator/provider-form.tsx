/** The form of a shared provider. Its key cannot be changed later. */
import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { ColorInput } from '../../parts/form/lazy-overlays.tsx'
import { PackageNames } from '../../parts/form/package-names.tsx'
import { fieldProblem } from '../../parts/form/problem.tsx'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../../words/screens/operator.ts'

type Provider = Answer<'listSharedProviders'>[number]
const states = ['ACTIVE', 'MAINTENANCE', 'INACTIVE'] as const

export const ProviderForm = ({ provider, done }: { provider: Provider | undefined; done: () => void }) => {
  const { t } = useWords(operatorWords)
  const label = useId()
  const create = useApiMutation('createSharedProvider', ['provider'])
  const change = useApiMutation('changeSharedProvider', ['provider'])
  const [name, setName] = useState('')
  const [display, setDisplay] = useState(provider?.display_name ?? '')
  const [colour, setColour] = useState(provider?.theme_color ?? '#0F5C63')
  const [logo, setLogo] = useState(provider?.logo_url ?? '')
  const [packages, setPackages] = useState(provider?.packages ?? [])
  const [status, setStatus] = useState<Provider['provider_status']>(provider?.provider_status ?? 'ACTIVE')
  const { error, isPending } = provider === undefined ? create : change
  const wrong = (attr: string) => fieldProblem(error, attr, t)
  const send = (): void => {
    const looks = { display_name: display, theme_color: colour, logo_url: logo, packages }
    if (provider === undefined) create.mutate({ body: { name, ...looks } }, { onSuccess: done })
    else change.mutate({ path: { id: provider.id }, body: { ...looks, provider_status: status } }, { onSuccess: done })
  }
  return (
    <FormModal
      title={provider?.display_name ?? t('opProviders.new')}
      go={t('part.save')}
      busy={isPending}
      problem={error}
      fields={['name', 'display_name', 'theme_color', 'logo_url', 'packages']}
      send={send}
      done={done}
    >
      {provider === undefined && (
        <TextInput
          label={t('opProviders.name')}
          description={t('opProviders.nameLead')}
          dir="ltr"
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={wrong('name')}
        />
      )}
      <TextInput
        label={t('opProviders.display')}
        required
        maxLength={100}
        value={display}
        onChange={(event) => setDisplay(event.currentTarget.value)}
        error={wrong('display_name')}
      />
      <ColorInput
        label={t('opProviders.colour')}
        format="hex"
        dir="ltr"
        required
        withEyeDropper={false}
        value={colour}
        onChange={setColour}
        error={wrong('theme_color')}
      />
      <TextInput
        label={t('opProviders.logo')}
        description={t('opProviders.logoLead')}
        type="url"
        dir="ltr"
        maxLength={500}
        value={logo}
        onChange={(event) => setLogo(event.currentTarget.value)}
        error={wrong('logo_url')}
      />
      <PackageNames
        label={t('opProviders.packages')}
        description={t('opProviders.packagesLead')}
        value={packages}
        onChange={setPackages}
        error={wrong('packages')}
      />
      {provider !== undefined && (
        <Stack gap={4}>
          <Text id={label} size="sm" fw={600}>
            {t('opProviders.status')}
          </Text>
          <SegmentedControl
            aria-labelledby={label}
            data={states.map((value) => ({ value, label: t(`opProviders.status.${value}`) }))}
            value={status}
            onChange={(value) => setStatus(value as Provider['provider_status'])}
          />
        </Stack>
      )}
    </FormModal>
  )
}
