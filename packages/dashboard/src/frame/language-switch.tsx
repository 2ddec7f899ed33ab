/** The button that switches to the other language, labelled in that language. */
import { Button } from '@mantine/core'
import { setLanguage, useWords } from '../words/language.ts'

export const LanguageSwitch = () => {
  const { t, language } = useWords()
  const other = language === 'ar' ? 'en' : 'ar'
  // A single word of the other language: not worth loading its web font.
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      lang={other}
      ff="system-ui, sans-serif"
      onClick={() => setLanguage(other)}
    >
      {t('frame.language')}
    </Button>
  )
}
