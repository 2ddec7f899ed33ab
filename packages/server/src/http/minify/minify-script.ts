/**
 * Makes the script of a page small: without types, comments and long names. The bundler that builds the dashboard does it,
 * when the file that sends the page is loaded: 40 ms once for each process, no file to keep, and the same bytes on every node
 * of a version.
 */
import { readFileSync } from 'node:fs'
import { minifySync, parseSync, transformSync, Visitor } from 'rolldown/utils'

/** The syntax that the browsers of a page understand. */
export type Syntax = 'es5' | 'es2020'

/** The bundler knows no target below ES2015. It keeps ES5 as it is, except for the quotes of strings. */
const targets = { es5: 'es2015', es2020: 'es2020' } as const satisfies Record<Syntax, string>

type Output = { readonly code: string; readonly errors: readonly { readonly message: string }[] }

const codeOf = ({ code, errors }: Output, name: string): string => {
  if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join('; ')}`)
  return code
}

/** In ES5 the separators of lines and paragraphs may not stand in a string; JSON allows them. */
const es5String = (text: string): string =>
  JSON.stringify(text).replace(/[\u2028\u2029]/g, (separator) => `\\u${separator.charCodeAt(0).toString(16)}`)

/** Writes strings in quotes again: the bundler writes them in backticks, which ES5 does not have. */
const withQuotes = (name: string, code: string): string => {
  const strings: { start: number; end: number; text: string }[] = []
  const { program } = parseSync(name, code, { sourceType: 'script' })
  const visitor = new Visitor({
    TemplateLiteral: ({ start, end, quasis: [first, ...others] }) => {
      if (others.length === 0) strings.push({ start, end, text: first!.value.cooked! })
    },
  })
  visitor.visit(program)
  let [quoted, from] = ['', 0]
  for (const { start, end, text } of strings) {
    quoted += code.slice(from, start) + es5String(text)
    from = end
  }
  return quoted + code.slice(from)
}

/** The text of the script in the file, for a tag `<script>` in a page. Its names are not visible to other scripts. */
export const minifiedScript = (file: URL, syntax: Syntax): string => {
  const name = file.pathname.split('/').at(-1)!
  const target = targets[syntax]
  // A file that imports types is a module, and is marked as one after the types are gone.
  const plain = codeOf(transformSync(name, readFileSync(file, 'utf8'), { target, tsconfig: false }), name).replace(
    /^export \{\};$/m,
    '',
  )
  const options = { compress: { target }, mangle: true, module: false } as const
  const small = codeOf(minifySync(name.replace(/ts$/, 'js'), `(function(){${plain}})()`, options), name)
  const script = syntax === 'es5' ? withQuotes(name, small) : small
  if (/<\/script|<!--/i.test(script))
    throw new Error(`${name}: a browser would end the tag <script> inside the script.`)
  return script
}
