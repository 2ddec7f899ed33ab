/** `/templates/read/`, `/sentence/` and `/preview/`: tries a sentence before it is saved. Nothing is changed. */
import { usualCurrency } from '@sanad/contract/currency'
import { makeSentence, previewTemplate as previewCall, readText } from '@sanad/contract/dashboard/wallets/templates'
import { previewTemplate } from '../../../alerts/publishing/preview-template.ts'
import { expectedOf, sentenceFromMarks, valueIn } from '../../../alerts/templates/mark-template.ts'
import { compileTemplate, type Fields, read, type Template } from '../../../alerts/templates/template.ts'
import type { SentenceError } from '../../../alerts/templates/template-sentence.ts'
import { normalise } from '../../../alerts/texts/normalise.ts'
import { formatMinor } from '../../../core/money.ts'
import { previewQuery } from '../../body/dashboard/template-body.ts'
import { accepted } from '../refusals.ts'
import { type Route, route } from '../route.ts'
import { previewAnswer, readingAnswer } from './template-answers.ts'
import type { TemplateDeps } from './templates.ts'

export const templateTrialRoutes = (deps: TemplateDeps): Route[] => [
  route(readText, async (call) => {
    const { sentence, text, direction, currency } = call.body
    const plain = normalise(text)
    const compiled = compileTemplate(sentence)
    if (!compiled.ok) return { error: errorAnswer(compiled.error), text: plain, slots: [], reading: null }
    const fields = read(compiled.template, plain)
    return {
      error: null,
      text: plain,
      slots: fields === undefined ? [] : slotsOf(compiled.template, fields),
      reading: readingAnswer(fields && { ...fields, direction, currency }),
    }
  }),
  route(makeSentence, async (call) => {
    const { text, marks } = call.body
    const built = sentenceFromMarks(text, marks)
    if (!built.ok) return { sentence: built.sentence, error: errorAnswer(built.error), reading: null, expect: null }
    const reading = readingAnswer({ ...built.fields, direction: 'credit', currency: usualCurrency })
    return { sentence: built.sentence, error: null, reading, expect: { ...expectedOf(built.fields) } }
  }),
  route(previewCall, async (call) => {
    const alerts = accepted(await previewTemplate(deps.db, call.member.scope, previewQuery(call.body)))
    return previewAnswer(alerts, deps.zone)
  }),
]

const errorAnswer = ({ at, sentence }: SentenceError) => ({ at, detail: sentence })

const slotsOf = (template: Template, fields: Fields) =>
  template.slots.map(({ name, type }) => {
    const value = valueIn(fields, name)
    return { name, type, value: typeof value === 'bigint' ? formatMinor(value) : (value ?? '') }
  })
