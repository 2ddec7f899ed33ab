/** What a draft would read in the stored messages: the reading now and with the draft, with differences marked. */
import { Button, Center, Group, Stack, Switch, Text, Title } from '@mantine/core'
import { IconArrowsExchange, IconEqual } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi } from '../../api/use-api.ts'
import { bindTick } from '../../parts/form/bind.ts'
import { Problem } from '../../parts/form/problem.tsx'
import { When } from '../../parts/format/figures.tsx'
import { type Column, Rows } from '../../parts/list/rows.tsx'
import { Empty, Loading } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { templatesWords } from '../../words/screens/templates.ts'
import { StandingView } from './reading-view.tsx'
import type { Previewed, Wording } from './template.ts'
import { useDebounced } from './use-debounced.ts'

const pause_ms = 400
/** The limit of the server. */
const mostMessages = 500
const rowsPerStep = 50

export const Preview = (props: {
  provider: string | null
  replaces?: string
  wording: Wording
  /** The sentence is valid. */
  isValid: boolean
}) => {
  const { t } = useWords(templatesWords)
  const [onlyChanges, setOnlyChanges] = useState(false)
  const { sender_names, sentence, direction, currency } = props.wording
  const body = useDebounced(
    {
      provider: props.provider ?? '',
      sender_names,
      sentence,
      direction,
      currency,
      limit: mostMessages,
      ...(props.replaces === undefined ? {} : { replaces: props.replaces }),
    },
    pause_ms,
  )
  const ready = props.isValid && body.provider !== '' && body.sender_names.length > 0 && body.sentence !== ''
  const preview = useApi('previewTemplate', { body, kinds: ['alert', 'template'], when: ready, keep: true })
  return (
    <Stack gap="sm">
      <Title order={2}>{t('templates.preview')}</Title>
      {!ready && <Empty>{t('templates.previewWaits')}</Empty>}
      {ready && preview.isError && <Problem problem={preview.error} retry={() => void preview.refetch()} />}
      {ready && preview.isPending && <Loading rows={4} />}
      {ready && preview.data !== undefined && (
        <>
          <Group justify="space-between">
            <Text role="status">
              {t('templates.lookedAt', { count: preview.data.looked_at })}{' '}
              {t('templates.wouldRead', { count: preview.data.would_read })}{' '}
              {t('templates.differ', { count: preview.data.differ })}{' '}
              {preview.data.looked_at >= mostMessages && t('templates.lookedAtMost', { n: mostMessages })}
            </Text>
            <Switch label={t('templates.onlyChanges')} {...bindTick(onlyChanges, setOnlyChanges)} />
          </Group>
          <Table rows={preview.data.results.filter(({ differs }) => differs || !onlyChanges)} />
        </>
      )}
    </Stack>
  )
}

const Table = ({ rows }: { rows: readonly Previewed[] }) => {
  const { t } = useWords(templatesWords)
  const columns: Column<Previewed>[] = [
    { head: t('templates.wouldBe'), cell: ({ would_be }) => <StandingView standing={would_be} /> },
    { head: t('templates.isNow'), cell: ({ is }) => <StandingView standing={is} /> },
    { head: t('templates.difference'), cell: ({ differs }) => <Difference differs={differs} />, whole: true },
    {
      head: t('templates.message'),
      cell: ({ text }) => (
        <Text size="sm" dir="auto" maw={480} ta="start" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      ),
    },
    { head: t('templates.when'), cell: ({ received_at }) => <When at={received_at} />, end: true, whole: true },
  ]
  const [shown, setShown] = useState(rowsPerStep)
  if (rows.length === 0) return <Empty>{t('templates.previewNone')}</Empty>
  return (
    <>
      <Rows label={t('templates.preview')} rows={rows.slice(0, shown)} columns={columns} keyOf={({ id }) => id} />
      {rows.length > shown && (
        <Center>
          <Button variant="default" onClick={() => setShown(shown + rowsPerStep)}>
            {t('part.more')}
          </Button>
        </Center>
      )}
    </>
  )
}

const Difference = ({ differs }: { differs: boolean }) => {
  const { t } = useWords(templatesWords)
  const Picture = differs ? IconArrowsExchange : IconEqual
  return (
    <span
      data-differs={differs}
      style={{
        display: 'inline-flex',
        gap: 4,
        alignItems: 'center',
        ...(differs ? { fontWeight: 600, color: 'var(--sanad-pending)' } : { color: 'var(--sanad-quiet)' }),
      }}
    >
      <Picture size={16} aria-hidden />
      {t(differs ? 'templates.changes' : 'templates.stays')}
    </span>
  )
}
