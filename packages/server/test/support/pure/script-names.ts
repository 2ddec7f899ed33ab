/** What a script of a page uses, read from its minified text as ES5: names that it does not declare itself, and events. Pure. */
import { type AnyNode, parse } from 'acorn'

const isNode = (value: unknown): value is AnyNode => typeof value === 'object' && value !== null && 'type' in value

/** The node and all nodes inside it. */
const nodesOf = (node: AnyNode): AnyNode[] => [
  node,
  ...Object.values(node)
    .flat()
    .filter(isNode)
    .flatMap((inner) => nodesOf(inner)),
]

/** Throws on syntax that is newer than ES5. */
export const parseEs5 = (script: string): AnyNode => parse(script, { ecmaVersion: 5 })

/** The names that the script does not declare, and the events that it listens to, both sorted. */
export const usedBy = (script: string): { readonly names: readonly string[]; readonly events: readonly string[] } => {
  const nodes = nodesOf(parseEs5(script))
  const declared = new Set<string>()
  const used = new Set<string>()
  const listened = new Set<string>()
  for (const node of nodes) {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') declared.add(node.id.name)
    if (node.type === 'FunctionDeclaration' && node.id) declared.add(node.id.name)
    if (node.type === 'CatchClause' && node.param?.type === 'Identifier') declared.add(node.param.name)
    if ('params' in node && Array.isArray(node.params))
      for (const parameter of node.params) if (parameter.type === 'Identifier') declared.add(parameter.name)
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') continue
    const [event] = node.arguments
    if (node.callee.property.type === 'Identifier' && node.callee.property.name === 'addEventListener')
      listened.add(event?.type === 'Literal' ? String(event.value) : '?')
  }
  for (const node of nodes) if (node.type === 'Identifier' && !declared.has(node.name)) used.add(node.name)
  return { names: [...used].sort(), events: [...listened].sort() }
}
