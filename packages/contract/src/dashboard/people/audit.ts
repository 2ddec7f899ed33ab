/** The audit log: every change by a user. It can be read, and never changed. */
import { type Static, Type } from 'typebox'
import { auditVias } from '../../kinds.ts'
import { operationsOf } from '../../operation.ts'
import { idFilter, instantFilter, textFilter } from '../../query.ts'
import { id, oneOf, timestamp } from '../../scalars.ts'
import { closed, orNull, text } from '../../schema.ts'
import { fileName } from '../answer-headers.ts'
import { pageOf, pageQuery } from '../page.ts'
import { ObjectKind } from '../stream.ts'

export const AuditEntry = closed('One change by a user. Secrets are never part of it.', {
  id: id('Identifier of the entry.'),
  at: timestamp('When it was changed.'),
  user: orNull(
    id('Who changed it.'),
    'Null: a command on the machine itself, the set-up page on a phone, or an invited user who was new.',
  ),
  actor: text('The name and email address of the user as they were then; `the operator`: a command.'),
  via: oneOf(auditVias, 'By the dashboard, by a script, on the machine itself, or at a counter with a PIN.'),
  action: text('The thing and what was done to it, such as `wallet.update`.'),
  kind: ObjectKind,
  object: text('The id of what was changed.'),
  before: Type.Unknown({ description: 'Its visible state before; null where there was nothing.' }),
  after: Type.Unknown({ description: 'Its visible state afterwards; null where there is nothing.' }),
  address: text('The network address it came from; `""` if unknown.'),
  agent: text('The browser or program; `""` if unknown.'),
})

export const AuditPage = pageOf(AuditEntry, 'Changes, the newest first.')
export type AuditPage = Static<typeof AuditPage>

export const auditQuery = {
  user: { description: 'Only changes by this user.', schema: idFilter() },
  action: { description: 'Only this action, such as `wallet.update`.', schema: textFilter(64) },
  kind: { description: 'Only things of this kind.', schema: ObjectKind },
  object: { description: 'Only changes of the thing with this id.', schema: textFilter(128) },
  from: {
    description: 'Not before this time (ISO 8601, inclusive). Without an offset: in the zone of the account.',
    schema: instantFilter('after'),
    published: Type.String(),
  },
  until: {
    description: 'Not after this time (ISO 8601, inclusive). Without an offset: in the zone of the account.',
    schema: instantFilter('before'),
    published: Type.String(),
  },
  ...pageQuery(),
}

const operation = operationsOf({ tag: 'Audit log', access: 'audit.read' })

export const listAudit = operation({
  id: 'listAudit',
  method: 'GET',
  path: '/audit/',
  summary: 'Who changed what, the newest first',
  description:
    'Entries of what your role may not read at all (members and keys, for a manager or a viewer) are left out.',
  query: auditQuery,
  answer: AuditPage,
})

const { after: _after, page_size: _size, ...auditFilters } = auditQuery
const downloaded =
  'All entries that the filters find, the newest first, streamed; entries of what your role may not read are left out. At most four ' +
  'downloads of an account at once: more are answered 429.'

export const auditCsv = operation({
  id: 'auditCsv',
  method: 'GET',
  path: '/audit/csv/',
  proof: 'always',
  summary: 'The audit log as a table',
  description: `${downloaded} UTF-8 with a byte order mark; \`before\` and \`after\` are JSON.`,
  query: auditFilters,
  answerTypes: ['text/csv'],
  answerHeaders: fileName,
})

export const auditLines = operation({
  id: 'auditLines',
  method: 'GET',
  path: '/audit/jsonl/',
  proof: 'always',
  summary: 'The audit log as JSON lines',
  description: `${downloaded} Each line is an entry as \`GET /audit/\` has it.`,
  query: auditFilters,
  answerTypes: ['application/jsonl'],
  answerHeaders: fileName,
})

export const auditOperations = operation.described
