/**
 * The small changes of a source file that a test should notice: an operator or a number is replaced, a condition is turned round.
 * Only code is changed, never a type, a comment or a text. Pure.
 */
import { parseAst } from 'rolldown/parseAst'
import { applyChange, type Change } from './apply-change.ts'

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>

const operators: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** The nodes below a node that hold code. Types are left out. */
const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode)
    .filter(({ type }) => !type.startsWith('TS') || keptTypes.has(type))

/** Nodes of TypeScript that contain code. */
const keptTypes = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])

export const changesOf = (source: string): Change[] => {
  const changes: Change[] = []
  const add = (node: Node, from: number, to: number, text: string): void => {
    const line = source.slice(0, from).split('\n').length
    const before = source.slice(node.start, node.end)
    const after = source.slice(node.start, from) + text + source.slice(to, node.end)
    const short = (code: string): string => code.replace(/\s+/g, ' ').slice(0, 100)
    changes.push({ from, to, text, line, shown: `${short(before)} -> ${short(after)}` })
  }
  const visit = (node: Node): void => {
    if (node.type === 'ImportDeclaration') return
    if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression') {
      const { operator, left, right } = node as unknown as { operator: string; left: Node; right: Node }
      const other = operators[operator]
      if (other !== undefined && !(operator === '+' && joinsTexts(left, right))) {
        const at = source.indexOf(operator, left.end)
        add(node, at, at + operator.length, other)
      }
    }
    if (node.type === 'UnaryExpression' && node.operator === '!') add(node, node.start, node.start + 1, '')
    if (node.type === 'Literal' && typeof node.value === 'number') add(node, node.start, node.end, `(${node.raw} + 1)`)
    if (node.type === 'Literal' && typeof node.value === 'bigint') add(node, node.start, node.end, `(${node.raw} + 1n)`)
    if (node.type === 'Literal' && typeof node.value === 'boolean') add(node, node.start, node.end, String(!node.value))
    if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
      const { test } = node as unknown as { test: Node }
      if (!isSimple(test)) add(test, test.start, test.end, `!(${source.slice(test.start, test.end)})`)
    }
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node)
  return numbered(changes.filter((change) => isCode(applyChange(source, change))).toSorted((a, b) => a.from - b.from))
}

/** A change must be noticed by a test, not because it cannot be read: the 1 of `{ 1: 'a' }` is left as it is. */
const isCode = (source: string): boolean => {
  try {
    parseAst(source, { lang: 'ts' })
    return true
  } catch {
    return false
  }
}

/** Two changes of one line that look the same are told apart, so that an entry in no-difference.ts means one of them. */
const numbered = (changes: readonly Change[]): Change[] => {
  const seen = new Map<string, number>()
  return changes.map((change) => {
    const key = `${change.line} ${change.shown}`
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    return nth === 1 ? change : { ...change, shown: `${change.shown} (${nth})` }
  })
}

/** A comparison is changed by its operator: turning it round as well would be the same change. */
const isSimple = ({ type, operator }: Node): boolean =>
  (type === 'BinaryExpression' && (operator === '===' || operator === '!==')) ||
  (type === 'UnaryExpression' && operator === '!')

const joinsTexts = (left: Node, right: Node): boolean =>
  [left, right].some(
    ({ type, value }) => type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string'),
  )
