/** The forms that the answer to a refusal has. Pure. */
import { invalid, Problem } from '../answers.ts'

export type Facts = Readonly<Record<string, string>>
export type Answer = (facts: Facts) => Problem

export const field = (attr: string, code: string, detail: string): Problem => invalid([{ code, detail, attr }])

/** Another user was first, or something changed: programs get the facts beside the sentence. */
export const changed = (attr: string, code: string, detail: string, facts: Facts): Problem =>
  new Problem(400, 'validation_error', [{ code, detail, attr }], {}, { facts })

export const byActor = ({ by }: Facts): string => (by === undefined || by === '' ? '' : ` by ${by}`)

/** An id in a body that names nothing. */
export const unknown = (attr: string, id: string | undefined): Problem =>
  field(attr, 'does_not_exist', `Invalid pk "${id}" - object does not exist.`)
