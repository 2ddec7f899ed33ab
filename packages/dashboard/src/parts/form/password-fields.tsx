/** The two password fields: the current password, and a new one with the rule for it. */
import { PasswordInput } from '@mantine/core'
import { useWords } from '../../words/language.ts'
import { settingsWords } from '../../words/screens/settings.ts'
import { signedOutWords } from '../../words/screens/signed-out.ts'
import { bindText } from './bind.ts'
import { fieldProblem } from './problem.tsx'

type Props = { readonly value: string; readonly set: (value: string) => void; readonly problem: Error | null }

export const OldPassword = ({ value, set, problem }: Props) => {
  const { t } = useWords(settingsWords)
  return (
    <PasswordInput
      visibilityToggleButtonProps={{ 'aria-label': t('part.showPassword') }}
      label={t('you.passwordOld')}
      name="password"
      autoComplete="current-password"
      dir="ltr"
      required
      data-autofocus
      {...bindText(value, set)}
      error={fieldProblem(problem, 'password', t)}
    />
  )
}

export const NewPasswordField = ({ value, set, problem }: Props) => {
  const { t } = useWords(signedOutWords)
  return (
    <PasswordInput
      visibilityToggleButtonProps={{ 'aria-label': t('part.showPassword') }}
      label={t('newPassword.new')}
      description={t('newPassword.rule')}
      name="new_password"
      autoComplete="new-password"
      dir="ltr"
      required
      minLength={10}
      maxLength={200}
      {...bindText(value, set)}
      error={fieldProblem(problem, 'new_password', t)}
    />
  )
}
