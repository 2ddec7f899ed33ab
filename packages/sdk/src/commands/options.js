/**
 * The options of a command: read from its arguments and checked one by one; those that are left out are read from the
 * environment. A wrong option is refused with a sentence that contains its name. Pure.
 */
import { parseArgs } from 'node:util'
import { CommandError } from './command-error.js'

/**
 * `value`: the name of its value in the help, such as `<url>`; left out: the option is a flag. `read` checks a value and
 * may throw a `CommandError` that says what the value must be.
 *
 * @typedef {{ name: string, value?: string, help: string, env?: string, many?: boolean, byDefault?: string,
 *   read?: (text: string) => unknown }} Option
 * @typedef {Readonly<Record<string, any>>} Options
 * @typedef {{ name: string, argument?: string, help: string, options: readonly Option[] }} CommandDescription
 */

/** @param {Option} option */
const flagOf = ({ name, value }) => (value === undefined ? `--${name}` : `--${name} ${value}`)

/** @param {CommandDescription} command */
export const helpText = ({ name, argument, help, options }) => {
  const width = Math.max(...options.map((option) => flagOf(option).length))
  /** @param {Option} option */
  const notes = ({ byDefault, env }) =>
    `${byDefault === undefined ? '' : ` (default: ${byDefault})`}${env === undefined ? '' : ` (env: ${env})`}`
  return [
    `Usage: sanad ${name} [options]${argument === undefined ? '' : ` ${argument}`}`,
    '',
    help,
    '',
    'Options:',
    ...options.map((option) => `  ${flagOf(option).padEnd(width)}  ${option.help}${notes(option)}`),
  ].join('\n')
}

/** @param {CommandDescription} command @param {string} sentence */
const usageError = (command, sentence) =>
  new CommandError(`error: ${sentence}\n(sanad ${command.name} --help lists its options)`)

/**
 * `fromArguments`: the names of the options that were in the arguments, not in the environment.
 *
 * @param {CommandDescription} command
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {{ options: Options, fromArguments: ReadonlySet<string>, arguments: string[] }}
 */
export const readOptions = (command, args, env) => {
  const optionsByName = new Map(command.options.map((option) => [option.name, option]))
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
  const fromArguments = new Set()
  /** @type {string[]} */
  const positionals = []

  /** @param {Option} option @param {string} text */
  const setOption = (option, text) => {
    const { name, read, many } = option
    try {
      const value = read === undefined ? text : read(text)
      options[name] = many ? [.../** @type {unknown[]} */ (options[name] ?? []), value] : value
    } catch (fault) {
      if (!(fault instanceof CommandError)) throw fault
      throw usageError(command, `option '${flagOf(option)}' argument '${text}' is invalid. ${fault.message}`)
    }
  }

  for (const token of tokens ?? []) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const option = optionsByName.get(token.name)
    if (option === undefined) throw usageError(command, `unknown option '${token.rawName}'`)
    fromArguments.add(option.name)
    if (option.value === undefined) {
      if (token.value !== undefined) throw usageError(command, `option '${flagOf(option)}' takes no value`)
      options[option.name] = true
    } else if (token.value === undefined) throw usageError(command, `option '${flagOf(option)}' argument missing`)
    else setOption(option, token.value)
  }
  const most = command.argument === undefined ? 0 : 1
  if (positionals.length > most) throw usageError(command, `unexpected argument '${positionals[most]}'`)
  if (positionals.length < most) throw usageError(command, `missing required argument ${command.argument}`)
  for (const option of command.options) {
    if (options[option.name] !== undefined) continue
    const text = (option.env && env[option.env]) || option.byDefault
    if (text !== undefined) setOption(option, text)
  }
  return { options, fromArguments, arguments: positionals }
}

/** @param {string} text */
export const httpUrl = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CommandError('It must be an http or https address, such as http://127.0.0.1:3000/webhooks')
  return url.href
}

/** @param {string} text */
export const notEmpty = (text) => {
  if (text === '') throw new CommandError('It is empty.')
  return text
}
