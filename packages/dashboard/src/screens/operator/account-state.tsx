/** Whether an account is active: by icon and text, not by colour alone. */
import { IconCircleCheck, IconPlayerPause } from '@tabler/icons-react'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../../words/screens/operator.ts'

export const AccountState = ({ status }: { status: 'ACTIVE' | 'SUSPENDED' }) => {
  const { t } = useWords(operatorWords)
  const Picture = status === 'ACTIVE' ? IconCircleCheck : IconPlayerPause
  const colour = status === 'ACTIVE' ? 'var(--sanad-verified)' : 'var(--sanad-wrong)'
  return (
    <span style={{ color: colour, display: 'inline-flex', alignItems: 'center', gap: 4, fontWeight: 600 }}>
      <Picture size={16} stroke={2} aria-hidden />
      {t(`opAccounts.status.${status}`)}
    </span>
  )
}
