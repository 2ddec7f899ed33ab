/** The audit log, newest first, with its filters in the URL. Used for an account and for operators. */

import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { objectKinds } from '@sanad/contract/kinds'
import { useSearchParams } from 'wouter'
import { urlOf } from '../../api/call.ts'
import { downloadWithProof } from '../../api/download.ts'
import { useApi, usePagedList } from '../../api/use-api.ts'
import { useMe } from '../../frame/session-context.ts'
import { FilterSelect } from '../../parts/form/select.tsx'
import { GrowingList } from '../../parts/list/growing-list.tsx'
import { filtersIn, lastMomentOf, withFilters } from '../../parts/list/url-filters.ts'
import { Empty } from '../../parts/page/page.tsx'
import { useWords } from '../../words/language.ts'
import { auditWords } from '../../words/screens/audit.ts'
import { operatorWords } from '../../words/screens/operator.ts'
import classes from './audit-log.module.css'
import { type AuditEntry, knownActions } from './audit-sentence.ts'
import { OneEntry } from './one-entry.tsx'

const filterNames = ['user', 'kind', 'action', 'from', 'until'] as const

type Set = (changes: Readonly<Record<string, string>>) => void

export const AuditLog = ({ call }: { call: 'listAudit' | 'listOperatorAudit' }) => {
  const { t } = useWords(auditWords, operatorWords)
  const [params, setParams] = useSearchParams()
  const filters = filtersIn<'listAudit'>(params, filterNames)
  const filtered = Object.values(filters).some((value) => value !== undefined)
  // Both calls answer the same type.
  const query = { ...filters, until: lastMomentOf(filters.until), page_size: 30 }
  const list = usePagedList(call as 'listAudit', { query, kinds: objectKinds })
  const set: Set = (changes) => setParams((params) => withFilters(params, changes))
  const clear = (
    <Button variant="default" onClick={() => setParams(new URLSearchParams())}>
      {t('list.clear')}
    </Button>
  )
  return (
    <Stack gap="md">
      <Text c="dimmed">{call === 'listAudit' ? t('audit.lead') : `${t('audit.lead')} ${t('operator.auditNote')}`}</Text>
      <Filters params={params} set={set} hasUserFilter={call === 'listAudit'} />
      {call === 'listAudit' && (
        <Group gap="xs">
          {(['auditCsv', 'auditLines'] as const).map((file) => (
            <Button
              key={file}
              variant="default"
              size="compact-md"
              onClick={() =>
                void downloadWithProof(urlOf(file, { query: { ...filters, until: lastMomentOf(filters.until) } }))
              }
            >
              {t(file === 'auditCsv' ? 'audit.csv' : 'audit.lines')}
            </Button>
          ))}
        </Group>
      )}
      <GrowingList<AuditEntry>
        list={list}
        empty={<Empty action={filtered ? clear : undefined}>{t(filtered ? 'list.noneFound' : 'audit.none')}</Empty>}
      >
        {(entries) => (
          <ul className={`card ${classes.log}`} aria-label={t('frame.audit')}>
            {entries.map((entry) => (
              <li key={entry.id}>
                <OneEntry entry={entry} />
              </li>
            ))}
          </ul>
        )}
      </GrowingList>
    </Stack>
  )
}

const Filters = ({ params, set, hasUserFilter }: { params: URLSearchParams; set: Set; hasUserFilter: boolean }) => {
  const { t } = useWords(auditWords)
  const { may } = useMe()
  const byUser = hasUserFilter && may('members.read')
  const members = useApi('listMembers', { kinds: ['member'], when: byUser })
  const kind = params.get('kind')
  const actions = knownActions.filter((action) => kind === null || action.startsWith(`${kind}.`))
  return (
    <Group gap="xs" align="flex-end">
      {byUser && (
        <FilterSelect
          label={t('audit.who')}
          data={(members.data ?? []).map(({ id, name, email }) => ({ value: id, label: name || email }))}
          value={params.get('user')}
          onChange={(chosen) => set({ user: chosen ?? '' })}
          className={classes.filter}
        />
      )}
      <FilterSelect
        label={t('audit.kind')}
        data={objectKinds.map((value) => ({ value, label: t(`audit.kind.${value}`) }))}
        value={kind}
        onChange={(chosen) => set({ kind: chosen ?? '', action: '' })}
        className={classes.filter}
      />
      <FilterSelect
        label={t('audit.action')}
        data={actions}
        value={params.get('action')}
        onChange={(chosen) => set({ action: chosen ?? '' })}
        className={classes.filter}
      />
      <TextInput
        type="date"
        label={t('field.from')}
        value={params.get('from') ?? ''}
        onChange={(event) => set({ from: event.currentTarget.value })}
        className={classes.filter}
      />
      <TextInput
        type="date"
        label={t('field.until')}
        value={params.get('until') ?? ''}
        onChange={(event) => set({ until: event.currentTarget.value })}
        className={classes.filter}
      />
    </Group>
  )
}
