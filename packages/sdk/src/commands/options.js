/**
 * Options of a command: read from its arguments, checked one by one, and where they are left out taken from the environment.
 * A wrong one is a sentence that names it. Pure.
 */
import { parseArgs } from 'node:util'
import { CommandError } from './command-error.js'

/**
 * `value`: how its value is called in the help, such as `<url>`; left out: it is on or off. `read` checks a value and may throw a
 * `CommandError` with what it must be.
 *
 * @typedef {{ name: string, value?: string, what: string, env?: string, many?: boolean, byDefault?: string,
 *   read?: (text: string) => unknown }} Option
 * @typedef {Readonly<Record<string, any>>} Options
 * @typedef {{ name: string, argument?: string, what: string, options: readonly Option[] }} Described
 */

/** @param {Option} option */
const flagOf = ({ name, value }) => (value === undefined ? `--${name}` : `--${name} ${value}`)

/** @param {Described} command */
export const helpText = ({ name, argument, what, options }) => {
  const width = Math.max(...options.map((option) => flagOf(option).length))
  /** @param {Option} option */
  const notes = ({ byDefault, env }) =>
    `${byDefault === undefined ? '' : ` (default: ${byDefault})`}${env === undefined ? '' : ` (env: ${env})`}`
  return [
    `Usage: sanad ${name} [options]${argument === undefined ? '' : ` ${argument}`}`,
    '',
    what,
    '',
    'Options:',
    ...options.map((option) => `  ${flagOf(option).padEnd(width)}  ${option.what}${notes(option)}`),
  ].join('\n')
}

/** @param {Described} command @param {string} sentence */
const wrong = (command, sentence) =>
  new CommandError(`error: ${sentence}\n(sanad ${command.name} --help lists its options)`)

/**
 * `given`: the options that were in the arguments themselves.
 *
 * @param {Described} command
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {{ options: Options, given: ReadonlySet<string>, arguments: string[] }}
 */
export const readOptions = (command, args, env) => {
  const known = new Map(command.options.map((option) => [option.name, option]))
  const config = command.options.map(
    ({ name, value }) => /** @type {const} */ ([name, { type: value ? 'string' : 'boolean' }]),
  )
  const { tokens } = parseArgs({
    args: [...args],
    options: /** @type {Record<string, { type: 'string' | 'boolean' }>} */ (Object.fromEntries(config)),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  /** @type {Record<string, unknown>} */
  const options = {}
  /** @type {Set<string>} */
  const given = new Set()
  /** @type {string[]} */
  const positionals = []

  /** @param {Option} option @param {string} text */
  const take = (option, text) => {
    const { name, read, many } = option
    try {
      const value = read === undefined ? text : read(text)
      options[name] = many ? [.../** @type {unknown[]} */ (options[name] ?? []), value] : value
    } catch (fault) {
      if (!(fault instanceof CommandError)) throw fault
      throw wrong(command, `option '${flagOf(option)}' argument '${text}' is invalid. ${fault.message}`)
    }
  }

  for (const token of tokens ?? []) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const option = known.get(token.name)
    if (option === undefined) throw wrong(command, `unknown option '${token.rawName}'`)
    given.add(option.name)
    if (option.value === undefined) {
      if (token.value !== undefined) throw wrong(command, `option '${flagOf(option)}' takes no value`)
      options[option.name] = true
    } else if (token.value === undefined) throw wrong(command, `option '${flagOf(option)}' argument missing`)
    else take(option, token.value)
  }
  const most = command.argument === undefined ? 0 : 1
  if (positionals.length > most) throw wrong(command, `unexpected argument '${positionals[most]}'`)
  if (positionals.length < most) throw wrong(command, `missing required argument ${command.argument}`)
  for (const option of command.options) {
    if (options[option.name] !== undefined) continue
    const text = (option.env && env[option.env]) || option.byDefault
    if (text !== undefined) take(option, text)
  }
  return { options, given, arguments: positionals }
}
