/** What is wrong with the installation, the worst first, each with what to do: what `sanad doctor` says, in the language of the page. */
import { Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { Answer } from '../../api/call.ts'
import { useApi } from '../../api/use-api.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { useNow } from '../../parts/format/clock.ts'
import { Card, Loading } from '../../parts/page/page.tsx'
import { countText } from '../../parts/pictures/axis-text.ts'
import { hasText } from '../../words/catalogue.ts'
import { findingWords } from '../../words/findings.ts'
import { relativeTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'

type Findings = Answer<'showFindings'>
type Finding = Findings['findings'][number]

/** What is wrong changes slowly, and looking costs some queries. */
export const useFindings = () => useApi('showFindings', { every_ms: 60_000 })

const levels = ['wrong', 'warning', 'ok'] as const
const signs = {
  wrong: [IconAlertTriangle, 'var(--sanad-wrong)'],
  warning: [IconInfoCircle, 'var(--sanad-pending)'],
  ok: [IconCircleCheck, 'var(--sanad-quiet)'],
} as const

export const FindingsPage = () => {
  const found = useFindings()
  if (found.isError) return <Problem problem={found.error} retry={() => void found.refetch()} />
  return found.data === undefined ? <Loading /> : <Found found={found.data} />
}

const Found = ({ found: { findings, host, version, at } }: { found: Findings }) => {
  const { t, language } = useWords(findingWords)
  const now = useNow()
  const isGood = findings.every(({ level }) => level !== 'wrong')
  return (
    <Stack gap="md">
      <Text m={0} size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t('findings.lead', { host, version, time: relativeTime(at, now, language) })}
      </Text>
      {isGood && (
        <Text m={0} fw={600}>
          {t('findings.nothing')}
        </Text>
      )}
      {levels.map((level) => (
        <Level key={level} level={level} findings={findings.filter((finding) => finding.level === level)} />
      ))}
    </Stack>
  )
}

const Level = ({ level, findings }: { level: (typeof levels)[number]; findings: readonly Finding[] }) => {
  const { t } = useWords(findingWords)
  if (findings.length === 0) return null
  return (
    <Card>
      <Text component="h2" c="dimmed" fz="md" fw={400} m={0} mb={8}>
        {t(`findings.${level}`)}
      </Text>
      <Stack component="ul" gap={level === 'ok' ? 6 : 12} m={0} p={0} style={{ listStyle: 'none' }}>
        {findings.map((finding) => (
          <One key={finding.part} finding={finding} />
        ))}
      </Stack>
    </Card>
  )
}

const One = ({ finding: { level, kind, values, says, cure } }: { finding: Finding }) => {
  const { t, language } = useWords(findingWords)
  const [Picture, colour] = signs[level]
  const shown = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? countText(language)(String(value)) : value,
    ]),
  )
  // A newer node may find what this page has no words for: then its English is shown.
  const text = (key: string, english: string) => (hasText(findingWords, key) ? t(key, shown) : english)
  return (
    <li style={{ display: 'flex', gap: 8, alignItems: 'flex-start', overflowWrap: 'anywhere' }}>
      <Picture size={18} color={colour} aria-hidden style={{ flexShrink: 0, marginTop: 3 }} />
      <div style={{ minWidth: 0 }}>
        <Text m={0} {...(level === 'ok' ? { size: 'sm' } : { fw: 600 })}>
          {text(`finding.${kind}`, says)}
        </Text>
        {cure !== null && (
          <Text m={0} size="sm" c="dimmed">
            {t('findings.cure')} <span>{text(`cure.${kind}`, cure)}</span>
          </Text>
        )}
      </div>
    </li>
  )
}
