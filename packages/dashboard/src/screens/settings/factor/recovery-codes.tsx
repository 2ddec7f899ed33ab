/** Ten recovery codes, shown once. */
import { Button, CopyButton, SimpleGrid, Text } from '@mantine/core'
import { ShownOnce } from '../../../parts/form/shown-once.tsx'
import { Code } from '../../../parts/format/figures.tsx'
import { useWords } from '../../../words/language.ts'
import { settingsWords } from '../../../words/screens/settings.ts'

export const RecoveryCodes = ({ codes, close }: { codes: readonly string[]; close: () => void }) => {
  const { t } = useWords(settingsWords)
  return (
    <ShownOnce title={t('you.codes')} secrets={[]} close={close}>
      <Text>{t('you.codesLead')}</Text>
      <SimpleGrid
        component="ul"
        cols={2}
        spacing="xs"
        className="card"
        style={{ listStyle: 'none', margin: 0, padding: 16 }}
      >
        {codes.map((code) => (
          <li key={code}>
            <Code>{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <CopyButton value={codes.join('\n')}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy} aria-live="polite">
            {copied ? t('part.copied') : t('you.codesCopy')}
          </Button>
        )}
      </CopyButton>
    </ShownOnce>
  )
}
