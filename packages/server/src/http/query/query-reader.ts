/**
 * Reads the query of a list, parameter by parameter. An empty parameter counts as left out. `check` reports all errors at
 * once, in the wording of the dialect.
 */
import type { Instant } from '../../core/clock.ts'
import { strip } from '../../core/python-text.ts'
import type { Zone } from '../../core/zone.ts'
import { invalid, type ProblemEntry } from '../answers.ts'
import { forbidden } from '../body/fields.ts'
import { uuidOfText } from '../body/uuid.ts'
import { readInstant } from './dates.ts'
import { lastValues } from './parameters.ts'
import { readWholeNumber } from './whole-number.ts'

const usualSize = 50
const largestSize = 200

export type QueryReader = {
  text(name: string, max: number): string | undefined
  uuid(name: string): string | undefined
  choice<const T extends string>(name: string, choices: readonly T[]): T | undefined
  /** The first instant of the range. */
  from(name: string, zone: Zone): Instant | undefined
  /** The first instant after the range. */
  until(name: string, zone: Zone): Instant | undefined
  /** The `next` of the previous page, decoded by `read`. */
  cursor<T>(name: string, read: (text: string) => T | undefined): T | undefined
  pageSize(): number
  /** Throws a problem if any parameter that was read is invalid. */
  check(): void
}

export const queryReader = (url: string): QueryReader => {
  const sent = lastValues(url)
  const errors: ProblemEntry[] = []
  const no = (attr: string, code: string, detail: string): undefined => void errors.push({ code, detail, attr })
  const sentValue = (name: string): string | undefined => strip(sent.get(name) ?? '') || undefined
  const time = (name: string, zone: Zone, round: 'up' | 'down'): Instant | undefined => {
    const value = sentValue(name)
    if (value === undefined) return undefined
    return readInstant(value, zone, round)?.getTime() ?? no(name, 'invalid', 'Enter a valid date/time.')
  }
  return {
    text(name, max) {
      const value = sentValue(name)
      if (value === undefined) return undefined
      const wrong = forbidden(value, name)
      errors.push(...wrong)
      if (value.length > max) return no(name, 'max_length', `Ensure this value has at most ${max} characters.`)
      return wrong.length > 0 ? undefined : value
    },
    uuid(name) {
      const value = sentValue(name)
      if (value === undefined) return undefined
      return uuidOfText(value) ?? no(name, 'invalid', 'Enter a valid UUID.')
    },
    choice(name, choices) {
      const value = sentValue(name)
      if (value === undefined) return undefined
      const detail = `Select a valid choice. ${value.slice(0, 100)} is not one of the available choices.`
      return choices.find((choice) => choice === value) ?? no(name, 'invalid_choice', detail)
    },
    from: (name, zone) => time(name, zone, 'up'),
    until(name, zone) {
      const last = time(name, zone, 'down')
      return last === undefined ? undefined : last + 1
    },
    cursor(name, read) {
      const value = sentValue(name)
      if (value === undefined) return undefined
      return (value.length > 200 ? undefined : read(value)) ?? no(name, 'invalid', 'This is no "next" of a page.')
    },
    pageSize() {
      const size = readWholeNumber(sent.get('page_size') ?? '') ?? usualSize
      return size < 1 ? usualSize : Math.min(size, largestSize)
    },
    check() {
      if (errors.length > 0) throw invalid(errors)
    },
  }
}
