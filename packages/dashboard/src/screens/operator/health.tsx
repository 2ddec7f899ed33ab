/** The health of the whole service: figures, each with a note on whether it needs attention, and the clocks of its nodes. */
import { SimpleGrid, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { lazy } from 'react'
import { Link } from 'wouter'
import type { Answer } from '../../api/call.ts'
import { loadFile } from '../../api/load-file.ts'
import { useApi } from '../../api/use-api.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { useNow } from '../../parts/format/clock.ts'
import { Count, When } from '../../parts/format/figures.tsx'
import { Card, Loading } from '../../parts/page/page.tsx'
import { countText } from '../../parts/pictures/axis-text.ts'
import { WhenSeen } from '../../parts/pictures/when-seen.tsx'
import { findingWords } from '../../words/findings.ts'
import { relativeTime } from '../../words/format.ts'
import { useWords } from '../../words/language.ts'
import { operatorWords } from '../../words/screens/operator.ts'
import { useFindings } from './findings.tsx'
import { waitText } from './wait-text.ts'

const HoursPictures = lazy(() => loadFile(() => import('./hours-pictures.tsx')))

type OverallHealth = Answer<'showOverallHealth'>

export const Health = () => {
  const health = useApi('showOverallHealth', { every_ms: 15_000 })
  if (health.isError) return <Problem problem={health.error} retry={() => void health.refetch()} />
  if (health.data === undefined) return <Loading />
  const figures = health.data
  return (
    <Stack gap="md">
      <SomethingWrong />
      <Figures figures={figures} />
      <LastBackup backup={figures.last_backup} />
      {figures.nodes.length > 0 && <Clocks nodes={figures.nodes} />}
      <WhenSeen rows={8}>
        <HoursPictures />
      </WhenSeen>
    </Stack>
  )
}

/** What needs attention is decided by the service alone; here it is only shown. */
const useIsWell = () => {
  const findings = useFindings().data?.findings ?? []
  return (part: string): boolean => findings.every((finding) => finding.part !== part || finding.level === 'ok')
}

/** Leads to what is wrong, also if none of the figures below shows it. */
const SomethingWrong = () => {
  const { t } = useWords(findingWords)
  if (useFindings().data?.level !== 'wrong') return null
  return (
    <Card>
      <Text m={0} style={{ display: 'flex', gap: 8, flexWrap: 'wrap', alignItems: 'center' }}>
        <IconAlertTriangle size={18} color="var(--sanad-wrong)" aria-hidden style={{ flexShrink: 0 }} />
        {t('findings.some')}
        <Link href="/operator/findings">{t('findings.look')}</Link>
      </Text>
    </Card>
  )
}

const Figures = ({ figures }: { figures: OverallHealth }) => {
  const { t } = useWords(operatorWords)
  const isWell = useIsWell()
  const oldest_s = figures.oldest_waiting_s
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} spacing="md" m={0}>
      <Figure name={t('health.accounts')} count={figures.accounts}>
        {t('health.suspended', { count: figures.suspended_accounts })}
      </Figure>
      <Figure name={t('field.intentsToday')} count={figures.intents_today} />
      <Figure name={t('health.waiting')} count={figures.waiting_deliveries} well={isWell('webhooks')}>
        {figures.failed_deliveries > 0
          ? t('health.failedSoFar', { count: figures.failed_deliveries })
          : oldest_s === null
            ? t('health.noneWaits')
            : t('health.oldest', { time: waitText(oldest_s, t) })}
      </Figure>
      <Figure name={t('health.breakers')} count={figures.open_breakers} well={isWell('endpoints')}>
        {figures.open_breakers === 0 ? '' : t('health.breakersLead')}
      </Figure>
      <Figure name={t('health.phones')} count={figures.phones} well={isWell('phones')}>
        {figures.silent_phones === 0 ? t('health.allSpeak') : t('health.silent', { count: figures.silent_phones })}
      </Figure>
      <Figure name={t('field.unread')} count={figures.unread_alerts} well={isWell('unread_alerts')}>
        {t(figures.unread_alerts === 0 ? 'health.allRead' : 'health.unreadLead')}
      </Figure>
    </SimpleGrid>
  )
}

const signOf = (well: boolean) =>
  well ? ([IconCircleCheck, 'var(--sanad-quiet)'] as const) : ([IconAlertTriangle, 'var(--sanad-wrong)'] as const)

const Figure = (props: { name: string; count: number; well?: boolean; children?: string }) => {
  const { well, children = '' } = props
  const [Picture, colour] = signOf(well !== false)
  return (
    <Card>
      <Text component="dt" c="dimmed">
        {props.name}
      </Text>
      <Text component="dd" m={0} fz={28} fw={600} lh="36px">
        <Count>{props.count}</Count>
      </Text>
      {children !== '' && (
        <Text component="dd" m={0} size="sm" c={colour} style={{ display: 'flex', gap: 4, alignItems: 'center' }}>
          {well !== undefined && <Picture size={16} aria-hidden style={{ flexShrink: 0 }} />}
          {children}
        </Text>
      )}
    </Card>
  )
}

const megabytesOf = (bytes: number): number => Math.max(0.1, Math.round(bytes / 100_000) / 10)

/** The last good backup: how old it is, and whether one was ever restored as a test. */
const LastBackup = ({ backup }: { backup: OverallHealth['last_backup'] }) => {
  const { t, language } = useWords(operatorWords)
  const now = useNow()
  const isWell = backup !== null && !backup.old && backup.verified !== false
  const [Picture, colour] = signOf(isWell)
  return (
    <Card>
      <Text component="h2" c="dimmed" fz="md" fw={400} m={0}>
        {t('backup.title')}
      </Text>
      {backup === null ? (
        <Text m={0}>{t('backup.none')}</Text>
      ) : (
        <>
          <Text m={0} fz={20} fw={600}>
            <When at={backup.made_at} />
          </Text>
          <Text m={0} size="sm" c={colour} style={{ display: 'flex', gap: 4, alignItems: 'center' }}>
            <Picture size={16} aria-hidden style={{ flexShrink: 0 }} />
            {backup.verified === false
              ? t('backup.broken')
              : backup.old
                ? t('backup.old')
                : backup.last_verified_at === null
                  ? t('backup.neverTried')
                  : t('backup.tried', { time: relativeTime(backup.last_verified_at, now, language) })}
          </Text>
          <Text m={0} size="sm" c="dimmed">
            {t(backup.encrypted ? 'backup.sizeEncrypted' : 'backup.size', {
              size: countText(language)(String(megabytesOf(backup.bytes))),
            })}
          </Text>
          {[backup.made_by, backup.file].map((text) => (
            <Text key={text} m={0} size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              <bdi dir="ltr">{text}</bdi>
            </Text>
          ))}
        </>
      )}
    </Card>
  )
}

/** The running nodes, each with how far its clock is from the database's. */
const Clocks = ({ nodes }: { nodes: OverallHealth['nodes'] }) => {
  const { t } = useWords(operatorWords)
  const difference = (offset_ms: number): string => {
    const time = waitText(Math.round(Math.abs(offset_ms) / 1000), t)
    return t(offset_ms > 0 ? 'health.clockAhead' : 'health.clockBehind', { time })
  }
  return (
    <Card>
      <Text component="h2" c="dimmed" fz="md" fw={400} m={0}>
        {t('health.clocks')}
      </Text>
      <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
        {nodes.map(({ id, host, offset_ms, state }) => {
          const [Picture, colour] = signOf(state === 'agrees')
          return (
            <li key={id} style={{ display: 'flex', columnGap: 8, flexWrap: 'wrap', alignItems: 'center' }}>
              <bdi style={{ overflowWrap: 'anywhere' }}>{host}</bdi>
              <Text component="span" size="sm" c={colour} style={{ display: 'flex', gap: 4, alignItems: 'center' }}>
                <Picture size={16} aria-hidden style={{ flexShrink: 0 }} />
                {state === 'agrees' ? t('health.clockRight') : difference(offset_ms)}
                {state === 'refused' && ` ${t('health.clockRefused')}`}
              </Text>
            </li>
          )
        })}
      </Stack>
    </Card>
  )
}
