/**
 * Every part of a message that may arrive alone: each beginning and each end of its text. A part must never be read as other
 * money than the whole. Both the raw and the normalised text are cut; they differ where one character becomes several. Pure.
 */
import { strip } from '../../core/python-text.ts'
import { normalise } from '../texts/normalise.ts'
import { type AlertTemplate, compiledOf, type Reading, readAlert } from './alert-template.ts'
import { plainLetters, type Template } from './template.ts'

/**
 * The limit for reading the parts of all samples, in characters times the size of the expression: a few seconds at worst. A
 * sample of a shipped template takes a million at most.
 */
export const MOST_CUT_STEPS = 60_000_000
/** After this many steps the generator yields, so that other requests are served. */
const STEPS_AT_ONCE = 100_000
const CUTS_AT_ONCE = 50

/** The normalised parts of a text, without the text itself. */
export type Cuts = { readonly beginnings: readonly string[]; readonly ends: readonly string[] }

/** Yields from time to time, so that a long text does not block other requests. */
export function* cuttingOf(raw: string): Generator<void, Cuts> {
  const whole = normalise(raw)
  const beginnings = new Set<string>()
  const ends = new Set<string>()
  // A part of a normalised text is normalised, except for white space at its edge and half a surrogate pair.
  for (let at = 1; at < whole.length; at++) {
    beginnings.add(strip(whole.slice(0, at).toWellFormed()))
    ends.add(strip(whole.slice(at).toWellFormed()))
  }
  for (let at = 1; raw !== whole && at < raw.length; at++) {
    beginnings.add(normalise(raw.slice(0, at)))
    ends.add(normalise(raw.slice(at)))
    if (at % CUTS_AT_ONCE === 0) yield
  }
  for (const cuts of [beginnings, ends]) for (const noPart of ['', whole]) cuts.delete(noPart)
  return { beginnings: [...beginnings], ends: [...ends] }
}

/** The first field in which a part differs from the whole. A field that is missing in the part is not a difference. */
export const misread = (part: Reading, whole: Reading): Misread | undefined => {
  for (const field of ['direction', 'currency', 'amount'] as const) if (part[field] !== whole[field]) return field
  for (const field of ['reference', 'balance', 'fee'] as const)
    if (part[field] !== undefined && part[field] !== whole[field]) return field
  return undefined
}
export type Misread = 'direction' | 'currency' | 'amount' | 'reference' | 'balance' | 'fee'

export type CutReading = { readonly cut: string; readonly reading: Reading; readonly field: Misread }

/**
 * The first part of a text that the template reads as other money than the whole. `budget` counts down; below zero the search
 * stops. Yields from time to time, so that a long text does not block other requests.
 */
export function* misreadCut(
  template: AlertTemplate,
  cuts: Cuts,
  whole: Reading,
  budget: { steps: number },
): Generator<void, CutReading | undefined> {
  const compiled = compiledOf(template)
  if (!compiled.ok) return undefined
  const size = compiled.template.greedy.programSize()
  let since = 0
  for (const cut of candidates(compiled.template, cuts)) {
    const steps = cut.length * size
    budget.steps -= steps
    if (budget.steps < 0) return undefined
    since += steps
    if (since > STEPS_AT_ONCE) {
      since = 0
      yield
    }
    const reading = readAlert(template, cut)
    const field = reading && misread(reading, whole)
    if (field !== undefined) return { cut, reading: reading!, field }
  }
  return undefined
}

/** The parts that begin and end like the template's text. That is cheap to check. */
function* candidates({ head, tail, longest }: Template, { beginnings, ends }: Cuts): Generator<string> {
  for (const cut of [...beginnings, ...ends]) {
    if (cut.length > longest) continue
    const letters = plainLetters(cut)
    if (letters.startsWith(head) && letters.endsWith(tail)) yield cut
  }
}
