/** The buttons of a report: it is printed, or saved as a table. */
import { Button } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useWords } from '../../words/language.ts'

export const PrintButton = () => {
  const { t } = useWords()
  return (
    <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
      {t('act.print')}
    </Button>
  )
}

export const CsvButton = ({ href }: { href: string }) => {
  const { t } = useWords()
  return (
    <Button component="a" variant="default" href={href} download leftSection={<IconDownload size={16} aria-hidden />}>
      {t('act.csv')}
    </Button>
  )
}
