/** Samples of a template as they are stored. A slot that was left out of `expect` is not stored: it must not be read. */
import type { Expected, Sample } from '../../../alerts/templates/alert-template.ts'

type SentSample = { readonly text: string; readonly expect: { readonly [Slot in keyof Expected]: string | undefined } }

export const samplesOf = (sent: readonly SentSample[]): Sample[] =>
  sent.map(({ text, expect }) => ({
    text,
    expect: Object.fromEntries(Object.entries(expect).filter(([, value]) => value !== undefined)) as Expected,
  }))
