/**
 * A line of the log as a person reads it on a terminal, from its JSON. Nothing of it is lost: what has no place of its own comes as
 * `name=value` at the end. Pure.
 */

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Characters that could move the cursor or forge a line are shown as escapes. */
const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (c) => {
    return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`
  })

const shown = (value: unknown): string => {
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}

const faultText = (fault: Record<string, unknown>): string => {
  const text = typeof fault.stack === 'string' ? fault.stack : `${fault.type ?? 'Error'}: ${fault.message ?? ''}`
  return text.replaceAll(/^/gm, '    ')
}

export const textLine = (json: string): string => {
  let facts: unknown
  try {
    facts = JSON.parse(json)
  } catch {
    return json
  }
  if (!isRecord(facts)) return json
  const { level, time, msg, err, ...rest } = facts
  const at = typeof time === 'string' ? time.slice(11, 23) : ''
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${shown(value)}`)
  const line = [at, String(level).toUpperCase().padEnd(5), String(msg ?? ''), ...fields].join(' ')
  const fault = isRecord(err) ? `\n${faultText(err)}` : err === undefined ? '' : ` err=${shown(err)}`
  return `${printable(`${line.replaceAll('\n', '\\n').trim()}${fault}`)}\n`
}
