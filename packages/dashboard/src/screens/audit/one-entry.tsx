/** One audit entry: who changed what, when and from where. The values before and after are shown on demand. */

import { Button, Collapse, Stack, Text } from '@mantine/core'
import { useId, useState } from 'react'
import { Code, When } from '../../parts/format/figures.tsx'
import { Quiet } from '../../parts/format/quiet.tsx'
import { splitUser } from '../../parts/format/user-name.ts'
import rows from '../../parts/list/rows.module.css'
import { useWords } from '../../words/language.ts'
import { auditWords } from '../../words/screens/audit.ts'
import { type AuditEntry, actorOf, differencesOf, sentenceOf } from './audit-sentence.ts'

export const OneEntry = ({ entry }: { entry: AuditEntry }) => {
  const { t } = useWords(auditWords)
  const id = useId()
  const [open, setOpen] = useState(false)
  const differences = differencesOf(entry)
  const from = entry.address === '' ? '' : ` · \u2068${entry.address}\u2069`
  return (
    <Stack gap={4} p="md">
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8, justifyContent: 'space-between' }}>
        <Text style={{ overflowWrap: 'anywhere' }}>{sentenceOf(entry, t)}</Text>
        <Quiet>
          <When at={entry.at} />
        </Quiet>
      </div>
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8, justifyContent: 'space-between', alignItems: 'center' }}>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <Actor>{actorOf(entry, t)}</Actor> · {t(`audit.via.${entry.via}`)}
          {from}
        </Text>
        {differences.length > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            {t('audit.details')}
          </Button>
        )}
      </div>
      <Collapse expanded={open} id={id}>
        {open && (
          <Stack gap="xs">
            <div style={{ overflowX: 'auto' }}>
              <table aria-label={t('audit.details')} className={rows.table}>
                <thead>
                  <tr>
                    {[t('audit.field'), t('audit.before'), t('audit.after')].map((head) => (
                      <th key={head}>{head}</th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {differences.map(({ field, before, after }) => (
                    <tr key={field}>
                      <td>
                        <Code>{field}</Code>
                      </td>
                      <Value text={before} removed />
                      <Value text={after} />
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <Quiet>
              {t('field.id')}: <Code>{entry.object}</Code>
            </Quiet>
          </Stack>
        )}
      </Collapse>
    </Stack>
  )
}

/** A name and an e-mail address, each in its own direction. */
const Actor = ({ children }: { children: string }) => {
  const { name, address } = splitUser(children)
  return (
    <>
      <bdi>{name}</bdi>
      {address !== '' && (
        <>
          {name !== '' && ' · '}
          <bdi dir="ltr">{address}</bdi>
        </>
      )}
    </>
  )
}

const Value = ({ text, removed = false }: { text: string; removed?: boolean }) => {
  const { t } = useWords(auditWords)
  return (
    <td style={{ maxWidth: 320, overflowWrap: 'anywhere' }}>
      {text === '' ? (
        <Text component="span" size="sm" c="dimmed">
          {t('audit.nothing')}
        </Text>
      ) : removed ? (
        <del>
          <bdi>{text}</bdi>
        </del>
      ) : (
        <bdi>{text}</bdi>
      )}
    </td>
  )
}
