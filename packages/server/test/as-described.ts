/**
 * Holds an answer of the dashboard's API against the published document: a status that the call is described with, and the
 * shape of what is answered, field by field, be it a yes or a no.
 */
import assert from 'node:assert/strict'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import { DashboardError, dashboardOpenApi } from '@sanad/contract/dashboard-openapi'
import { Check, Errors } from 'typebox/value'
import type { Answer } from './story.ts'

type Described = { readonly responses: Readonly<Record<string, unknown>> }
const { paths } = dashboardOpenApi({ version: '0', serverUrl: '' }) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}
/** What any call may be answered, as the introduction of the document says. */
const anywhere = [413, 415]

const fits = (described: string, path: string): boolean => {
  const [wanted, given] = [described.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, i) => part.startsWith('{') || part === given[i])
}

/** `path`: under the base of the dashboard's API. */
export const asDescribed = (method: string, path: string, answer: Answer): Answer => {
  const [plain = ''] = path.split('?')
  // `/replays/count/` fits the path of one replay as well: that which names more of it is meant.
  const operation = dashboardOperations
    .filter((one) => one.method === method && fits(one.path, plain))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0]
  if (operation === undefined) return answer
  const said = `${operation.id}: ${answer.status} ${answer.text}`
  if (answer.status >= 300) {
    const { responses } = paths[operation.path]![method.toLowerCase()]!
    assert.ok(Object.hasOwn(responses, answer.status) || anywhere.includes(answer.status), `not described: ${said}`)
    assert.ok(Check(DashboardError, answer.body), said)
    return answer
  }
  assert.equal(answer.status, operation.status, said)
  if (operation.answerType !== undefined) return answer
  if (operation.answer === undefined) assert.equal(answer.text, '', operation.id)
  else if (!Check(operation.answer, answer.body))
    assert.fail(`${operation.id}: ${JSON.stringify(Errors(operation.answer, answer.body))} in ${answer.text}`)
  return answer
}
