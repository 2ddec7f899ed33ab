/** Reads the options of a command, or a JSON file, as the API reads a body: with the same rules and errors. */

import { CommandError } from '../command-error.ts'
import type { Reading } from '../http/body/fields.ts'
import { type Json, parseJson } from '../http/body/json.ts'

type Read<T> = (sent: Json) => Reading<T>

export const fieldsIn = <T>(read: Read<T>, bytes: Uint8Array): T => {
  const json = parseJson(bytes)
  if (json.kind === 'malformed') throw new CommandError(json.detail)
  const reading = read(json.value)
  if (reading.kind === 'no')
    throw new CommandError(reading.errors.map(({ attr, detail }) => `${attr}: ${detail}`).join('\n'))
  return reading.value
}

export const bodyOfOptions = <T>(read: Read<T>, fields: object): T =>
  fieldsIn(read, Buffer.from(JSON.stringify(fields)))
