/** A note that something was saved, announced by screen readers. */
import { Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useWords } from '../../words/language.ts'
import { settingsWords } from '../../words/screens/settings.ts'

export const SavedNote = ({ when, children }: { when: boolean; children?: string }) => {
  const { t } = useWords(settingsWords)
  return (
    <Text component="span" role="status" c="var(--sanad-verified)" style={{ display: 'inline-flex', gap: 4 }}>
      {when && (
        <>
          <IconCheck size={18} aria-hidden />
          {children ?? t('settings.saved')}
        </>
      )}
    </Text>
  )
}
