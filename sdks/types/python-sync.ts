/**
 * Writes the Python client for programs without async from the one with it: the same code, word by word, without `await`. Pure.
 */
const changes: readonly (readonly [RegExp, string])[] = [
  [/\basync (?=def|for|with)/g, ''],
  [/\bawait /g, ''],
  [/\b__aenter__\b/g, '__enter__'],
  [/\b__aexit__\b/g, '__exit__'],
  [/\baclose\b/g, 'close'],
  [/\baiter_bytes\b/g, 'iter_bytes'],
  [/\bAwaitable\[None\]/g, 'object'],
  [/\bAwaitable, /g, ''],
  [/\bAsync(?=[A-Z])/g, ''],
  [/^import random\nimport time$/gm, 'import random\nimport threading\nimport time'],
  [/^import anyio\n/gm, ''],
  [/\banyio\.Lock\b/g, 'threading.Lock'],
  [/\banyio\.sleep\b/g, 'time.sleep'],
]

export const pythonSync = (text: string): string =>
  changes.reduce((changed, [from, to]) => changed.replace(from, to), text)

/** The files of the folder `_async` that have a copy in `_sync`. */
export const copiedToSync = ['calls.py', 'checkout.py', 'client.py', 'pages.py', 'resources.py', 'stores.py'] as const

export const syncNote = (name: string): string => `# Written from _async/${name} by \`npm run dumps\`: do not edit.\n`
