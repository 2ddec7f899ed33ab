/** Holds an answer of the dashboard's API against the contract: the status it promises, and its shape, field by field. */
import assert from 'node:assert/strict'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import { Check, Errors } from 'typebox/value'
import type { Answer } from './story.ts'

const fits = (described: string, path: string): boolean => {
  const [wanted, given] = [described.split('/'), path.split('/')]
  return wanted.length === given.length && wanted.every((part, i) => part.startsWith('{') || part === given[i])
}

/** `path`: under the base of the dashboard's API. What was refused is others' to look at. */
export const asDescribed = (method: string, path: string, answer: Answer): Answer => {
  const [plain = ''] = path.split('?')
  // `/replays/count/` fits the path of one replay as well: that which names more of it is meant.
  const operation = dashboardOperations
    .filter((one) => one.method === method && fits(one.path, plain))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0]
  if (operation === undefined || answer.status >= 300) return answer
  assert.equal(answer.status, operation.status, `${operation.id}: ${answer.text}`)
  if (operation.answer === undefined) assert.equal(answer.text, '', operation.id)
  else if (!Check(operation.answer, answer.body))
    assert.fail(`${operation.id}: ${JSON.stringify(Errors(operation.answer, answer.body))} in ${answer.text}`)
  return answer
}
