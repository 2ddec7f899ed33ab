/** The forms that the answer to a refusal has. Pure. */
import { invalid, Problem } from '../answers.ts'
import { NON_FIELD } from '../body/field-error.ts'

export type Facts = Readonly<Record<string, string>>
/** `code`: that of the refusal. */
export type Answer = (facts: Facts, code: string) => Problem

export const field = (attr: string, code: string, detail: string): Problem => invalid([{ code, detail, attr }])

/** Another user was first, or something changed: programs get the facts beside the sentence. */
export const changed = (attr: string, code: string, detail: string, facts: Facts): Problem =>
  new Problem(400, 'validation_error', [{ code, detail, attr }], {}, { facts })

type Sentence = string | ((facts: Facts) => string)
const textOf = (sentence: Sentence, facts: Facts): string => (typeof sentence === 'string' ? sentence : sentence(facts))

/** The answer has the code of the refusal. `attr`: the field that it is about. */
export const says =
  (sentence: Sentence, attr = NON_FIELD): Answer =>
  (facts, code) =>
    field(attr, code, textOf(sentence, facts))

/** As `says`, with the facts beside the sentence, as `changed` has them. */
export const saysWithFacts =
  (sentence: Sentence, attr = NON_FIELD): Answer =>
  (facts, code) =>
    changed(attr, code, textOf(sentence, facts), facts)

export const byActor = ({ by }: Facts): string => (by === undefined || by === '' ? '' : ` by ${by}`)

/** An id in a body that names nothing. */
export const unknown = (attr: string, id: string | undefined): Problem =>
  field(attr, 'does_not_exist', `Invalid pk "${id}" - object does not exist.`)
