/** The form of a shared provider. Its key cannot be changed later. */
import { SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import type { Answer } from '../../api/call.ts'
import { useApiMutation } from '../../api/use-api.ts'
import { bindText } from '../../parts/form/bind.ts'
import { CountrySelect } from '../../parts/form/country-select.tsx'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { ColorInput } from '../../parts/form/lazy-overlays.tsx'
import { NumberRuleFields } from '../../parts/form/number-rule.tsx'
import { ruleOf, ruleText } from '../../parts/form/number-rule-text.ts'
import { PackageNames } from '../../parts/form/package-names.tsx'
import { PayStepsFields, stepsOf, stepsText } from '../../parts/form/pay-steps.tsx'
import { fieldProblem } from '../../parts/form/problem.tsx'
import { providerName } from '../../parts/format/provider-name.ts'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../../words/screens/operator.ts'

type Provider = Answer<'listSharedProviders'>[number]
const states = ['ACTIVE', 'MAINTENANCE', 'INACTIVE'] as const

export const ProviderForm = ({ provider, close }: { provider: Provider | undefined; close: () => void }) => {
  const { t, language } = useWords(operatorWords)
  const label = useId()
  const create = useApiMutation('createSharedProvider', ['provider'])
  const change = useApiMutation('changeSharedProvider', ['provider'])
  const [name, setName] = useState('')
  const [display, setDisplay] = useState(provider?.display_name ?? '')
  const [displayAr, setDisplayAr] = useState(provider?.display_name_ar ?? '')
  const [country, setCountry] = useState(provider === undefined ? 'YE' : provider.country)
  const [steps, setSteps] = useState(() => stepsText(provider))
  const [rule, setRule] = useState(() => ruleText(provider))
  const [colour, setColour] = useState(provider?.theme_color ?? '#0F5C63')
  const [logo, setLogo] = useState(provider?.logo_url ?? '')
  const [appLink, setAppLink] = useState(provider?.app_link ?? '')
  const [packages, setPackages] = useState(provider?.packages ?? [])
  const [status, setStatus] = useState<Provider['provider_status']>(provider?.provider_status ?? 'ACTIVE')
  const call = provider === undefined ? create : change
  const errorOf = (attr: string) => fieldProblem(call.error, attr, t)
  const send = (): void => {
    const fields = {
      display_name: display,
      display_name_ar: displayAr,
      country,
      theme_color: colour,
      logo_url: logo,
      packages,
      pay_steps: stepsOf(steps),
      app_link: appLink,
      ...ruleOf(rule),
    }
    if (provider === undefined) create.mutate({ body: { name, ...fields } }, { onSuccess: close })
    else
      change.mutate({ path: { id: provider.id }, body: { ...fields, provider_status: status } }, { onSuccess: close })
  }
  return (
    <FormModal
      title={provider === undefined ? t('opProviders.new') : providerName(provider, language)}
      submitLabel={t('part.save')}
      call={call}
      fields={[
        'name',
        'display_name',
        'display_name_ar',
        'country',
        'theme_color',
        'logo_url',
        'packages',
        'pay_steps',
        'app_link',
        'number_lengths',
        'number_prefixes',
      ]}
      send={send}
      close={close}
    >
      {provider === undefined && (
        <TextInput
          label={t('opProviders.name')}
          description={t('opProviders.nameLead')}
          dir="ltr"
          required
          maxLength={100}
          data-autofocus
          {...bindText(name, setName)}
          error={errorOf('name')}
        />
      )}
      <TextInput
        label={t('field.name')}
        required
        maxLength={100}
        {...bindText(display, setDisplay)}
        error={errorOf('display_name')}
      />
      <TextInput
        label={t('field.nameAr')}
        description={t('opProviders.displayArLead')}
        maxLength={100}
        dir="rtl"
        {...bindText(displayAr, setDisplayAr)}
        error={errorOf('display_name_ar')}
      />
      <CountrySelect
        label={t('field.country')}
        description={t('opProviders.countryLead')}
        none={t('opProviders.countryNone')}
        value={country}
        onChange={setCountry}
        error={errorOf('country')}
      />
      <ColorInput
        label={t('field.colour')}
        format="hex"
        dir="ltr"
        required
        withEyeDropper={false}
        value={colour}
        onChange={setColour}
        error={errorOf('theme_color')}
      />
      <TextInput
        label={t('opProviders.logo')}
        description={t('opProviders.logoLead')}
        type="url"
        dir="ltr"
        maxLength={500}
        {...bindText(logo, setLogo)}
        error={errorOf('logo_url')}
      />
      <PackageNames
        label={t('field.packages')}
        description={t('opProviders.packagesLead')}
        value={packages}
        onChange={setPackages}
        error={errorOf('packages')}
      />
      <NumberRuleFields value={rule} change={setRule} errorOf={errorOf} />
      <PayStepsFields
        value={steps}
        change={setSteps}
        general={provider?.own_pay_steps ? undefined : provider?.pay_steps}
        errorOf={errorOf}
      />
      <TextInput
        label={t('opProviders.appLink')}
        description={t('opProviders.appLinkLead')}
        dir="ltr"
        maxLength={300}
        {...bindText(appLink, setAppLink)}
        error={errorOf('app_link')}
      />
      {provider !== undefined && (
        <Stack gap={4}>
          <Text id={label} size="sm" fw={600}>
            {t('field.state')}
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
