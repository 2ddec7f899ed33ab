/** The way to the other language, in its own word. */
import { Button } from '@mantine/core'
import { setLanguage, useWords } from '../words/language.ts'

export const LanguageSwitch = () => {
  const { t, language } = useWords()
  const other = language === 'ar' ? 'en' : 'ar'
  // One word of the other language: not worth fetching its type for.
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
