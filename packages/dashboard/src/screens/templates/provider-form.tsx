/** The form of an account's own provider: only the name is required. */
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useApiMutation } from '../../api/use-api.ts'
import { bindText } from '../../parts/form/bind.ts'
import { FormModal } from '../../parts/form/form-modal.tsx'
import { ColorInput } from '../../parts/form/lazy-overlays.tsx'
import { NumberRuleFields } from '../../parts/form/number-rule.tsx'
import { ruleOf, ruleText } from '../../parts/form/number-rule-text.ts'
import { PackageNames } from '../../parts/form/package-names.tsx'
import { PayStepsFields, stepsOf, stepsText } from '../../parts/form/pay-steps.tsx'
import { fieldProblem } from '../../parts/form/problem.tsx'
import { providerName } from '../../parts/format/provider-name.ts'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import { AskOwner, ownerReasons } from '../approvals/ask-owner.tsx'
import type { Provider } from './template.ts'

type Props = {
  /** Undefined: a new one. */
  provider?: Provider
  saved: (provider: Provider) => void
  close: () => void
}

export const ProviderForm = ({ provider, saved, close }: Props) => {
  const { t, language } = useWords(templatesWords)
  const create = useApiMutation('createProvider', ['provider'])
  const change = useApiMutation('changeProvider', ['provider'])
  const [name, setName] = useState(provider?.display_name ?? '')
  const [nameAr, setNameAr] = useState(provider?.display_name_ar ?? '')
  const [steps, setSteps] = useState(() => stepsText(provider))
  const [rule, setRule] = useState(() => ruleText(provider))
  const [colour, setColour] = useState(provider?.theme_color ?? '#0F5C63')
  const [packages, setPackages] = useState(provider?.packages ?? [])
  const { error, isPending } = provider === undefined ? create : change
  const errorOf = (attr: string) => fieldProblem(error, attr, t)
  const ask = useApiMutation('askProviderChange', ['approval', 'notice'])
  const needed = ownerReasons(error)
  const settings = () => ({
    display_name: name,
    display_name_ar: nameAr,
    theme_color: colour,
    packages,
    pay_steps: stepsOf(steps),
    ...ruleOf(rule),
  })
  const send = (): void => {
    ask.reset()
    if (provider === undefined) create.mutate({ body: { name, ...settings() } }, { onSuccess: saved })
    else change.mutate({ path: { id: provider.id }, body: settings() }, { onSuccess: saved })
  }
  return (
    <FormModal
      title={provider === undefined ? t('templates.newProvider') : providerName(provider, language)}
      submitLabel={t('part.save')}
      call={{ isPending, error: needed.length === 0 ? error : null }}
      fields={[
        'name',
        'display_name',
        'display_name_ar',
        'theme_color',
        'packages',
        'pay_steps',
        'number_lengths',
        'number_prefixes',
      ]}
      send={send}
      close={close}
    >
      <TextInput
        label={t('field.name')}
        description={t('templates.providerNameLead')}
        required
        maxLength={100}
        dir="auto"
        data-autofocus
        {...bindText(name, setName)}
        error={errorOf('name') ?? errorOf('display_name')}
      />
      <TextInput
        label={t('field.nameAr')}
        maxLength={100}
        dir="rtl"
        {...bindText(nameAr, setNameAr)}
        error={errorOf('display_name_ar')}
      />
      <ColorInput
        label={t('field.colour')}
        format="hex"
        dir="ltr"
        withEyeDropper={false}
        value={colour}
        onChange={setColour}
        error={errorOf('theme_color')}
      />
      <PackageNames
        label={t('field.packages')}
        description={t('templates.packagesLead')}
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
      {needed.length > 0 && provider !== undefined && (
        <AskOwner
          reasons={needed}
          isAsked={ask.isSuccess}
          busy={ask.isPending}
          problem={ask.error}
          ask={() => ask.mutate({ path: { id: provider.id }, body: settings() })}
        />
      )}
    </FormModal>
  )
}
